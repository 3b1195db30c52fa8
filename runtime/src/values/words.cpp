#include "values/words.h"

#include <cstdio>

namespace sme {
namespace {

constexpr std::size_t kLongestWord = 60;

bool isControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

}  // namespace

std::string onOneLine(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (!isControl(c)) {
            result.push_back(c);
            continue;
        }
        char escape[8];
        std::snprintf(escape, sizeof escape, c == '\n' ? "\\n" : "\\x%02x",
                      static_cast<unsigned char>(c));
        result.append(escape);
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

}  // namespace sme
