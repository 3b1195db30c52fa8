#include "driver/verilog/scan/preprocess.h"

#include <algorithm>
#include <filesystem>

#include "driver/system/files.h"
#include "driver/verilog/file_names.h"
#include "driver/verilog/scan/lexer.h"

namespace smec::driver::scan {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostTokens = std::size_t{1} << 23;
constexpr std::size_t kMostUses = std::size_t{1} << 20;  // of macros in macros and of files
constexpr std::size_t kMostFiles = 60000;
constexpr int kDeepestFile = 48;  // files in files, macros in macros

constexpr std::string_view kOfSynthesis[] = {"SYNTHESIS", "YOSYS"};

struct Macro {
    std::vector<std::string_view> parameters;
    std::vector<Tokens> defaults;
    Tokens body;
    bool hasParameters = false;
    bool isOfReader = false;  ///< SYNTHESIS and YOSYS, which nobody has defined
};

struct Condition {
    bool isParentLive = true;
    bool wasTaken = false;
    bool isLive = true;
};

class Preprocessor {
public:
    Preprocessor(const VerilogInput& input, Texts& texts) : input_(input), texts_(texts) {
        for (const std::string_view name : kOfSynthesis) {
            Macro macro;
            macro.isOfReader = true;
            macros_[std::string(name)] = macro;
        }
        for (const std::string& define : input.defines) {
            const std::size_t equals = define.find('=');
            Macro macro;
            if (equals != std::string::npos) {
                Lexer lexer(texts.keep(define.substr(equals + 1)), 0);
                for (Token t = lexer.next(); t.kind != TokenKind::End; t = lexer.next())
                    macro.body.push_back(t);
            }
            macros_[define.substr(0, equals)] = macro;
        }
    }

    Unit run(std::uint16_t file) {
        readFile(file, 0);
        Token end;
        if (!unit_.tokens.empty()) end = unit_.tokens.back();
        end.kind = TokenKind::End;
        end.text = {};
        unit_.tokens.push_back(end);
        return std::move(unit_);
    }

private:
    bool isLive() const { return conditions_.empty() || conditions_.back().isLive; }

    /// Against macros and files that use themselves. Returns whether to go on.
    bool count() {
        unit_.isWhole = unit_.isWhole && ++uses_ < kMostUses;
        return unit_.isWhole;
    }

    void emit(const Token& token) {
        if (unit_.tokens.size() >= kMostTokens) {
            unit_.isWhole = false;
            return;
        }
        unit_.tokens.push_back(token);
    }

    void readFile(std::uint16_t file, int depth) {
        Lexer lexer(texts_.text(file), file);
        for (Token t = lexer.next(); t.kind != TokenKind::End && unit_.isWhole; t = lexer.next()) {
            if (t.kind == TokenKind::Note) {
                note(t);
            } else if (isOff_) {
                continue;
            } else if (t.kind == TokenKind::Directive) {
                directive(t, lexer, depth);
            } else if (isLive()) {
                emit(t);
            }
        }
        isOff_ = false;
    }

    Notes& notesAt(const Token& t) {
        Notes& notes = unit_.notes[t.file];
        if (notes.first.line == 0) notes.first = t;
        return notes;
    }

    void note(const Token& t) {
        if (t.is("translate_on")) {
            isOff_ = false;
        } else if (t.is("translate_off")) {
            if (isLive() && !isOff_) ++notesAt(t).regions;
            isOff_ = true;
        } else if (isLive() && !isOff_) {
            ++notesAt(t).cases;
        }
    }

    void directive(const Token& t, Lexer& lexer, int depth) {
        const std::string_view name = t.text.substr(1);
        if (name == "ifdef" || name == "ifndef" || name == "elsif") {
            condition(name, lexer.next());
        } else if (name == "else") {
            if (!conditions_.empty()) otherwise(true);
        } else if (name == "endif") {
            if (!conditions_.empty()) conditions_.pop_back();
        } else if (!isLive()) {
            if (name == "define") lexer.restOfLine();
        } else if (name == "define") {
            define(lexer.restOfLine(), t.file);
        } else if (name == "undef") {
            macros_.erase(std::string(lexer.next().text));
        } else if (name == "include") {
            include(lexer.next(), depth);
        } else if (name == "unconnected_drive" || name == "nounconnected_drive") {
            unit_.unread.push_back(t);
            lexer.restOfLine();
        } else if (name == "timescale" || name == "pragma" || name == "line"
                   || name == "begin_keywords" || name == "default_nettype") {
            lexer.restOfLine();
        } else if (const auto macro = macros_.find(std::string(name)); macro != macros_.end()) {
            use(macro->second, t, lexer);
        }
    }

    void condition(std::string_view kind, const Token& name) {
        const auto macro = macros_.find(std::string(name.text));
        const bool isThere = macro != macros_.end();
        if (kind == "elsif") {
            if (conditions_.empty()) return;
            otherwise(isThere);
        } else {
            const bool isWanted = isThere == (kind == "ifdef");
            conditions_.push_back({isLive(), isWanted, isLive() && isWanted});
        }
        if (isThere && macro->second.isOfReader && conditions_.back().isParentLive)
            ++notesAt(name).conditions;
    }

    void otherwise(bool holds) {
        Condition& last = conditions_.back();
        last.isLive = last.isParentLive && !last.wasTaken && holds;
        last.wasTaken = last.wasTaken || holds;
    }

    void define(const Lexer::Line& line, std::uint16_t file) {
        Lexer lexer(line.text, file, line.line, line.column);
        const Token name = lexer.next();
        if (!name.isName()) return;
        Macro macro;
        macro.hasParameters = lexer.isNext('(');
        if (macro.hasParameters) parameters(lexer, macro);
        for (Token t = lexer.next(); t.kind != TokenKind::End; t = lexer.next())
            if (t.kind != TokenKind::Note) macro.body.push_back(t);
        macros_[std::string(name.text)] = std::move(macro);
    }

