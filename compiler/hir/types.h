#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "source/integer.h"
#include "source/name_index.h"
#include "source/overloaded.h"
#include "source/source_manager.h"

/// The elaborated, checked design: what sema and elab produce, what the interpreter runs and
/// lowering reads.
namespace smec::hir {

using smec::Integer;

struct TypeId {
    std::uint32_t index = 0;  ///< 0 is the error type
    bool operator==(const TypeId&) const = default;
    auto operator<=>(const TypeId&) const = default;
};

/// After an error was reported; compatible with everything, so that nothing follows from it.
struct ErrorType {
    auto operator<=>(const ErrorType&) const = default;
};
struct BoolType {
    auto operator<=>(const BoolType&) const = default;
};
/// How an integer type was written. `Sized`: uN, iN. `Unsized`: uint, int: unbounded in constants,
/// 64 bits when stored. `Ranged`: as wide as the range needs; a store outside fails at run time.
enum class IntFlavour : std::uint8_t { Sized, Unsized, Ranged };
struct IntType {
    IntFlavour flavour = IntFlavour::Sized;
    bool isSigned = false;
    std::uint32_t width = 0;  ///< stored bits
    Integer low = 0;          ///< Ranged only
    Integer high = 0;
};
struct FloatType {
    std::uint32_t width = 64;  ///< 32 or 64
    auto operator<=>(const FloatType&) const = default;
};
struct StringType {  ///< of texts in trace and assert only
    auto operator<=>(const StringType&) const = default;
};
struct ArrayType {
    TypeId element;
    std::uint64_t count = 0;
    auto operator<=>(const ArrayType&) const = default;
};
struct EnumMember {
    std::string name;
    Integer value;
};
/// Enums and structs are nominal: one entry per declaration (and, for a declaration inside an
/// entity whose members depend on constants, per set of members).
struct EnumType {
    std::string name;
    SourceRange range;
    std::uint32_t width = 1;
    bool isSigned = false;  ///< a member is negative
    std::vector<EnumMember> members;
    NameIndex names{};                     ///< of the members; made by the table
    std::vector<std::uint32_t> byValue{};  ///< members by rising value; made by the table
    std::optional<std::uint32_t> memberNamed(std::string_view member) const {
        return names.find(members, member);
    }
    /// Null where no member has that value.
    const EnumMember* memberOf(const Integer& value) const;
};
struct StructMember {
    std::string name;
    TypeId type;
};
struct StructType {
    std::string name;
    SourceRange range;
    std::vector<StructMember> members;
    NameIndex names{};  ///< of the members; made by the table
    std::optional<std::uint32_t> memberNamed(std::string_view member) const {
        return names.find(members, member);
    }
};

using Type = std::variant<ErrorType, BoolType, IntType, FloatType, StringType, ArrayType, EnumType,
                          StructType>;

/// The kinds whose values have no parts, for visitors that take arrays and structs apart.
template <typename T>
concept WholeType = AnyOf<T, ErrorType, BoolType, IntType, FloatType, StringType, EnumType>;

/// Interns types: equal types have equal ids. Ids 0 … 5 are fixed, see the constants. Not
/// thread-safe.
class TypeTable {
public:
    static constexpr TypeId kError{0}, kBool{1}, kF32{2}, kF64{3}, kString{4}, kUint{5}, kInt{6};
    TypeTable();

    TypeId integer(std::uint32_t width, bool isSigned);  ///< uN / iN
    TypeId ranged(const Integer& low,
                  const Integer& high);  ///< width from the bounds, signed when low < 0
    TypeId array(TypeId element, std::uint64_t count);
    /// A new nominal type, unless one with the same name, range and members exists.
    TypeId enumeration(EnumType type);
    TypeId structure(StructType type);

    const Type& operator[](TypeId id) const { return types_[id.index]; }
    std::size_t size() const { return types_.size(); }

    template <typename T>
    const T* as(TypeId id) const {
        return std::get_if<T>(&types_[id.index]);
    }
    template <typename T>
    bool is(TypeId id) const {
        return std::holds_alternative<T>(types_[id.index]);
    }
    bool isError(TypeId id) const { return id.index == 0; }
    bool isInteger(TypeId id) const { return as<IntType>(id) != nullptr; }
    bool isFloat(TypeId id) const { return as<FloatType>(id) != nullptr; }

    /// As in the language: "u8", "uint", "[4]i16", "state", "u4 (range 0 to 9)".
    std::string name(TypeId id) const;
    /// Smallest and largest value of an integer, enum (stored bits) type; Ranged: the range;
    /// Unsized: those of 64 bits.
    Integer minimum(TypeId id) const;
    Integer maximum(TypeId id) const;
    /// Number of scalar leaves; the largest number where there are more.
    std::uint64_t leafCount(TypeId id) const { return leaves_[id.index]; }
    /// The same with arrays counted as one element.
    std::uint64_t leafKinds(TypeId id) const { return kinds_[id.index]; }

private:
    TypeId intern(Type type, std::string key);
    std::uint64_t countLeaves(const Type& type) const;
    std::uint64_t countKinds(const Type& type) const;
    std::vector<Type> types_;
    std::vector<std::uint64_t> leaves_;  ///< parallel to types_
    std::vector<std::uint64_t> kinds_;   ///< parallel to types_
    std::map<std::string, TypeId> byKey_;
    std::vector<TypeId> sized_[2];  ///< unsigned and signed integer types by width
};

/// The fewest bits of a type that holds `value`: unsigned unless negative; at least 1.
std::uint32_t bitsFor(const Integer& value);

/// floor(value / 2^count). (Boost 1.74's >> loses the sign of a negative number of several limbs.)
Integer shiftedRight(const Integer& value, std::uint64_t count);

}  // namespace smec::hir
