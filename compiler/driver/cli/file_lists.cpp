#include "driver/cli/file_lists.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "driver/compile/verilog_input.h"
#include "driver/system/files.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kDeepest = 100;  // lists in lists

struct Word {
    std::string text;
    std::size_t line;
};

bool isBlank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

bool isOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The words of a list, without comments and quotes.
class Words {
public:
    Words(std::string name, std::string_view text) : name_(std::move(name)), text_(text) {}

    std::vector<Word> all() {
        while (skipComments())
            words_.push_back({word(), line_});
        return std::move(words_);
    }

    [[noreturn]] void fail(std::size_t line, const std::string& what) const {
        throw BadFileList{fmt::format("{}:{}: {}", name_, line, what)};
    }

private:
    /// Returns whether a word follows.
    bool skipComments() {
        for (; at_ < text_.size(); ++at_) {
            const std::string_view rest = text_.substr(at_);
            if (rest[0] == '\n') ++line_;
            if (isBlank(rest[0])) continue;
            if (rest.starts_with("//") || rest[0] == '#') {
                at_ = std::min(text_.find('\n', at_), text_.size()) - 1;
            } else if (rest.starts_with("/*")) {
                const std::size_t end = rest.find("*/", 2);
                if (end == std::string_view::npos) fail(line_, "the comment has no end");
                line_ += static_cast<std::size_t>(std::ranges::count(rest.substr(0, end), '\n'));
                at_ += end + 1;
            } else {
                return true;
            }
        }
        return false;
    }

    std::string word() {
        std::string word;
        char quote = 0;
        for (; at_ < text_.size() && (quote || !isBlank(text_[at_])); ++at_) {
            const char c = text_[at_];
            if (quote && c == '\n') break;
            if (c == quote)
                quote = 0;
            else if (!quote && (c == '"' || c == '\''))
                quote = c;
            else if (c == '$')
                word += variable();
            else
                word += c;
        }
        if (quote) fail(line_, "the quotes have no end");
        return word;
    }

    /// At its `$`; stays at its last character.
    std::string variable() {
        const std::size_t begin = at_ + 1;
        const char open = begin < text_.size() ? text_[begin] : ' ';
        const bool isBraced = open == '{' || open == '(';
        const std::size_t first = begin + (isBraced ? 1 : 0);
        std::size_t end = first;
        while (end < text_.size() && isOfName(text_[end]))
            ++end;
        const std::string name(text_.substr(first, end - first));
        const char* value = std::getenv(name.c_str());
        if (name.empty()) fail(line_, "'$' is without the name of a variable");
        if (!value) fail(line_, fmt::format("the environment has no variable '{}'", name));
        if (isBraced && (end == text_.size() || text_[end] != (open == '{' ? '}' : ')')))
            fail(line_, fmt::format("'${}{}' has no end", open, name));
        at_ = isBraced ? end : end - 1;
        return value;
    }

    std::string name_;
    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
    std::vector<Word> words_;
};

/// An option whose value stands in its own word or in the next one, and ours for it.
struct Known {
    std::string_view name;
    std::string_view ours;  ///< empty: the value is a file
    bool isPath;
};
constexpr Known kKnown[] = {
    {"-I", "--include", true},
    {"-D", "--define", false},
    {"-G", "--parameter", false},
    {"-y", "--library", true},
    {"-v", "", true},
    {"--top-module", "--top", false},
    {"--top", "--top", false},
    {"-top-module", "--top", false},
    {"-s", "--top", false},
};

/// About how another simulator is built or warns, or what we see by the ends of names.
bool meansNothing(std::string_view word) {
    for (const std::string_view beginning : {"-W", "-g20", "-g19", "+timescale+", "--timescale"})
        if (word.starts_with(beginning)) return true;
    return word == "-sv" || word == "--sv" || word == "-w" || word.ends_with(".vlt");
}

std::vector<std::string> parts(std::string_view text) {
    std::vector<std::string> list;
    while (!text.empty()) {
        const std::size_t plus = text.find('+');
        if (plus != 0) list.emplace_back(text.substr(0, plus));
        text.remove_prefix(plus == std::string_view::npos ? text.size() : plus + 1);
    }
    return list;
}

