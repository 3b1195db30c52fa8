#include "interp/value_bytes.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "source/overloaded.h"

namespace smec::interp {
namespace {

std::size_t bytesOfScalar(const TypeTable& types, TypeId type) {
    const std::size_t bits = widthOf(types, type);
    return bits > 64 ? (bits + 63) / 64 * 8 : std::bit_ceil((bits + 7) / 8);
}

void appendScalar(const TypeTable& types, TypeId type, const Value& value,
                  std::vector<std::byte>& bytes) {
    const std::size_t size = bytesOfScalar(types, type);
    const std::size_t at = bytes.size();
    bytes.resize(at + size);
    std::byte* to = bytes.data() + at;
    if (const auto* single = std::get_if<float>(&value.data)) {
        std::memcpy(to, single, sizeof *single);
    } else if (const auto* twice = std::get_if<double>(&value.data)) {
        std::memcpy(to, twice, sizeof *twice);
    } else if (value.isSmall() && size <= sizeof(std::int64_t)) {
        const std::int64_t number = value.small();
        std::memcpy(to, &number, size);
    } else {
        Integer rest = toInteger(wrap(value, static_cast<std::uint32_t>(8 * size), false));
        for (std::size_t i = 0; i < size; ++i, rest >>= 8)
            to[i] = static_cast<std::byte>(static_cast<unsigned>(rest & 255));
    }
}

template <typename Float>
std::optional<Value> floatOfBytes(std::span<const std::byte> bytes) {
    Float number = 0;
    std::memcpy(&number, bytes.data(), sizeof number);
    const Value value = real(number);  // NaN has one bit pattern
    return std::memcmp(&std::get<Float>(value.data), bytes.data(), sizeof number) == 0
               ? std::optional(value)
               : std::nullopt;
}

Value integerOfBytes(std::span<const std::byte> bytes, bool isSigned) {
    Integer pattern = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        pattern = (pattern << 8) + std::to_integer<unsigned>(bytes[i]);
    return wrap(number(std::move(pattern)), static_cast<std::uint32_t>(8 * bytes.size()), isSigned);
}

std::optional<Value> scalarOfBytes(const TypeTable& types, TypeId type,
                                   std::span<const std::byte> bytes) {
    if (type == TypeTable::kF32) return floatOfBytes<float>(bytes);
    if (type == TypeTable::kF64) return floatOfBytes<double>(bytes);
    Value value = integerOfBytes(bytes, isSignedType(types, type));
    const Integer number = toInteger(value);
    bool isGood = number == 0 || number == 1;  // of a bool
    if (const auto* enumeration = types.as<hir::EnumType>(type))
        isGood = std::any_of(enumeration->members.begin(), enumeration->members.end(),
                             [&](const hir::EnumMember& member) { return member.value == number; });
    if (types.isInteger(type))
        isGood = number >= types.minimum(type) && number <= types.maximum(type);
    return isGood ? std::optional(std::move(value)) : std::nullopt;
}

/// Calls visit(type of a part) for the parts of an array or a struct; false: it is a scalar.
template <typename Visit>
bool forEachPart(const TypeTable& types, TypeId type, const Visit& visit) {
    return smec::visit(Overloaded{
                           [&](const hir::ArrayType& array) {
                               for (std::uint64_t i = 0; i < array.count; ++i)
                                   visit(i, array.element);
                               return true;
                           },
                           [&](const hir::StructType& structure) {
                               for (std::size_t i = 0; i < structure.members.size(); ++i)
                                   visit(i, structure.members[i].type);
                               return true;
                           },
                           [](const hir::WholeType auto&) { return false; },
                       },
                       types[type]);
}

/// As simulators call it, for which `int` and `i64` are one.
std::string nameOf(const TypeTable& types, TypeId type) {
    if (const auto* array = types.as<hir::ArrayType>(type))
        return fmt::format("[{}]{}", array->count, nameOf(types, array->element));
    const auto* integer = types.as<hir::IntType>(type);
    if (integer && integer->flavour == hir::IntFlavour::Unsized)
        return fmt::format("{}{}", integer->isSigned ? 'i' : 'u', integer->width);
    return types.name(type);
}

void appendShape(std::string& out, const TypeTable& types, TypeId type) {
    const auto appendWidth = [&] { out += fmt::format("/{}", widthOf(types, type)); };
    out += nameOf(types, type);
    smec::visit(
        Overloaded{
            [&](const hir::ArrayType& array) { appendShape(out += " of ", types, array.element); },
            [&](const hir::StructType& structure) {
                for (const hir::StructMember& member : structure.members)
                    appendShape(out += " " + member.name + ":", types, member.type);
            },
            [&](const hir::EnumType& enumeration) {
                for (const hir::EnumMember& member : enumeration.members)
                    out +=
                        fmt::format(" {}={}", member.name,
                                    static_cast<std::uint64_t>(hir::wrap(member.value, 64, false)));
                appendWidth();
            },
            [&](const AnyOf<hir::ErrorType, hir::BoolType, hir::IntType, hir::FloatType,
                            hir::StringType> auto&) { appendWidth(); },
        },
        types[type]);
}

}  // namespace

std::size_t bytesOf(const TypeTable& types, TypeId type) {
    if (const auto* array = types.as<hir::ArrayType>(type))
        return array->count * bytesOf(types, array->element);
    std::size_t bytes = 0;
    const bool isWhole = forEachPart(
        types, type, [&](std::uint64_t, TypeId part) { bytes += bytesOf(types, part); });
    return isWhole ? bytes : bytesOfScalar(types, type);
}

void appendBytes(const TypeTable& types, TypeId type, const Value& value,
                 std::vector<std::byte>& bytes) {
    const bool isWhole = forEachPart(types, type, [&](std::uint64_t i, TypeId part) {
        appendBytes(types, part, value.list()[i], bytes);
    });
    if (!isWhole) appendScalar(types, type, value, bytes);
}

std::optional<Value> valueOfBytes(const TypeTable& types, TypeId type,
                                  std::span<const std::byte> bytes) {
    Value::List parts;
    bool isGood = true;
    const bool isWhole = forEachPart(types, type, [&](std::uint64_t, TypeId part) {
        const std::size_t size = bytesOf(types, part);
        std::optional<Value> value =
            isGood ? valueOfBytes(types, part, bytes.first(size)) : std::nullopt;
        bytes = bytes.subspan(size);
        isGood = value.has_value();
        if (isGood) parts.push_back(std::move(*value));
    });
    if (!isWhole) return scalarOfBytes(types, type, bytes);
    return isGood ? std::optional(Value{std::move(parts)}) : std::nullopt;
}

std::string shapeOf(const TypeTable& types, TypeId type) {
    std::string shape;
    appendShape(shape, types, type);
    return shape;
}

}  // namespace smec::interp
