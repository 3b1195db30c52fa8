#include "values/value.h"

#include <charconv>
#include <vector>

#include "formats/number_text.h"
#include "values/words.h"

namespace sme {
namespace {

/// Whether a two's complement number, one limb longer than its type needs, is a value of `width`
/// bits.
bool fits(const std::vector<std::uint64_t>& limbs, std::uint32_t width, bool isSigned) {
    const bool negative = (limbs.back() >> 63) != 0;
    if (negative && !isSigned) return false;
    const std::uint32_t sameFrom =
        isSigned ? width - 1 : width;  // from this bit on all are copies of the sign
    const std::uint64_t copies = negative ? ~std::uint64_t{0} : 0;
    for (std::size_t i = sameFrom / 64; i < limbs.size(); ++i) {
        const unsigned skip = i == sameFrom / 64 ? sameFrom % 64 : 0;
        if ((limbs[i] ^ copies) >> skip != 0) return false;
    }
    return true;
}

bool isInRange(const Type& type, std::int64_t value) {
    const bool bounded = type.kind != Kind::Enum && (type.low != 0 || type.high != 0);
    return !bounded || (value >= type.low && value <= type.high);
}

/// Two's complement numbers of `count` limbs.
bool isBelow(const std::uint64_t* x, const std::uint64_t* y, std::uint32_t count, bool isSigned) {
    const std::uint64_t flip = isSigned ? std::uint64_t{1} << 63 : 0;
    if (x[count - 1] != y[count - 1]) return (x[count - 1] ^ flip) < (y[count - 1] ^ flip);
    for (std::uint32_t i = count - 1; i-- > 0;) {
        if (x[i] != y[i]) return x[i] < y[i];
    }
    return false;
}

/// Of a number that fits the type.
bool isInRange(const Type& type, const std::uint64_t* limbs) {
    if (type.limits == nullptr) return isInRange(type, static_cast<std::int64_t>(limbs[0]));
    const std::uint32_t count = (type.width + 63) / 64;
    const bool isSigned = isSignedNumber(type);
    return !isBelow(limbs, type.limits, count, isSigned)
           && !isBelow(type.limits + count, limbs, count, isSigned);
}

/// Numbers of less than 64 bits, most of all, without limbs. Nothing when the text needs a closer
/// look.
bool parseSmall(const Type& type, std::string_view text, std::byte* target) {
    if (type.width >= 64) return false;
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || end != text.data() + text.size()) return false;
    const bool isSigned = isSignedNumber(type);
    const std::int64_t bound = std::int64_t{1} << (isSigned ? type.width - 1 : type.width);
    if (value < (isSigned ? -bound : 0) || value >= bound || !isInRange(type, value)) return false;
    std::memcpy(target, &value, type.bytes);
    return true;
}

bool parseInteger(const Type& type, std::string_view text, std::byte* target, std::string& error) {
    if (parseSmall(type, text, target)) return true;
    // one more than needed, for the sign
    std::vector<std::uint64_t> limbs((type.width + 63) / 64 + 1);
    const NumberRead read =
        type.kind == Kind::Enum ? readNumber(text, limbs) : readNumberOrBool(text, limbs);
    if (read == NumberRead::NoNumber) {
        error = quotedWord(text) + " is no value of " + type.name;
        return false;
    }
    if (read == NumberRead::TooLong || !fits(limbs, type.width, isSignedNumber(type))
        || !isInRange(type, limbs.data())) {
        error = quotedWord(text) + " does not fit into " + type.name;
        return false;
    }
    std::memcpy(target, limbs.data(), type.bytes);
    return true;
}

bool parseEnum(const Type& type, std::string_view text, std::byte* target, std::string& error) {
    for (std::uint32_t i = 0; i < type.count; ++i) {
        if (text == type.members[i].name) {
            std::memcpy(target, storedValue(type.members[i]), type.bytes);
            return true;
        }
    }
    std::string ignored;
    if (parseInteger(type, text, target, ignored) && memberOf(type, target)) return true;
    error = quotedWord(text) + " is no member of enum '" + type.name + "'";
    return false;
}

bool isInteger(const Type& type, const std::byte* at) {
    const bool isSigned = isSignedNumber(type);
    if (type.width < 64 && type.limits == nullptr) {
        const std::uint64_t raw = loadRaw(at, type.bytes);
        const std::uint64_t value = isSigned ? signExtend(raw, type.bytes * 8) : raw;
        const std::uint64_t mask = (std::uint64_t{1} << type.width) - 1;
        const std::uint64_t kept = isSigned ? signExtend(value, type.width) : value & mask;
        return kept == value && isInRange(type, static_cast<std::int64_t>(value));
    }
    std::vector<std::uint64_t> limbs((type.width + 63) / 64 + 1);
    std::memcpy(limbs.data(), at, type.bytes);
    const bool isNegative = isSigned && (limbs[limbs.size() - 2] >> 63) != 0;
    limbs.back() = isNegative ? ~std::uint64_t{0} : 0;
    return fits(limbs, type.width, isSigned) && isInRange(type, limbs.data());
}

/// A number of 0 or 1, true or false.
bool parseBool(std::string_view text, std::byte* target) {
    std::uint64_t limb[1];
    if (readNumberOrBool(text, limb) != NumberRead::Good || limb[0] > 1) return false;
    *target = static_cast<std::byte>(limb[0]);
    return true;
}

template <typename Float, typename Bits>
bool parseFloat(std::string_view text, Bits (*canonical)(Bits), std::byte* target) {
    Float value{};
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || end != text.data() + text.size()) return false;
    Bits bits;
    std::memcpy(&bits, &value, sizeof bits);
    bits = canonical(bits);
    std::memcpy(target, &bits, sizeof bits);
    return true;
}

}  // namespace

