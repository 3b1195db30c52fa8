#pragma once

#include <optional>
#include <vector>

#include "hdl/bit_fields.h"
#include "hdl/leaves.h"
#include "hdl/module_builder.h"
#include "hdl/operators.h"
#include "hdl/sharing.h"

namespace smec::hdl {

/// Gives the exact integer expressions of a body their widths: each is as wide as its values need,
/// or as the bits of it that anyone looks at.
class Expressions {
public:
    Expressions(const ir::Body& body, const std::vector<ir::Input>& inputs,
                std::vector<ir::Interval> values, std::vector<std::uint32_t> demanded,
                ModuleBuilder& builder, Leaves& leaves);
    Expressions(const Expressions&) = delete;
    Expressions& operator=(const Expressions&) = delete;

    /// Counts uses in the statement that comes next: what is used twice is held.
    void begin(const std::vector<ir::ExprId>& roots) { sharing_.begin(roots); }
    ExprId boolean(ir::ExprId id);
    /// The value, exactly.
    ExprId exact(ir::ExprId id);
    ExprId as(ir::ExprId id, const Type& type);
    /// The value modulo 2^width, unsigned.
    ExprId low(ir::ExprId id, std::uint32_t width);
    /// What a scalar of that type holds after the value was stored.
    ExprId stored(ir::ExprId id, const Type& type);
    ExprId index(ir::ExprId id, std::uint64_t count);
    /// Of exact(id).
    Type exactType(ir::ExprId id);
    /// Of as many bits as the values of an integer need.
    Type narrowType(ir::ExprId id) const;

private:
    ExprId makeExact(const ir::Expr& expr, ir::ExprId id);
    ExprId modular(const ir::Expr& expr, ir::ExprId id, std::uint32_t width);
    ExprId makeBoolean(const ir::Expr& expr);
    ExprId leaf(const ir::Expr& expr);
    ExprId inputPlace(const ir::ReadInput& node);

    const ir::Body& body_;
    const std::vector<ir::Input>& inputs_;
    const std::vector<ir::Interval> values_;
    const std::vector<std::uint32_t> demanded_;
    ModuleBuilder& builder_;
    Leaves& leaves_;
    Sharing sharing_;
    BitFields bitFields_;
    Operators operators_;
};

}  // namespace smec::hdl
