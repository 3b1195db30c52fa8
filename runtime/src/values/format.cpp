#include "values/format.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <vector>

#include "values/value.h"

namespace sme {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint32_t kMostWidth = 100'000;

/// Pads what `out` holds from `start` on to the width; zeros go behind the sign.
void pad(std::string& out, std::size_t start, const FormatSpec& spec) {
    const std::size_t length = out.size() - start;
    const std::size_t width = std::min(spec.width, kMostWidth);
    if (length >= width) return;
    const bool behindSign = spec.zero && length > 0 && out[start] == '-';
    out.insert(start + (behindSign ? 1 : 0), width - length, spec.zero ? '0' : ' ');
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

/// By the name of its member, whatever the placeholder asks of numbers.
void appendEnum(std::string& out, const Type& type, const std::byte* at) {
    if (const EnumMember* member = memberOf(type, at))
        out.append(member->name);
    else
        appendStoredInteger(out, type, at, type.width, {});
}

void appendBool(std::string& out, bool value) { out.append(value ? "true" : "false"); }

void appendArray(std::string& out, const Model& model, const Type& type, const std::byte* at,
                 const FormatSpec& spec) {
    const std::size_t size = model.types[type.element].bytes;
    out.push_back('[');
    for (std::uint32_t i = 0; i < type.count; ++i) {
        if (i > 0) out.append(", ");
        appendValue(out, model, type.element, at + i * size, spec);
    }
    out.push_back(']');
}

void appendStruct(std::string& out, const Model& model, const Type& type, const std::byte* at,
                  const FormatSpec& spec) {
    out.push_back('(');
    for (std::uint32_t i = 0; i < type.count; ++i) {
        const StructMember& member = type.fields[i];
        if (i > 0) out.append(", ");
        out.append(member.name).append(": ");
        appendValue(out, model, member.type, at + member.offset, spec);
    }
    out.push_back(')');
}

/// Reads a placeholder behind its '{'; returns the place behind its '}'. The compiler checked the
/// text.
const char* parseSpec(const char* text, FormatSpec& spec) {
    if (*text == ':') ++text;
    if (*text == '0') spec.zero = true;
    while (*text >= '0' && *text <= '9') {
        spec.width =
            std::min(spec.width * 10 + static_cast<std::uint32_t>(*text++ - '0'), kMostWidth);
    }
    if (*text == 'd' || *text == 'x' || *text == 'b' || *text == 'c') spec.radix = *text++;
    while (*text != 0 && *text != '}')
        ++text;
    return *text == '}' ? text + 1 : text;
}

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

void appendValue(std::string& out, const Model& model, std::uint32_t typeIndex, const std::byte* at,
                 const FormatSpec& spec) {
    const Type& type = model.types[typeIndex];
    if (type.kind == Kind::Array) return appendArray(out, model, type, at, spec);
    if (type.kind == Kind::Struct) return appendStruct(out, model, type, at, spec);
    appendScalar(out, type, at, spec);
}

void appendArgument(std::string& out, const Model& model, const ArgFormat& format, const Arg& arg,
                    const FormatSpec& spec) {
    const std::uint64_t limbs[2] = {arg.lo, arg.hi};
    switch (format.kind) {
    case ArgKind::Unsigned: return appendInteger(out, limbs, 2, false, format.bits, spec);
    case ArgKind::Signed: return appendInteger(out, limbs, 2, true, format.bits, spec);
    case ArgKind::Bool: return appendBool(out, arg.lo != 0);
    case ArgKind::F32: {
        float value;
        std::memcpy(&value, &arg.lo, sizeof value);  // little-endian, as all targets are
        return appendFloat(out, value, spec);
    }
    case ArgKind::F64: {
        double value;
        std::memcpy(&value, &arg.lo, sizeof value);
        return appendFloat(out, value, spec);
    }
    case ArgKind::Typed: {
        const Type& type = model.types[format.type];
        const auto* at = reinterpret_cast<const std::byte*>(arg.lo);
        if (type.kind == Kind::Unsigned || type.kind == Kind::Signed)
            return appendStoredInteger(out, type, at, format.bits ? format.bits : type.width, spec);
        return appendValue(out, model, format.type, at, spec);
    }
    }
}

void appendText(std::string& out, const Model& model, const TraceSite& site, const Arg* args) {
    std::uint32_t next = 0;
    const char* text = site.format;
    while (*text != 0) {
        const std::size_t plain = std::strcspn(text, "{}");
        out.append(text, plain);
        text += plain;
        if (*text == 0) return;
        if (text[1] == text[0]) {  // {{ or }}
            out.push_back(*text);
            text += 2;
            continue;
        }
        if (*text == '}') {
            out.push_back(*text++);
            continue;
        }
        FormatSpec spec;
        text = parseSpec(text + 1, spec);
        if (next < site.argCount) {
            appendArgument(out, model, site.args[next], args[next], spec);
            ++next;
        }
    }
}

}  // namespace sme
