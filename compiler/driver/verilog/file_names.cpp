#include "driver/verilog/file_names.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <iterator>
#include <optional>

// One walk over the text. Brackets are followed for two things: whose argument a string is, and
// which strings are side by side in a concatenation:
//
//   $readmemh({"rom", N, ".hex"}, rom)      isRead, "rom*.hex"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

bool isOfWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}
bool isSpace(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// What it is given is shown or written, not read.
bool onlyShows(std::string_view task) {
    for (const std::string_view begin :
         {"$display", "$write", "$monitor", "$strobe", "$fdisplay", "$fwrite", "$fstrobe",
          "$fmonitor", "$error", "$warning", "$info", "$fatal", "$dump", "$system"})
        if (task.starts_with(begin)) return true;
    return false;
}

/// What could be anything names no file.
bool saysSomething(std::string_view pattern) {
    constexpr std::ptrdiff_t kFewest = 3;
    return std::ranges::count_if(pattern, [](char c) { return c != '*'; }) >= kFewest;
}

/// "rom%0d.hex": "rom*.hex"
std::string withoutFormats(std::string_view text) {
    std::string pattern;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            pattern += text[i];
            continue;
        }
        if (text.substr(i).starts_with("%%")) {
            pattern += text[i++];
            continue;
        }
        for (++i; i < text.size() && std::isalpha(static_cast<unsigned char>(text[i])) == 0;)
            ++i;
        pattern += '*';
    }
    return pattern;
}

class NameWalk {
public:
    explicit NameWalk(std::string_view text) : text_(text) {}

    std::vector<NamedFile> run() {
        while (at_ < text_.size())
            step();
        return std::move(found_);
    }

private:
    struct Bracket {
        char open = '(';
        bool isShown = false;  ///< strings in it are only shown
        bool isRead = false;   ///< its first argument names a memory's file
        bool isList = false;   ///< '{…}: an array of values
        // of a concatenation
        std::string pattern{};    ///< so far
        std::size_t strings = 0;  ///< in it
        std::string element{};    ///< what is known of this element …
        std::size_t pieces = 0;   ///< … and from how many strings
        bool isUnknown = false;   ///< this element is no string alone: "n == 1 ? …"
        std::vector<NamedFile> alone{};

        void endElement() {
            const bool isKnown = !isUnknown && pieces == 1;
            if (isUnknown || pieces > 0) pattern += isKnown ? element : "*";
            element.clear();
            pieces = 0;
            isUnknown = false;
        }
        void add(const std::string& text, std::size_t count) {
            element = text;
            ++pieces;
            strings += count;
        }
    };

    void step() {
        const std::string_view rest = text_.substr(at_);
        const char c = rest[0];
        if (isSpace(c)) {
            ++at_;
        } else if (rest.starts_with("//")) {
            skipTo("\n");
        } else if (rest.starts_with("/*")) {
            skipTo("*/");
        } else if (c == '"') {
            string();
        } else if (rest.starts_with("`include")) {
            include();
        } else if (isOfWord(c) || c == '`') {
            word();
        } else if (c == '\\') {
            while (at_ < text_.size() && !isSpace(text_[at_]))
                ++at_;
            unknown();
        } else {
            sign(c);
        }
    }

    void skipTo(std::string_view end) {
        const std::size_t found = text_.find(end, at_);
        at_ = found == std::string_view::npos ? text_.size() : found + end.size();
    }

    /// Up to the closing quotes, at most to the end of the line.
    std::optional<NamedFile> quoted(char close) {
        NamedFile file;
        file.begin = ++at_;
        for (; at_ < text_.size() && text_[at_] != close && text_[at_] != '\n'; ++at_) {
            if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
        }
        file.length = std::min(at_, text_.size()) - file.begin;
        file.name = text_.substr(file.begin, file.length);
        if (at_ >= text_.size() || text_[at_] != close) return std::nullopt;
        ++at_;
        return file;
    }

    void include() {
        at_ += std::string_view("`include").size();
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t'))
            ++at_;
        if (at_ == text_.size() || (text_[at_] != '"' && text_[at_] != '<')) return;
        if (std::optional<NamedFile> file = quoted(text_[at_] == '<' ? '>' : '"')) {
            file->isInclude = true;
            found_.push_back(std::move(*file));
        }
    }

    void word() {
        const std::size_t begin = at_++;
        while (at_ < text_.size() && isOfWord(text_[at_]))
            ++at_;
        last_ = text_.substr(begin, at_ - begin);
        unknown();
    }

    void sign(char c) {
        ++at_;
        if (c == '(') {
            const bool inShown = !open_.empty() && open_.back().isShown;
            open_.push_back({'(', inShown || onlyShows(last_), last_.starts_with("$readmem")});
        } else if (c == '{') {
            Bracket bracket{'{'};
            if (!open_.empty()) bracket.isShown = open_.back().isShown;
            if (!open_.empty()) bracket.isRead = open_.back().isRead;
            bracket.isList = at_ >= 2 && text_[at_ - 2] == '\'';
            open_.push_back(std::move(bracket));
        } else if (c == ')' || c == '}') {
            close(c == ')' ? '(' : '{');
        } else if (c == ',') {
            comma();
        } else if (c == ';') {
            open_.clear();
        } else {
            unknown();
        }
        last_ = {};
    }

