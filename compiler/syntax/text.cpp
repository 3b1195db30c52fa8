#include "syntax/text.h"

#include "source/utf8.h"

namespace smec::syntax {

namespace {
constexpr std::size_t kMaxCharacters = 30;
}

std::string clip(std::string_view text) {
    std::string out;
    std::size_t characters = 0;
    for (std::size_t at = 0; at < text.size();) {
        if (characters++ == kMaxCharacters) return out + "...";
        std::size_t length = characterLength(text, at);
        bool printable =
            length > 1
            || (length == 1 && static_cast<unsigned char>(text[at]) >= 0x20 && text[at] != 0x7F);
        out += printable ? text.substr(at, length) : std::string_view("?");
        at += length == 0 ? 1 : length;
    }
    return out;
}

}  // namespace smec::syntax
