#include "codegen/cpp/print/text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace smec::codegen::cpp {
namespace {

// clang-format off
/// Keywords of C++20.
constexpr auto kKeywords = std::to_array<std::string_view>({
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break",
    "case", "catch", "char", "char16_t", "char32_t", "char8_t", "class", "co_await",
    "co_return", "co_yield", "compl", "concept", "const", "const_cast", "consteval",
    "constexpr", "constinit", "continue", "decltype", "default", "delete", "do", "double",
    "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for",
    "friend", "goto", "if", "inline", "int", "long", "mutable", "namespace", "new", "noexcept",
    "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private", "protected", "public",
    "register", "reinterpret_cast", "requires", "return", "short", "signed", "sizeof", "static",
    "static_assert", "static_cast", "struct", "switch", "template", "this", "thread_local",
    "throw", "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using",
    "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
});
/// Names that generated code uses itself.
constexpr auto kOwnNames = std::to_array<std::string_view>({
    "begin", "classes", "constants", "contents", "count", "data", "end", "first",
    "functions", "i", "instance", "isUnobserved", "main", "model", "read", "result", "rounds", "row", "skip",
    "slots", "sme", "state", "std", "stop", "tables", "thread", "words", "write",
});
// clang-format on

static_assert(std::is_sorted(kKeywords.begin(), kKeywords.end()));
static_assert(std::is_sorted(kOwnNames.begin(), kOwnNames.end()));

bool isKeyword(std::string_view name) {
    return std::binary_search(kKeywords.begin(), kKeywords.end(), name);
}

bool isReserved(std::string_view name) {
    return isKeyword(name) || std::binary_search(kOwnNames.begin(), kOwnNames.end(), name);
}

/// Names that headers may define as macros.
bool looksLikeMacro(std::string_view name) {
    return std::none_of(name.begin(), name.end(),
                        [](unsigned char c) { return std::islower(c) != 0; });
}

/// u8, i64, f32 …, the typed bases read_u32, write_f64, state_i8, and variables of blocks, write_u8_7.
bool looksLikeWord(std::string_view name) {
    const bool mayBeNumbered = name.starts_with("write_");
    for (const std::string_view prefix : {"read_", "write_", "state_"}) {
        if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
    }
    const bool isTyped = name.size() > 1 && (name[0] == 'u' || name[0] == 'i' || name[0] == 'f');
    return isTyped && std::all_of(name.begin() + 1, name.end(), [&](unsigned char c) {
               return std::isdigit(c) != 0 || (mayBeNumbered && c == '_');
           });
}

/// Characters of a line that are looked at for a place where it can be broken, at first.
constexpr std::size_t kWindow = 1024;

/// Where a line of C++ can be broken.
struct Break {
    std::size_t end = std::string::npos;  ///< of the first part; npos: nowhere
    std::size_t next = 0;                 ///< start of the second one
    bool isInString = false;
};

/// The last place within the columns, or else the first one after them. After commas rather than
/// at other spaces, there rather than inside a string.
class BreakFinder {
public:
    explicit BreakFinder(std::string_view line) : line_(line) {}

    Break find() {
        for (at_ = line_.find_first_not_of(' '), first_ = at_; at_ < line_.size(); ++at_) {
            if (at_ > Writer::kColumns && best().end != std::string::npos) break;
            isString_ ? inString() : outside();
        }
        return best();
    }

private:
    Break best() const {
        if (comma_.end != std::string::npos) return comma_;
        return space_.end != std::string::npos ? space_ : string_;
    }

    void outside() {
        if (line_[at_] == '"') isString_ = true;
        if (line_[at_] != ' ' || at_ == first_) return;
        const std::size_t next = line_.find_first_not_of(' ', at_);
        Break& found = line_[at_ - 1] == ',' ? comma_ : space_;
        if (next != std::string_view::npos) found = {at_, next, false};
        const bool isComment = line_.substr(at_).starts_with("  //");
        at_ = isComment ? line_.size() : next - 1;
    }

    void inString() {
        if (line_[at_] == '"') {
            isString_ = false;
            return;
        }
        if (at_ < Writer::kColumns - 1 && line_[at_ - 1] != '"') string_ = {at_, at_, true};
        if (line_[at_] != '\\') return;
        const bool isOctal = std::isdigit(static_cast<unsigned char>(line_[at_ + 1])) != 0;
        at_ += isOctal ? 3 : 1;
    }

    std::string_view line_;
    std::size_t first_ = 0;
    std::size_t at_ = 0;
    bool isString_ = false;
    Break comma_, space_, string_;
};

/// The last space of a comment within the columns.
Break breakOfComment(std::string_view line, std::size_t text) {
    const std::size_t space = line.rfind(' ', Writer::kColumns);
    if (space == std::string_view::npos || space <= text) return {};
    return {space, space + 1, false};
}

}  // namespace

/// Goes on one step further in; a comment, as another one.
void Writer::breakLine(std::size_t start) {
    const std::string whole = text_.substr(start);
    text_.resize(start);
    const std::string further(static_cast<std::size_t>(depth_) * 4 + 4, ' ');
    std::string prefix;  // of the line that `rest` goes on with
    std::string_view rest =
        whole;  // which may have megabytes, so that only some of it is looked at
    for (std::size_t window = kWindow; prefix.size() + rest.size() > kColumns;) {
        const std::string line = prefix + std::string(rest.substr(0, window));
        const std::size_t code = line.find_first_not_of(' ');
        const bool isComment = std::string_view(line).substr(code).starts_with("// ");
        const Break at = isComment ? breakOfComment(line, code + 2) : BreakFinder(line).find();
        if (at.end == std::string::npos) {
            if (window >= rest.size()) break;
            window *= 2;
            continue;
        }
        text_ += line.substr(0, at.end) + (at.isInString ? "\"\n" : "\n");
        rest.remove_prefix(at.next - prefix.size());
        prefix = isComment       ? std::string(code, ' ') + "// "
                 : at.isInString ? further + "\""
                                 : further;
        window = kWindow;
    }
    text_ += prefix;
    text_ += rest;
}

std::string memberName(const std::string& name) { return isKeyword(name) ? name + "_" : name; }

std::string stringLiteral(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            result += {'\\', c};
        else if (byte < 0x20 || byte >= 0x7f || c == '?')
            result += fmt::format("\\{:03o}", byte);
        else
            result += c;
    }
    return result + '"';
}

std::string comment(std::string_view text) {
    std::string result;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        result += byte < 0x20 || byte == 0x7f || c == '\\' ? '?' : c;
    }
    return result;
}

std::string identifier(std::string_view name) {
    std::string result;
    for (const char c : name) {
        const bool isWord = std::isalnum(static_cast<unsigned char>(c)) != 0;
        if (isWord)
            result += c;
        else if (result.empty() || result.back() != '_')
            result += '_';
    }
    while (result.size() > 1 && result.back() == '_')
        result.pop_back();
    if (result.size() > 80) result.resize(80);
    if (result.empty() || std::isdigit(static_cast<unsigned char>(result.front())) != 0)
        result.insert(0, "v");
    if (result.front() == '_') result.insert(0, "v");
    if (isReserved(result) || looksLikeMacro(result) || looksLikeWord(result)) result += "_v";
    return result;
}

std::string Names::add(std::string_view name) {
    const std::string base = identifier(name);
    if (taken_.insert(base).second) return base;
    std::uint32_t& number = last_[base];
    number = std::max(number, 1U);
    while (true) {
        std::string next = base + "_" + std::to_string(++number);
        if (taken_.insert(next).second) return next;
    }
}

}  // namespace smec::codegen::cpp
