#include "hir/types.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "source/overloaded.h"

namespace smec::hir {

namespace {

std::string rangeKey(SourceRange range) {
    return fmt::format("@{}:{}", range.file.index, range.begin);
}

Integer power(std::uint32_t exponent) {
    Integer result = 1;
    result <<= exponent;
    return result;
}

IntType unsizedType(bool isSigned) { return IntType{IntFlavour::Unsized, isSigned, 64, 0, 0}; }

}  // namespace

TypeTable::TypeTable() {
    intern(ErrorType{}, "error");
    intern(BoolType{}, "bool");
    intern(FloatType{32}, "f32");
    intern(FloatType{64}, "f64");
    intern(StringType{}, "string");
    intern(unsizedType(false), "uint");
    intern(unsizedType(true), "int");
}

TypeId TypeTable::intern(Type type, std::string key) {
    auto [place, isNew] =
        byKey_.try_emplace(std::move(key), TypeId{static_cast<std::uint32_t>(types_.size())});
    if (isNew) {
        leaves_.push_back(countLeaves(type));
        kinds_.push_back(countKinds(type));
        types_.push_back(std::move(type));
    }
    return place->second;
}

TypeId TypeTable::integer(std::uint32_t width, bool isSigned) {
    auto& known = sized_[isSigned];
    if (width < known.size() && known[width].index != 0) return known[width];
    TypeId id = intern(IntType{IntFlavour::Sized, isSigned, width, 0, 0},
                       fmt::format("{}{}", isSigned ? 'i' : 'u', width));
    if (width <= 4096) {
        if (width >= known.size()) known.resize(width + 1);
        known[width] = id;
    }
    return id;
}

TypeId TypeTable::ranged(const Integer& low, const Integer& high) {
    IntType type{IntFlavour::Ranged, low < 0, 0, low, high};
    type.width = std::max(bitsFor(low), bitsFor(high));
    if (low < 0) type.width = std::max(bitsFor(low), high < 0 ? bitsFor(high) : bitsFor(high) + 1);
    return intern(type, fmt::format("range {} {}", low.str(), high.str()));
}

TypeId TypeTable::array(TypeId element, std::uint64_t count) {
    return intern(ArrayType{element, count}, fmt::format("[{}]#{}", count, element.index));
}

const EnumMember* EnumType::memberOf(const Integer& value) const {
    const auto at = std::lower_bound(byValue.begin(), byValue.end(), value,
                                     [&](std::uint32_t number, const Integer& wanted) {
                                         return members[number].value < wanted;
                                     });
    return at != byValue.end() && members[*at].value == value ? &members[*at] : nullptr;
}

TypeId TypeTable::enumeration(EnumType type) {
    std::string key = "enum " + type.name + rangeKey(type.range);
    for (const EnumMember& member : type.members)
        key += " " + member.name + "=" + member.value.str();
    type.names = NameIndex(type.members);
    type.byValue.resize(type.members.size());
    std::iota(type.byValue.begin(), type.byValue.end(), 0U);
    std::stable_sort(type.byValue.begin(), type.byValue.end(),
                     [&](std::uint32_t a, std::uint32_t b) {
                         return type.members[a].value < type.members[b].value;
                     });
    return intern(std::move(type), std::move(key));
}

TypeId TypeTable::structure(StructType type) {
    std::string key = "struct " + type.name + rangeKey(type.range);
    for (const StructMember& member : type.members)
        key += fmt::format(" {}#{}", member.name, member.type.index);
    type.names = NameIndex(type.members);
    return intern(std::move(type), std::move(key));
}

std::string TypeTable::name(TypeId id) const {
    struct Namer {
        const TypeTable& table;
        std::string operator()(const ErrorType&) const { return "?"; }
        std::string operator()(const BoolType&) const { return "bool"; }
        std::string operator()(const FloatType& type) const {
            return type.width == 32 ? "f32" : "f64";
        }
        std::string operator()(const StringType&) const { return "text"; }
        std::string operator()(const ArrayType& type) const {
            return fmt::format("[{}]{}", type.count, table.name(type.element));
        }
        std::string operator()(const EnumType& type) const { return type.name; }
        std::string operator()(const StructType& type) const { return type.name; }
        std::string operator()(const IntType& type) const {
            if (type.flavour == IntFlavour::Unsized) return type.isSigned ? "int" : "uint";
            std::string text = fmt::format("{}{}", type.isSigned ? 'i' : 'u', type.width);
            if (type.flavour == IntFlavour::Sized) return text;
            return fmt::format("{} (range {} to {})", text, type.low.str(), type.high.str());
        }
    };
    return smec::visit(Namer{*this}, types_[id.index]);
}

Integer TypeTable::minimum(TypeId id) const {
    return smec::visit(Overloaded{
                           [](const AnyOf<IntType, EnumType> auto& type) {
                               if constexpr (AnyOf<decltype(type), IntType>) {
                                   if (type.flavour == IntFlavour::Ranged) return type.low;
                               }
                               return type.isSigned ? Integer(-power(type.width - 1)) : Integer(0);
                           },
                           [](const AnyOf<ErrorType, BoolType, FloatType, StringType, ArrayType,
                                          StructType> auto&) { return Integer(0); },
                       },
                       types_[id.index]);
}

Integer TypeTable::maximum(TypeId id) const {
    return smec::visit(
        Overloaded{
            [](const AnyOf<IntType, EnumType> auto& type) {
                if constexpr (AnyOf<decltype(type), IntType>) {
                    if (type.flavour == IntFlavour::Ranged) return type.high;
                }
                return Integer(power(type.isSigned ? type.width - 1 : type.width) - 1);
            },
            [](const BoolType&) { return Integer(1); },
            [](const AnyOf<ErrorType, FloatType, StringType, ArrayType, StructType> auto&) {
                return Integer(0);
            },
        },
        types_[id.index]);
}

std::uint64_t TypeTable::countKinds(const Type& counted) const {
    return smec::visit(Overloaded{
                           [&](const ArrayType& type) { return leafKinds(type.element); },
                           [&](const StructType& type) {
                               std::uint64_t sum = 0;  // at most that of the leaves
                               for (const StructMember& member : type.members) {
                                   const std::uint64_t each = leafKinds(member.type);
                                   sum = each > UINT64_MAX - sum ? UINT64_MAX : sum + each;
                               }
                               return sum;
                           },
                           [](const WholeType auto&) { return std::uint64_t{1}; },
                       },
                       counted);
}

std::uint64_t TypeTable::countLeaves(const Type& counted) const {
    constexpr std::uint64_t kMany = std::numeric_limits<std::uint64_t>::max();
    return smec::visit(Overloaded{
                           [&](const ArrayType& type) {
                               const std::uint64_t each = leafCount(type.element);
                               return each != 0 && type.count > kMany / each ? kMany
                                                                             : each * type.count;
                           },
                           [&](const StructType& type) {
                               std::uint64_t sum = 0;
                               for (const StructMember& member : type.members) {
                                   const std::uint64_t each = leafCount(member.type);
                                   sum = each > kMany - sum ? kMany : sum + each;
                               }
                               return sum;
                           },
                           [](const WholeType auto&) { return std::uint64_t{1}; },
                       },
                       counted);
}

std::uint32_t bitsFor(const Integer& value) {
    if (value == 0) return 1;
    if (value > 0) return static_cast<std::uint32_t>(msb(value)) + 1;
    Integer magnitude = -value - 1;  // -1 needs one bit, -2 two, -128 eight
    return magnitude == 0 ? 1 : static_cast<std::uint32_t>(msb(magnitude)) + 2;
}

Integer shiftedRight(const Integer& value, std::uint64_t count) {
    if (value >= 0) return value >> count;
    return -((-value - 1) >> count) - 1;
}

}  // namespace smec::hir
