#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "hir/types.h"
#include "hir/value.h"
#include "ir/builder.h"
#include "ir/ir.h"

/// How values of the language's types are split into leaves: scalars and flattened arrays of
/// scalars.
///   struct { x: u8; y: [3]struct { z: i4; } }  ->  ".x": u8,  ".y.z": [3]i4
namespace smec::lower {

struct Leaf {
    std::string path;  ///< after the name: "", ".x", ".y.z"
    hir::TypeId type;  ///< of one scalar
    ir::Scalar scalar;
    std::vector<std::uint64_t> dimensions;  ///< outermost first; empty: a scalar
    std::uint64_t elements = 1;
};
using Layout = std::vector<Leaf>;

ir::Scalar scalarOf(const hir::TypeTable& types, hir::TypeId type);
ir::ExprType exprTypeOf(const hir::TypeTable& types, hir::TypeId type);
bool isAggregate(const hir::TypeTable& types, hir::TypeId type);
/// Of a type with a declared range.
std::optional<ir::Interval> rangeOf(const hir::TypeTable& types, hir::TypeId type);
ir::StorageType storageOf(const Leaf& leaf);

/// A scalar value as stored; integers unchanged.
ir::Constant constantOf(const hir::Value& value);
/// One list of constants per leaf, row-major.
std::vector<ir::Constants> constantsOf(const hir::TypeTable& types, hir::TypeId type,
                                       const hir::Value& value);

/// Layouts by type, computed once each.
class Layouts {
public:
    explicit Layouts(const hir::TypeTable& types) : types_(types) {}
    const Layout& of(hir::TypeId type);
    /// Leaves in front of member `member` of a struct.
    std::uint32_t firstLeaf(hir::TypeId structure, std::uint32_t member);

private:
    void collect(hir::TypeId type, const std::string& path, std::vector<std::uint64_t>& dimensions,
                 Layout& out);
    const hir::TypeTable& types_;
    std::unordered_map<std::uint32_t, Layout> layouts_;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> firstLeaves_;  ///< by struct
};

}  // namespace smec::lower
