#pragma once

#include <optional>
#include <vector>

#include "hdl/leaves.h"
#include "hdl/module_builder.h"
#include "hdl/sharing.h"
#include "ir/bits.h"

namespace smec::hdl {

class Expressions;

/// Shifts and masks that only put bits side by side, as wires instead of operators.
class BitFields {
public:
    /// `values`: intervals of the body's expressions.
    BitFields(const ir::Body& body, const std::vector<ir::Interval>& values, ModuleBuilder& builder,
              Leaves& leaves, Sharing& sharing, Expressions& operands)
        : body_(body),
          values_(values),
          builder_(builder),
          leaves_(leaves),
          sharing_(sharing),
          operands_(operands) {}

    /// The low bits of a value; nothing where it is no row of others.
    std::optional<ExprId> bitsBeside(ir::ExprId id, std::uint32_t width);

private:
    ExprId concat(const ir::Beside& node, std::uint32_t width);
    ExprId repeat(const ir::Repeated& node, std::uint32_t width);
    std::optional<ExprId> part(const ir::Wrap& node, std::uint32_t width);
    ExprId insert(const ir::Inserted& node, std::uint32_t width);
    ExprId bitsFrom(ExprId value, std::uint32_t first, std::uint32_t width);
    ExprId named(ExprId value);

    const ir::Body& body_;
    const std::vector<ir::Interval>& values_;
    ModuleBuilder& builder_;
    Leaves& leaves_;
    Sharing& sharing_;
    Expressions& operands_;
};

}  // namespace smec::hdl
