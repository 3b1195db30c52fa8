#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "hdl/leaves.h"
#include "hdl/module_builder.h"

namespace smec::hdl {

/// What the expressions of one statement have in common: a value that is used several times, or is
/// long, is computed once, in front of the statement.
class Sharing {
public:
    Sharing(const ir::Body& body, ModuleBuilder& builder, Leaves& leaves)
        : body_(body), builder_(builder), leaves_(leaves), uses_(body.exprs.size(), 0) {}

    /// Counts uses in the statement that comes next.
    void begin(const std::vector<ir::ExprId>& roots);
    bool isUsedTwice(ir::ExprId id) const { return uses_[id.index] > 1; }
    /// What stands for an expression in this statement; null: nothing yet.
    const ExprId* find(ir::ExprId id) const;
    void keep(ir::ExprId id, ExprId value) { kept_[id.index] = value; }
    /// The value, or the temporary that holds it.
    ExprId shared(ir::ExprId id, ExprId value);
    /// For a value that is used several times: one with at most one operator.
    ExprId small(ExprId value);

private:
    std::size_t operatorsIn(ExprId id);

    const ir::Body& body_;
    ModuleBuilder& builder_;
    Leaves& leaves_;
    std::vector<std::uint32_t> uses_;
    std::unordered_map<std::uint32_t, ExprId> kept_;  ///< of this statement
    std::vector<std::size_t> operators_;              ///< by ExprId of the module
};

}  // namespace smec::hdl
