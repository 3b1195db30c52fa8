#pragma once

#include <cstdint>
#include <variant>

#include "source/integer.h"
#include "source/paged_list.h"

/// What the IR counts by, and what it stores: ids, scalars and arrays, constants, intervals.
namespace smec::ir {

using smec::Integer;

template <typename Tag>
struct Id {
    std::uint32_t index = UINT32_MAX;
    bool valid() const { return index != UINT32_MAX; }
    bool operator==(const Id&) const = default;
    auto operator<=>(const Id&) const = default;
};
using ExprId = Id<struct ExprTag>;    ///< within a body
using LocalId = Id<struct LocalTag>;  ///< within a body
using StmtId = Id<struct StmtTag>;    ///< within a body that is numbered
using TableId = Id<struct TableTag>;  ///< within the design
using FunctionId = Id<struct FunctionTag>;
using ClassId = Id<struct ClassTag>;
using PlaneId = Id<struct PlaneTag>;

enum class ScalarKind : std::uint8_t { Bool, Int, F32, F64 };

/// What is stored: enums are integers of their stored bits. Bool has width 1.
struct Scalar {
    ScalarKind kind = ScalarKind::Int;
    bool isSigned = false;
    std::uint32_t width = 1;
    bool operator==(const Scalar&) const = default;
};

/// A scalar (length 0) or a flattened array of `length` scalars.
struct StorageType {
    Scalar scalar;
    std::uint32_t length = 0;
    bool isArray() const { return length != 0; }
    std::uint64_t elements() const { return length ? length : 1; }
    bool operator==(const StorageType&) const = default;
};

/// A constant scalar: integers, bools (0/1) and enum numbers as Integer; floats by value (f32
/// widened).
struct Constant {
    std::variant<Integer, double> value;
    bool operator==(const Constant& other) const;  ///< floats by bit pattern
};

/// Tables and initial values, of which a large memory has millions.
using Constants = PagedList<Constant>;
std::size_t hashOf(const Constants& constants);

/// Closed interval of an exact integer.
struct Interval {
    Integer low;
    Integer high;
    bool operator==(const Interval&) const = default;
    bool contains(const Integer& x) const { return low <= x && x <= high; }
};

}  // namespace smec::ir
