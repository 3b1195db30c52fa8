#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/ir.h"
#include "sme/model.h"

namespace smec::codegen::cpp {

using TypeKind = sme::Kind;

struct TypeMember {
    std::string name;
    std::uint32_t type;    ///< row
    std::uint64_t offset;  ///< in a value put together
    std::uint32_t leaf;    ///< leaves of the struct in front of it
    bool operator==(const TypeMember&) const = default;
};

/// A row of sme::Model::types.
struct TypeRow {
    TypeKind kind;
    std::uint32_t width = 0;  ///< bits of a scalar
    std::uint64_t bytes = 0;
    std::string name{};                          ///< as in the language
    std::uint32_t element = 0;                   ///< Array: row
    std::uint64_t count = 0;                     ///< Array: elements
    std::optional<std::uint32_t> enumeration{};  ///< Enum: of ir::Design::enums
    std::vector<TypeMember> members{};           ///< Struct
    std::optional<ir::Interval> range{};         ///< declared, of integers
    bool operator==(const TypeRow&) const = default;
};

/// The types of planes, arguments and names: one row each, elements and members in front of what
/// they are part of.
class TypeTable {
public:
    explicit TypeTable(const ir::Design& design) : design_(design) {}

    std::uint32_t of(const ir::Plane& plane);
    std::uint32_t ofScalar(const ir::Scalar& scalar, std::optional<std::uint32_t> enumeration,
                           const std::optional<ir::Interval>& range);
    /// Of Design::shapes.
    std::uint32_t ofShape(std::uint32_t shape);
    std::vector<TypeRow> take() { return std::move(rows_); }

private:
    std::uint32_t add(TypeRow row);
    std::uint64_t bytesOf(std::uint32_t shape) const;
    std::string nameOf(std::uint32_t shape) const;

    const ir::Design& design_;
    std::vector<TypeRow> rows_;
};

}  // namespace smec::codegen::cpp
