#include "formats/scalar_text.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <vector>

namespace sme {
namespace {

__extension__ using Wide = unsigned __int128;

/// Pads what `out` holds from `start` on to the width; zeros go after the sign.
void pad(std::string& out, std::size_t start, const FormatSpec& spec) {
    const std::size_t length = out.size() - start;
    const std::size_t width = std::min(spec.width, kMostWidth);
    if (length >= width) return;
    const bool afterSign = spec.zero && length > 0 && out[start] == '-';
    out.insert(start + (afterSign ? 1 : 0), width - length, spec.zero ? '0' : ' ');
}

std::uint32_t usedLimbs(const std::uint64_t* limbs, std::uint32_t count) {
    while (count > 0 && limbs[count - 1] == 0)
        --count;
    return count;
}

/// Decimal digits of an unsigned number; destroys it.
void appendMagnitude(std::string& out, std::uint64_t* limbs, std::uint32_t count) {
    constexpr std::uint64_t kBase = 10'000'000'000'000'000'000u;  // 19 digits at a time
    std::vector<std::uint64_t> parts;
    while ((count = usedLimbs(limbs, count)) > 1) {
        std::uint64_t rest = 0;
        for (std::uint32_t i = count; i-- > 0;) {
            const Wide dividend = (Wide{rest} << 64) | limbs[i];
            limbs[i] = static_cast<std::uint64_t>(dividend / kBase);
            rest = static_cast<std::uint64_t>(dividend % kBase);
        }
        parts.push_back(rest);
    }
    appendUnsigned(out, count == 0 ? 0 : limbs[0]);
    for (std::size_t i = parts.size(); i-- > 0;) {
        char digits[20];
        const auto end = std::to_chars(digits, digits + sizeof digits, parts[i]).ptr;
        out.append(19 - static_cast<std::size_t>(end - digits), '0').append(digits, end);
    }
}

void appendDecimal(std::string& out, const std::uint64_t* limbs, std::uint32_t count,
                   bool isSigned) {
    const bool negative = isSigned && (limbs[count - 1] >> 63) != 0;
    bool small = true;  // the upper limbs are copies of the sign
    for (std::uint32_t i = 1; i < count; ++i)
        small &= limbs[i] == (negative ? ~std::uint64_t{0} : 0);
    if (small && negative == (isSigned && (limbs[0] >> 63) != 0)) {
        const std::uint64_t magnitude = negative ? ~limbs[0] + 1 : limbs[0];
        if (negative) out.push_back('-');
        return appendUnsigned(out, magnitude);
    }
    std::vector<std::uint64_t> copy(limbs, limbs + count);
    if (negative) {
        out.push_back('-');
        bool carry = true;
        for (std::uint64_t& limb : copy) {
            limb = ~limb + (carry ? 1 : 0);
            carry = carry && limb == 0;
        }
    }
    appendMagnitude(out, copy.data(), count);
}

/// Bits of the smallest two's complement that holds a negative number.
std::uint32_t bitsOfNegative(const std::uint64_t* limbs, std::uint32_t count) {
    while (count > 0 && ~limbs[count - 1] == 0)
        --count;
    if (count == 0) return 1;
    const auto signs = static_cast<std::uint32_t>(std::countl_one(limbs[count - 1]));
    return count * 64 - signs + 1;
}

/// Hexadecimal or binary digits without leading zeros; of a negative number modulo 2^bits, or of as
/// many bits as it needs.
void appendRadix(std::string& out, const std::uint64_t* limbs, std::uint32_t count, bool isSigned,
                 std::uint32_t bits, unsigned digitBits) {
    const bool isNegative = isSigned && (limbs[count - 1] >> 63) != 0;
    const std::uint64_t above = isNegative ? ~std::uint64_t{0} : 0;
    bits = isNegative && bits != 0 ? std::max(bits, bitsOfNegative(limbs, count)) : count * 64;
    bool any = false;
    for (std::uint32_t digit = (bits + digitBits - 1) / digitBits; digit-- > 0;) {
        const std::uint32_t bit =
            digit * digitBits;  // 64 is a multiple of 4 and of 1: a digit lies in one limb
        std::uint64_t value = (bit / 64 < count ? limbs[bit / 64] : above) >> (bit % 64);
        const std::uint32_t kept = std::min<std::uint32_t>(digitBits, bits - bit);
        value &= (std::uint64_t{1} << kept) - 1;
        any |= value != 0;
        if (any || digit == 0) out.push_back("0123456789abcdef"[value]);
    }
}

template <typename Float>
void appendShortest(std::string& out, Float value, const FormatSpec& spec) {
    const std::size_t start = out.size();
    if (std::isnan(value)) {
        out.append("nan");
    } else if (std::isinf(value)) {
        out.append(value < 0 ? "-inf" : "inf");
    } else {
        char digits[64];
        const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
        out.append(digits, end);
        if (std::find_if(digits, end, [](char c) { return c == '.' || c == 'e'; }) == end)
            out.append(".0");
    }
    pad(out, start, spec);
}

/// By the name of its member, whatever the placeholder asks of numbers.
void appendEnum(std::string& out, const Type& type, const std::byte* at) {
    if (const EnumMember* member = memberOf(type, at))
        out.append(member->name);
    else
        appendStoredInteger(out, type, at, type.width, {});
}

void appendBool(std::string& out, bool value) { out.append(value ? "true" : "false"); }

}  // namespace

void appendUnsigned(std::string& out, std::uint64_t value) {
    char digits[20];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void appendInteger(std::string& out, const std::uint64_t* limbs, std::uint32_t count, bool isSigned,
                   std::uint32_t bits, const FormatSpec& spec) {
    const std::size_t start = out.size();
    if (spec.radix == 'x' || spec.radix == 'b') {
        appendRadix(out, limbs, count, isSigned, bits, spec.radix == 'x' ? 4 : 1);
    } else if (spec.radix == 'c') {
        return out.push_back(static_cast<char>(limbs[0] & 0xff));
    } else {
        appendDecimal(out, limbs, count, isSigned);
    }
    pad(out, start, spec);
}

void appendFloat(std::string& out, float value, const FormatSpec& spec) {
    appendShortest(out, value, spec);
}
void appendFloat(std::string& out, double value, const FormatSpec& spec) {
    appendShortest(out, value, spec);
}

void appendStoredInteger(std::string& out, const Type& type, const std::byte* at,
                         std::uint32_t bits, const FormatSpec& spec) {
    const bool isSigned = isSignedNumber(type);
    if (type.bytes <= 8) {
        std::uint64_t value = loadRaw(at, type.bytes);
        if (isSigned) value = signExtend(value, type.bytes * 8);
        return appendInteger(out, &value, 1, isSigned, bits, spec);
    }
    std::vector<std::uint64_t> limbs(type.bytes / 8);
    std::memcpy(limbs.data(), at, type.bytes);
    appendInteger(out, limbs.data(), type.bytes / 8, isSigned, bits, spec);
}

void appendScalar(std::string& out, const Type& type, const std::byte* at, const FormatSpec& spec) {
    switch (type.kind) {
    case Kind::Bool: return appendBool(out, *at != std::byte{0});
    case Kind::Unsigned:
    case Kind::Signed: return appendStoredInteger(out, type, at, type.width, spec);
    case Kind::Enum: return appendEnum(out, type, at);
    case Kind::F32: {
        float value;
        std::memcpy(&value, at, sizeof value);
        return appendFloat(out, value, spec);
    }
    case Kind::F64: {
        double value;
        std::memcpy(&value, at, sizeof value);
        return appendFloat(out, value, spec);
    }
    case Kind::Array:
    case Kind::Struct: return;
    }
}

}  // namespace sme
