#include "syntax/literals.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

namespace smec::syntax {

namespace {

std::string withoutUnderscores(std::string_view text) {
    std::string out(text);
    std::erase(out, '_');
    return out;
}

unsigned char digitValue(char c) {
    if (c >= 'a') return static_cast<unsigned char>(c - 'a' + 10);
    if (c >= 'A') return static_cast<unsigned char>(c - 'A' + 10);
    return static_cast<unsigned char>(c - '0');
}

// Digits of 1, 3 or 4 bits, most significant first.
ast::Integer fromBitGroups(std::string_view digits, unsigned bits) {
    std::vector<unsigned char> values(digits.size());
    std::transform(digits.begin(), digits.end(), values.begin(), digitValue);
    ast::Integer out;
    boost::multiprecision::import_bits(out, values.begin(), values.end(), bits);
    return out;
}

std::size_t bitsOfPrefix(std::string_view text) {
    if (text.size() < 2 || text[0] != '0') return 0;
    switch (text[1]) {
    case 'x': return 4;
    case 'o': return 3;
    case 'b': return 1;
    default: return 0;
    }
}

bool tooWide(const ast::Integer& value) {
    return !value.is_zero() && boost::multiprecision::msb(value) >= kMaxIntegerBits;
}

// The power of ten of the first digit that is not zero: 123.4 -> 2, 0.05e-3 -> -5.
long long decimalExponent(std::string_view text) {
    std::size_t e = std::min(text.find_first_of("eE"), text.size());
    long long exponent = 0;
    if (e < text.size()) {
        std::string_view digits = text.substr(e + 1);
        if (digits.starts_with('+')) digits.remove_prefix(1);
        auto result = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
        if (result.ec != std::errc())
            exponent = digits.starts_with('-') ? -1'000'000'000 : 1'000'000'000;
    }
    std::string_view mantissa = text.substr(0, e);
    auto dot = static_cast<long long>(std::min(mantissa.find('.'), mantissa.size()));
    auto first =
        static_cast<long long>(std::min(mantissa.find_first_of("123456789"), mantissa.size()));
    return exponent + (first < dot ? dot - first - 1 : dot - first);
}

}  // namespace

std::optional<ast::Integer> parseInteger(std::string_view text) {
    std::string digits = withoutUnderscores(text);
    auto bits = static_cast<unsigned>(bitsOfPrefix(digits));
    if (bits != 0) digits.erase(0, 2);
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));

    std::uint64_t small = 0;
    int base = bits == 0 ? 10 : 1 << bits;
    auto result = std::from_chars(digits.data(), digits.data() + digits.size(), small, base);
    if (result.ec == std::errc()) return ast::Integer(small);

    constexpr std::size_t kBitsPerDecimalDigit = 3;  // rounded down: refuses nothing that fits
    if (digits.size() > kMaxIntegerBits / (bits == 0 ? kBitsPerDecimalDigit : bits) + 1)
        return std::nullopt;
    ast::Integer value = bits == 0 ? ast::Integer(digits) : fromBitGroups(digits, bits);
    if (tooWide(value)) return std::nullopt;
    return value;
}

std::optional<double> parseFloat(std::string_view text) {
    std::string digits = withoutUnderscores(text);
    double value = 0;
    auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (result.ec == std::errc::result_out_of_range) {
        if (decimalExponent(digits) > 0) return std::nullopt;
        return 0.0;
    }
    if (std::isinf(value)) return std::nullopt;
    return value;
}

namespace {

/// What `\n` and the like stand for; `quote` is the one that surrounds them.
std::optional<char> escaped(char c, char quote) {
    switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case '"':
    case '\\': return c;
    default: return c == quote ? std::optional(c) : std::nullopt;
    }
}

ParsedString parseQuoted(std::string_view text, char quote) {
    ParsedString out;
    bool closed = text.size() >= 2 && text.back() == quote;
    std::size_t end = closed ? text.size() - 1 : text.size();
    for (std::size_t at = 1; at < end; ++at) {
        if (text[at] != '\\' || at + 1 >= end) {
            out.value += text[at];
            continue;
        }
        if (const auto c = escaped(text[at + 1], quote)) {
            out.value += *c;
        } else {
            if (!out.badEscape) out.badEscape = at;
            out.value += text.substr(at, 2);
        }
        ++at;
    }
    return out;
}

}  // namespace

ParsedString parseString(std::string_view text) { return parseQuoted(text, '"'); }
ParsedString parseCharacter(std::string_view text) { return parseQuoted(text, '\''); }

}  // namespace smec::syntax
