#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codegen/cpp/print/text.h"
#include "ir/ir.h"

namespace smec::codegen::cpp {

/// sme::Model::types: one row per distinct type.
class TypesTable {
public:
    explicit TypesTable(const ir::Design& design) : design_(design) {}

    std::uint32_t of(const ir::Plane& plane);
    std::uint32_t ofScalar(const ir::Scalar& scalar, std::optional<std::uint32_t> enumeration,
                           const std::optional<ir::Interval>& range);
    /// Of Design::shapes.
    std::uint32_t ofShape(std::uint32_t shape);
    std::size_t count() const { return rows_.size(); }
    void print(Writer& out) const;

private:
    std::uint32_t add(const std::string& row);
    std::uint64_t bytesOf(std::uint32_t shape) const;
    std::string nameOf(std::uint32_t shape) const;
    /// The name of the row of limbs with both ends.
    std::string addLimits(const ir::Interval& range, const ir::Scalar& scalar);

    const ir::Design& design_;
    std::map<std::string, std::uint32_t> numbers_;
    std::vector<std::string> rows_;
    std::vector<std::string> limits_;
    std::vector<std::string> members_;  ///< of structs
    std::map<std::uint32_t, bool> enums_;
};

}  // namespace smec::codegen::cpp
