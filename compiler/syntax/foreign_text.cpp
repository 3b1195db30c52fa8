#include "syntax/foreign_text.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "syntax/foreign_types.h"
#include "syntax/names.h"
#include "syntax/text.h"

namespace smec::syntax {

namespace {

using Hint = std::pair<std::string_view, std::string_view>;

constexpr std::array<Hint, 21> kSystemTasks = {{
    {"display", "write 'trace(\"n={}\", n);'"},
    {"write", "write 'trace(\"n={}\", n);'"},
    {"monitor", "write 'trace(\"n={}\", n);'"},
    {"strobe", "write 'trace(\"n={}\", n);'"},
    {"info", "write 'trace(\"n={}\", n);'"},
    {"warning", "write 'trace(\"n={}\", n);'"},
    {"error", "write 'assert(c, \"text\");'"},
    {"fatal", "write 'assert(c, \"text\");'"},
    {"finish", "'stop;' ends the run"},
    {"stop", "'stop;' ends the run"},
    {"exit", "'stop;' ends the run"},
    {"signed", "write a cast, as in 'i8(x)'"},
    {"unsigned", "write a cast, as in 'u8(x)'"},
    {"clog2", "write 'clog2'"},
    {"random", "write 'random()' in a 'sim proc'"},
    {"urandom", "write 'random()' in a 'sim proc'"},
    {"readmemh", "write '= file(\"NAME.hex\")' after the declaration of the memory"},
    {"readmemb", "write '= file(\"NAME.hex\")' after the declaration of the memory"},
    {"time", "write 'cycle()'"},
    {"bits", "the width of a type is written in its name"},
    {"countones", "write 'popcount'"},
}};

bool isWordChar(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool isIn(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

std::size_t endOfWord(std::string_view text, std::size_t at) {
    while (at < text.size() && isWordChar(text[at]))
        ++at;
    return at;
}

std::size_t endOfLine(std::string_view text, std::size_t at) {
    return std::min(text.find('\n', at), text.size());
}

ForeignText asForeign(std::string_view text, std::size_t begin, std::size_t end,
                      std::string_view hint, bool isValue = false) {
    return {
        begin, end,
        fmt::format("the language has no '{}'; {}", clip(text.substr(begin, end - begin)), hint),
        isValue};
}

/// After the `)` that closes the one at `open`, on the same line.
std::size_t afterParentheses(std::string_view text, std::size_t open) {
    const std::size_t line = endOfLine(text, open);
    int depth = 0;
    for (std::size_t at = open; at < line; ++at) {
        if (text[at] == '(') ++depth;
        if (text[at] == ')' && --depth == 0) return at + 1;
    }
    return open + 1;
}

bool isFirstOfLine(std::string_view text, std::size_t at) {
    while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t'))
        --at;
    return at == 0 || text[at - 1] == '\n';
}

/// 8'hff, 'b01, '0, and the quote of a cast.
std::optional<ForeignText> quote(std::string_view text, std::size_t at, std::size_t before) {
    std::size_t i = at + 1;
    if (i < text.size() && text[i] == '(' && before < at)
        return asForeign(
            text, before, at + 1,
            fmt::format("a cast is '{}(...)'", clip(text.substr(before, at - before))));
    if (i + 1 < text.size() && isIn(text[i], "sS")) ++i;
    const bool isBased = i + 1 < text.size() && isIn(text[i], "hHdDbBoO")
                         && isIn(text[i + 1], "0123456789abcdefABCDEFxXzZ?_");
    const std::size_t end = endOfWord(text, i);
    const bool isClosed = end < text.size() && text[end] == '\'';
    if (isBased && !isClosed) {
        const std::string_view digits = text.substr(i + 1, end - i - 1);
        if (digits.find_first_of("xXzZ?") != std::string_view::npos && !isIn(text[i], "hH"))
            return asForeign(text, before, end, "an undefined value is ''U'", true);
        const std::string_view prefix = isIn(text[i], "hH")   ? "0x"
                                        : isIn(text[i], "bB") ? "0b"
                                        : isIn(text[i], "oO") ? "0o"
                                                              : "";
        if (digits.size() == 1 && isIn(digits[0], "01"))
            return asForeign(text, before, end,
                             fmt::format("write '{}', or '{}' for a bool", digits,
                                         digits == "0" ? "false" : "true"),
                             true);
        return asForeign(text, before, end, fmt::format("write '{}{}'", prefix, clip(digits)),
                         true);
    }
    const std::string_view attribute = text.substr(i, end - i);
    if (before < at && (attribute == "length" || attribute == "range" || attribute == "high"))
        return asForeign(text, before, end,
                         fmt::format("write 'len({})'", clip(text.substr(before, at - before))),
                         true);
    if (end == at + 2 && !isClosed && isIn(text[at + 1], "01xXzZ"))
        return asForeign(text, at, end,
                         text[at + 1] == '0'   ? "write '0'"
                         : text[at + 1] == '1' ? "write '~0' for all ones"
                                               : "an undefined value is ''U'",
                         true);
    return std::nullopt;
}

/// #define, #include, # comment, #10, 16#ff#
std::optional<ForeignText> hash(std::string_view text, std::size_t at, std::size_t before) {
    const std::size_t end = endOfWord(text, at + 1);
    const std::string_view word = text.substr(at + 1, end - at - 1);
    if (before < at && end < text.size() && text[end] == '#') {
        const std::string_view base = text.substr(before, at - before);
        const std::string_view prefix = base == "16" ? "0x" : base == "2" ? "0b" : "";
        return asForeign(text, before, end + 1, fmt::format("write '{}{}'", prefix, clip(word)),
                         true);
    }
    if (word == "define")
        return ForeignText{at, endOfLine(text, at),
                           "the language has no '#define'; write 'const "
                           "NAME: uint = 3;'"};
    if (word == "include")
        return ForeignText{at, endOfLine(text, at),
                           "the language has no '#include'; write 'import "
                           "NAME;'"};
    if (!word.empty() && word[0] >= '0' && word[0] <= '9')
        return asForeign(text, at, end, fmt::format("'wait {};' waits for cycles", clip(word)));
    if (end < text.size() && text[end] == '(') {
        return asForeign(
            text, at, afterParentheses(text, end),
            "constants are named among the arguments: 'instance a of NAME(b, c, n: 3);'");
    }
    if (isFirstOfLine(text, at) || (word.empty() && end < text.size() && text[end] == ' '))
        return ForeignText{at, endOfLine(text, at),
                           word.empty() ? "a comment starts with '//'"
                                        : "the language has no lines for a preprocessor; 'const', "
                                          "'import' and 'generate if' take their place"};
    return std::nullopt;
}

std::optional<ForeignText> dollar(std::string_view text, std::size_t at) {
    const std::size_t end = endOfWord(text, at + 1);
    const std::string_view word = text.substr(at + 1, end - at - 1);
    if (word.empty()) return std::nullopt;
    const auto found = std::find_if(kSystemTasks.begin(), kSystemTasks.end(),
                                    [&](const Hint& each) { return each.first == word; });
    return asForeign(text, at, end,
                     found == kSystemTasks.end() ? "no name starts with '$'" : found->second);
}

/// `define and `NAME
std::optional<ForeignText> backtick(std::string_view text, std::size_t at) {
    const std::size_t end = endOfWord(text, at + 1);
    if (end == at + 1) return std::nullopt;
    const std::string_view word = text.substr(at + 1, end - at - 1);
    if (isFirstOfLine(text, at)) {
        ForeignText found = asForeign(text, at, end,
                                      "'const', 'import' and 'generate if' take the place "
                                      "of a preprocessor");
        found.end = endOfLine(text, at);
        return found;
    }
    return asForeign(text, at, end, fmt::format("a constant is used by its name, '{}'", clip(word)),
                     true);
}

/// @(posedge clk), @*
std::optional<ForeignText> event(std::string_view text, std::size_t at) {
    std::size_t i = at + 1;
    while (i < text.size() && text[i] == ' ')
        ++i;
    std::size_t end = at + 1;
    if (i < text.size() && text[i] == '*') end = i + 1;
    if (i < text.size() && text[i] == '(') end = std::min(text.find(')', i), text.size() - 1) + 1;
    if (end == at + 1) return std::nullopt;
    return asForeign(
        text, at, std::min(end, endOfLine(text, at)),
        "the body of a 'proc' runs once in every cycle, that of an 'async proc' whenever its "
        "inputs change");
}

}  // namespace

std::optional<ForeignText> foreignText(std::string_view text, std::size_t at, std::size_t before) {
    switch (text[at]) {
    case '\'': return quote(text, at, before);
    case '#': return hash(text, at, before);
    case '$': return dollar(text, at);
    case '`': return backtick(text, at);
    case '@': return event(text, at);
    default: return std::nullopt;
    }
}

std::string numberHint(std::string_view number) {
    const bool isHex = number.starts_with("0x") || number.starts_with("0X");
    const bool isUpperPrefix =
        number.size() > 2 && number[0] == '0' && isIn(number[1], "XBO") && clip(number) == number;
    if (isUpperPrefix && number.find_first_not_of("0123456789abcdefABCDEF_", 2) == number.npos)
        return fmt::format("; write '0{}{}'",
                           number[1] == 'X'   ? 'x'
                           : number[1] == 'B' ? 'b'
                                              : 'o',
                           number.substr(2));
    std::size_t end = isHex ? 2 : 0;
    while (end < number.size()
           && (isHex ? isIn(number[end], "0123456789abcdefABCDEF_")
                     : isIn(number[end], "0123456789_")))
        ++end;
    const std::string_view digits = number.substr(0, end);
    const std::string_view suffix = number.substr(end);
    if (digits.empty() || suffix.empty() || clip(number) != number) return {};
    if (suffix.find_first_not_of("uUlL") == std::string_view::npos)
        return fmt::format("; a number has no suffix: write '{}'", digits);
    if (isTypeName(suffix)) return fmt::format("; write '{}({})'", suffix, digits);
    for (const std::string_view unit : {"ns", "ps", "us", "ms", "s"})
        if (suffix == unit) return "; time is counted in cycles";
    return {};
}

}  // namespace smec::syntax