bool isValue(const Type& type, const std::byte* at) {
    switch (type.kind) {
    case Kind::Bool: return loadRaw(at, 1) <= 1;
    case Kind::Unsigned:
    case Kind::Signed: return isInteger(type, at);
    case Kind::Enum: return memberOf(type, at) != nullptr;
    case Kind::F32: {
        const auto bits = static_cast<std::uint32_t>(loadRaw(at, 4));
        return canonicalF32(bits) == bits;
    }
    case Kind::F64: return canonicalF64(loadRaw(at, 8)) == loadRaw(at, 8);
    case Kind::Array:
    case Kind::Struct: break;
    }
    return false;
}

bool areValues(const Model& model, std::uint32_t type, const std::byte* at) {
    const Type& shape = model.types[type];
    if (isScalar(shape)) return isValue(shape, at);
    for (std::uint32_t i = 0; i < shape.count; ++i) {
        const bool isStruct = shape.kind == Kind::Struct;
        const std::uint32_t part = isStruct ? shape.fields[i].type : shape.element;
        const std::size_t offset = isStruct ? shape.fields[i].offset : i * model.types[part].bytes;
        if (!areValues(model, part, at + offset)) return false;
    }
    return true;
}

std::uint64_t totalBits(const Model& model, std::uint32_t typeIndex) {
    const Type& type = model.types[typeIndex];
    switch (type.kind) {
    case Kind::Bool: return 1;
    case Kind::F32: return 32;
    case Kind::F64: return 64;
    case Kind::Array: return totalBits(model, type.element) * type.count;
    case Kind::Struct: {
        std::uint64_t bits = 0;
        for (std::uint32_t i = 0; i < type.count; ++i)
            bits += totalBits(model, type.fields[i].type);
        return bits;
    }
    default: return type.width;
    }
}

bool parseScalar(const Type& type, std::string_view text, std::byte* target, std::string& error) {
    bool good = false;
    switch (type.kind) {
    case Kind::Bool: good = parseBool(text, target); break;
    case Kind::Unsigned:
    case Kind::Signed: return parseInteger(type, text, target, error);
    case Kind::Enum: return parseEnum(type, text, target, error);
    case Kind::F32: good = parseFloat<float, std::uint32_t>(text, canonicalF32, target); break;
    case Kind::F64: good = parseFloat<double, std::uint64_t>(text, canonicalF64, target); break;
    case Kind::Array:
    case Kind::Struct: break;
    }
    if (!good) error = quotedWord(text) + " is no value of " + type.name;
    return good;
}

}  // namespace sme