    void comma() {
        if (open_.empty()) return;
        open_.back().endElement();
        if (open_.back().open == '(') open_.back().isRead = false;  // its other arguments
    }

    Bracket* concatenation() {
        const bool is = !open_.empty() && open_.back().open == '{' && !open_.back().isList;
        return is ? &open_.back() : nullptr;
    }

    /// Something of which the text is not known, in a concatenation.
    void unknown() {
        if (Bracket* const around = concatenation()) around->isUnknown = true;
    }

    void string() {
        std::optional<NamedFile> file = quoted('"');
        if (!file || file->name.empty()) return;
        if (!open_.empty() && open_.back().isShown) return;
        file->isRead = !open_.empty() && open_.back().isRead;
        Bracket* const around = concatenation();
        if (file->name.find('%') != std::string::npos) {
            const std::string pattern = withoutFormats(file->name);
            file->isPattern = pattern != file->name;
            file->name = pattern;
        }
        if (!around) return add(std::move(*file));
        around->add(file->name, 1);
        around->alone.push_back(std::move(*file));
    }

    void close(char open) {
        if (open_.empty() || open_.back().open != open) return;
        Bracket bracket = std::move(open_.back());
        open_.pop_back();
        bracket.endElement();
        if (open == '(' || bracket.isList || bracket.strings == 0) return unknown();
        if (Bracket* const around = concatenation()) {  // {"a", {"b", "c"}}
            around->add(bracket.pattern, bracket.strings);
            std::ranges::move(bracket.alone, std::back_inserter(around->alone));
            return;
        }
        const bool isAlone = bracket.strings == 1 && bracket.pattern == bracket.alone[0].name;
        if (isAlone) return add(std::move(bracket.alone[0]));
        NamedFile whole;
        whole.name = bracket.pattern;
        whole.isRead = bracket.isRead;
        whole.isPattern = true;
        add(std::move(whole));
        for (NamedFile& one : bracket.alone) {  // {N ? "a.hex" : "b.hex"}
            one.isPattern = true;
            one.isRead = false;
            add(std::move(one));
        }
    }

    void add(NamedFile file) {
        if (file.isPattern && !saysSomething(file.name)) return;
        found_.push_back(std::move(file));
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string_view last_;  ///< the word just before
    std::vector<Bracket> open_;
    std::vector<NamedFile> found_;
};

/// PlainWords without comments and strings.
class PlainWords {
public:
    explicit PlainWords(std::string_view text) : text_(text) {}

    /// Empty at the end.
    std::string_view next() {
        while (at_ < text_.size()) {
            const std::string_view rest = text_.substr(at_);
            if (rest.starts_with("//")) {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (rest.starts_with("/*")) {
                const std::size_t end = text_.find("*/", at_);
                at_ = end == std::string_view::npos ? text_.size() : end + 2;
            } else if (rest[0] == '"') {
                for (++at_; at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n'; ++at_)
                    if (text_[at_] == '\\') ++at_;
                ++at_;
            } else if (isOfWord(rest[0])) {
                const std::size_t begin = at_;
                while (at_ < text_.size() && isOfWord(text_[at_]))
                    ++at_;
                return text_.substr(begin, at_ - begin);
            } else {
                ++at_;
            }
        }
        return {};
    }

private:
    std::string_view text_;
    std::size_t at_ = 0;
};

/// The names behind any of these words.
std::set<std::string> namesAfter(std::string_view verilog,
                                 std::initializer_list<std::string_view> declaring) {
    std::set<std::string> names;
    PlainWords words(verilog);
    for (std::string_view word = words.next(); !word.empty();) {
        const bool declares = std::ranges::find(declaring, word) != declaring.end();
        word = words.next();
        if (!declares) continue;
        if (word == "automatic" || word == "static") word = words.next();
        if (!word.empty()) names.emplace(word);
    }
    return names;
}

}  // namespace

std::vector<NamedFile> namedFiles(std::string_view verilog) { return NameWalk(verilog).run(); }

std::optional<fs::path> findNamedFile(const fs::path& name, const fs::path& folder,
                                      const std::vector<std::string>& includeFolders) {
    std::vector<fs::path> folders{folder};
    folders.insert(folders.end(), includeFolders.begin(), includeFolders.end());
    folders.emplace_back();
    for (const fs::path& each : folders) {
        std::error_code error;
        if (fs::path path = each / name; fs::is_regular_file(path, error)) return path;
    }
    return std::nullopt;
}

std::set<std::string> declaredNames(std::string_view verilog) {
    return namesAfter(verilog,
                      {"module", "macromodule", "interface", "package", "program", "primitive"});
}

std::set<std::string> declaredPackages(std::string_view verilog) {
    return namesAfter(verilog, {"package"});
}

bool fitsPattern(std::string_view text, std::string_view pattern) {
    std::size_t t = 0, p = 0, star = std::string_view::npos, mark = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            mark = t;
        } else if (p < pattern.size() && pattern[p] == text[t]) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++mark;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace smec::driver
