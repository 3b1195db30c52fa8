#include "formats/number_text.h"

#include <algorithm>

namespace sme {
namespace {

__extension__ using Wide = unsigned __int128;

unsigned radixOf(std::string_view text) {
    if (text.size() < 2 || text[0] != '0') return 10;
    switch (text[1]) {
    case 'x': return 16;
    case 'o': return 8;
    case 'b': return 2;
    default: return 10;
    }
}

unsigned digitOf(char c) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
    if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
    return 16;
}

/// Digits, with single `_` between them.
bool areDigits(std::string_view text, unsigned radix) {
    bool isAfterDigit = false;
    for (const char c : text) {
        if (c == '_' ? !isAfterDigit : digitOf(c) >= radix) return false;
        isAfterDigit = c != '_';
    }
    return isAfterDigit;
}

/// False: it does not go into the limbs, of which not all letters need be looked at then.
bool addDigit(std::span<std::uint64_t> limbs, std::size_t& used, unsigned radix, unsigned digit) {
    std::uint64_t carry = digit;
    for (std::size_t i = 0; i < used; ++i) {
        const Wide product = Wide{limbs[i]} * radix + carry;
        limbs[i] = static_cast<std::uint64_t>(product);
        carry = static_cast<std::uint64_t>(product >> 64);
    }
    if (carry == 0) return true;
    if (used == limbs.size()) return false;
    limbs[used++] = carry;
    return true;
}

void negate(std::span<std::uint64_t> limbs) {
    bool carry = true;
    for (std::uint64_t& limb : limbs) {
        limb = ~limb + (carry ? 1 : 0);
        carry = carry && limb == 0;
    }
}

}  // namespace

NumberRead readNumber(std::string_view text, std::span<std::uint64_t> limbs) {
    const bool isNegative = text.starts_with('-');
    if (isNegative) text.remove_prefix(1);
    const unsigned radix = radixOf(text);
    if (radix != 10) text.remove_prefix(2);
    if (!areDigits(text, radix)) return NumberRead::NoNumber;
    std::ranges::fill(limbs, 0);
    std::size_t used = 0;
    for (const char c : text)
        if (c != '_' && !addDigit(limbs, used, radix, digitOf(c))) return NumberRead::TooLong;
    if (limbs.back() >> 63 != 0) return NumberRead::TooLong;
    if (isNegative) negate(limbs);
    return NumberRead::Good;
}

NumberRead readNumberOrBool(std::string_view text, std::span<std::uint64_t> limbs) {
    if (text != "true" && text != "false") return readNumber(text, limbs);
    std::ranges::fill(limbs, 0);
    limbs.front() = text == "true" ? 1 : 0;
    return NumberRead::Good;
}

}  // namespace sme