    static void parameters(Lexer& lexer, Macro& macro) {
        lexer.next();  // (
        bool isDefault = false;
        for (Token t = lexer.next(); t.kind != TokenKind::End && !t.is(")"); t = lexer.next()) {
            if (t.is(",")) {
                isDefault = false;
            } else if (t.is("=")) {
                isDefault = true;
            } else if (isDefault && !macro.defaults.empty()) {
                macro.defaults.back().push_back(t);
            } else if (t.isName()) {
                macro.parameters.push_back(t.text);
                macro.defaults.emplace_back();
            }
        }
    }

    void include(const Token& name, int depth) {
        if (name.kind != TokenKind::Text || name.text.size() < 3 || depth >= kDeepestFile
            || !count())
            return;
        const std::string inner(name.text.substr(1, name.text.size() - 2));
        const auto path = findNamedFile(inner, fs::path(texts_.path(name.file)).parent_path(),
                                        input_.includeFolders);
        if (path && texts_.size() < kMostFiles) readFile(texts_.file(path->string()), depth + 1);
    }

    /// A macro in a text. Its arguments are read from the text, too.
    void use(const Macro& macro, const Token& t, Lexer& lexer) {
        std::vector<Tokens> arguments;
        if (macro.hasParameters && !readArguments(arguments, [&] { return lexer.next(); })) return;
        expand(macro, t, arguments, 0);
    }

    template <class Next>
    static bool readArguments(std::vector<Tokens>& arguments, Next next) {
        if (!next().is("(")) return false;
        arguments.emplace_back();
        int depth = 0;
        for (Token t = next(); t.kind != TokenKind::End; t = next()) {
            if (depth == 0 && t.is(")")) return true;
            if (depth == 0 && t.is(",")) {
                arguments.emplace_back();
                continue;
            }
            if (t.is("(") || t.is("[") || t.is("{")) ++depth;
            if (t.is(")") || t.is("]") || t.is("}")) --depth;
            if (t.kind != TokenKind::Note) arguments.back().push_back(t);
        }
        return false;
    }

    /// What a macro stands for, at the place of its use `at`.
    void expand(const Macro& macro, const Token& at, const std::vector<Tokens>& arguments,
                int depth) {
        if (depth >= kDeepestFile || !count()) return;
        Tokens whole;
        bool joins = false;
        for (const Token& t : macro.body) {
            if (t.is("``")) {
                joins = true;
                continue;
            }
            const auto parameter = std::ranges::find(macro.parameters, t.text);
            if (!t.isName() || parameter == macro.parameters.end()) {
                append(whole, t, joins);
            } else {
                const auto i = static_cast<std::size_t>(parameter - macro.parameters.begin());
                const bool isGiven = i < arguments.size() && !arguments[i].empty();
                for (const Token& one : isGiven ? arguments[i] : macro.defaults[i]) {
                    append(whole, one, joins);
                    joins = false;
                }
            }
            joins = false;
            if (whole.size() > kMostTokens) unit_.isWhole = false;
            if (!unit_.isWhole) return;
        }
        replay(whole, at, depth);
    }

    void append(Tokens& whole, Token t, bool joins) {
        if (joins && !whole.empty()) {
            whole.back().text = texts_.keep(std::string(whole.back().text) + std::string(t.text));
            return;
        }
        whole.push_back(t);
    }

    void replay(const Tokens& whole, const Token& at, int depth) {
        std::size_t i = 0;
        const auto next = [&] { return i < whole.size() ? whole[i++] : Token{}; };
        while (i < whole.size() && unit_.isWhole) {
            Token t = next();
            if (t.kind == TokenKind::Directive) {
                insideMacro(t, at, next, depth);
            } else if (isLive()) {
                t.line = at.line;
                t.column = at.column;
                t.length = at.length;
                t.file = at.file;
                emit(t);
            }
        }
    }

    template <class Next>
    void insideMacro(const Token& t, const Token& at, Next next, int depth) {
        const std::string_view name = t.text.substr(1);
        if (name == "ifdef" || name == "ifndef" || name == "elsif") {
            Token word = next();
            word.line = at.line;
            word.column = at.column;
            word.file = at.file;
            return condition(name, word);
        }
        if (name == "else" && !conditions_.empty()) return otherwise(true);
        if (name == "endif" && !conditions_.empty()) return conditions_.pop_back();
        const auto macro = macros_.find(std::string(name));
        if (!isLive() || macro == macros_.end()) return;
        std::vector<Tokens> arguments;
        if (macro->second.hasParameters && !readArguments(arguments, next)) return;
        const Macro copy = macro->second;  // its text may define it anew
        expand(copy, at, arguments, depth + 1);
    }

    const VerilogInput& input_;
    Texts& texts_;
    Unit unit_;
    std::map<std::string, Macro> macros_;
    std::vector<Condition> conditions_;
    std::size_t uses_ = 0;
    bool isOff_ = false;
};

}  // namespace

std::uint16_t Texts::add(const std::string& path, std::string text) {
    const auto number = static_cast<std::uint16_t>(files_.size());
    files_.push_back({path, keep(std::move(text))});
    numbers_[path] = number;
    return number;
}

std::uint16_t Texts::file(const std::string& path) {
    const auto known = numbers_.find(path);
    if (known != numbers_.end()) return known->second;
    return add(path, readFile(path).value_or(""));
}

Unit preprocess(std::uint16_t file, const VerilogInput& input, Texts& texts) {
    return Preprocessor(input, texts).run(file);
}

}  // namespace smec::driver::scan