class Expansion {
public:
    explicit Expansion(std::vector<std::string>& result) : result_(result) {}

    void read(const std::string& file, bool isRelative, std::size_t depth) {
        const std::optional<std::string> text = readFile(file);
        if (!text) throw BadFileList{fmt::format("cannot read the list of files '{}'", file)};
        if (depth == kDeepest)
            throw BadFileList{
                fmt::format("'{}' is one of {} lists that read one another", file, kDeepest)};
        Words words(file, *text);
        words_ = &words;
        folder_ = isRelative ? fs::path(file).parent_path() : fs::path();
        const std::vector<Word> list = words.all();
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (list[i].text != "-f" && list[i].text != "-F") {
                add(list, i);
                continue;
            }
            const std::string& inner = valueAfter(list, i);
            Expansion(result_).read(path(inner), list[i - 1].text == "-F", depth + 1);
        }
    }

private:
    const std::string& valueAfter(const std::vector<Word>& list, std::size_t& i) const {
        if (i + 1 == list.size())
            words_->fail(list[i].line, fmt::format("'{}' has no value", list[i].text));
        return list[++i].text;
    }

    void add(const std::vector<Word>& list, std::size_t& i) {
        const Word& word = list[i];
        if (meansNothing(word.text)) {
            if (word.text == "--timescale") valueAfter(list, i);
        } else if (word.text.starts_with("+")) {
            addPlus(word);
        } else if (!addKnown(list, i)) {
            if (!isVerilogFile(word.text)) failAt(word);
            result_.push_back(path(word.text));
        }
    }

    void addPlus(const Word& word) {
        const std::string_view text = word.text;
        const std::size_t end = std::min(text.find('+', 1), text.size());
        const std::string_view name = text.substr(0, end);
        const std::vector<std::string> values = parts(text.substr(end));
        for (const std::string& value : values) {
            if (name == "+incdir")
                addOption("--include", path(value));
            else if (name == "+define")
                addOption("--define", value);
            else if (name != "+libext" || !isVerilogFile("x" + value))
                failAt(word);
        }
        if (values.empty()) failAt(word);
    }

    bool addKnown(const std::vector<Word>& list, std::size_t& i) {
        const std::string& text = list[i].text;
        for (const Known& known : kKnown) {
            const bool isApart = text == known.name;
            if (!isApart && (known.name.size() != 2 || !text.starts_with(known.name))) continue;
            std::string value = isApart ? valueAfter(list, i) : text.substr(2);
            if (known.isPath) value = path(value);
            known.ours.empty() ? result_.push_back(value) : addOption(known.ours, value);
            return true;
        }
        return false;
    }

    /// As one word, which is no other option whatever the value begins with.
    void addOption(std::string_view name, const std::string& value) {
        result_.push_back(fmt::format("{}={}", name, value));
    }

    /// Not to be taken for an option of smec's, which could name a program.
    std::string path(const std::string& name) const {
        const std::string path = (folder_ / name).string();
        return path.starts_with('-') ? "./" + path : path;
    }

    [[noreturn]] void failAt(const Word& word) const {
        const bool isOption = word.text.starts_with("-") || word.text.starts_with("+");
        words_->fail(word.line,
                     isOption
                         ? fmt::format("'{}' is no option that lists may have; known are +incdir+, "
                                       "+define+, -I, -D, -G, -y, -v, --top-module, -f and -F",
                                       word.text)
                         : fmt::format("'{}' does not end in .v or .sv", word.text));
    }

    std::vector<std::string>& result_;
    const Words* words_ = nullptr;
    fs::path folder_;
};

}  // namespace

std::vector<std::string> withFileLists(const std::vector<std::string>& arguments) {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& word = arguments[i];
        if (word != "-f" && word != "-F") {
            result.push_back(word);
            continue;
        }
        if (i + 1 == arguments.size())
            throw BadFileList{fmt::format("{} takes a list of files", word)};
        Expansion(result).read(arguments[++i], word == "-F", 0);
    }
    return result;
}

}  // namespace smec::driver
