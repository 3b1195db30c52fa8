#include "source/one_line.h"

#include <algorithm>

#include "source/utf8.h"

namespace smec {

namespace {

constexpr std::size_t kLongestWord = 60;

bool isControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

void appendEscape(std::string& text, char c) {
    constexpr std::string_view digits = "0123456789abcdef";
    if (c == '\n') {
        text += "\\n";
    } else {
        const auto byte = static_cast<unsigned char>(c);
        text += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    }
}

}  // namespace

std::string onOneLine(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = characterLength(text, at);
        if (length == 0 || isControl(text[at]))
            appendEscape(result, text[at]);
        else
            result += text.substr(at, length);
        at += std::max<std::size_t>(length, 1);
    }
    return result;
}

std::string quotedWord(std::string_view word) {
    std::size_t end = 0;
    while (end < word.size() && end < kLongestWord && !isControl(word[end])
           && static_cast<unsigned char>(word[end]) < 0x80)
        ++end;
    return "'" + std::string(word.substr(0, end)) + (end < word.size() ? "...'" : "'");
}

}  // namespace smec
