#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "hir/types.h"
#include "hir/value.h"
#include "source/paged_list.h"

namespace smec::interp {

using hir::Integer;
using hir::TypeId;
using hir::TypeTable;

/// A value at run time. Bools are 0 and 1, enum members their numbers. An `Integer` is one that
/// does not fit std::int64_t, so that equal numbers have equal representations. NaN is canonical.
/// The type is known to whoever holds the value.
struct Value {
    using List = PagedList<Value>;
    std::variant<std::int64_t, Integer, float, double, List> data;

    bool isSmall() const { return data.index() == 0; }
    std::int64_t small() const { return *std::get_if<std::int64_t>(&data); }
    bool isTrue() const { return isSmall() && small() != 0; }
    bool isFloat() const { return data.index() == 2 || data.index() == 3; }
    bool isList() const { return data.index() == 4; }
    const List& list() const { return std::get<List>(data); }
    List& list() { return std::get<List>(data); }
    bool operator==(const Value& other) const;  ///< floats by bit pattern
};

inline Value small(std::int64_t number) { return Value{number}; }
Value unsignedNumber(std::uint64_t number);
Value number(Integer value);
/// Floats, with canonical NaN.
Value real(float value);
Value real(double value);

/// The exact integer of an integer, bool or enum value.
Integer toInteger(const Value& value);
/// The value when it lies in 0 … 2^64 - 1.
std::optional<std::uint64_t> toUnsigned(const Value& value);

/// `value` modulo 2^width, in two's complement when signed.
Value wrap(Value value, std::uint32_t width, bool isSigned);

/// Bits stored of an integer or enum type; 1 of a bool, 32 or 64 of a float, 0 of anything else.
std::uint32_t widthOf(const TypeTable& types, TypeId type);
bool isSignedType(const TypeTable& types, TypeId type);

Value fromHir(const hir::Value& value);
/// `type` decides between bool and integer.
hir::Value toHir(const TypeTable& types, TypeId type, const Value& value);
/// Whether an integer, bool or enum value is the one of `label`; labels without a value ('U) equal
/// nothing.
bool equals(const Value& value, const hir::Value& label);

}  // namespace smec::interp
