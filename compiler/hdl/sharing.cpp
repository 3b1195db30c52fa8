#include "hdl/sharing.h"

#include <algorithm>

#include "hdl/target.h"
#include "ir/visit.h"

namespace smec::hdl {

void Sharing::begin(const std::vector<ir::ExprId>& roots) {
    kept_.clear();
    std::fill(uses_.begin(), uses_.end(), 0);
    std::vector<ir::ExprId> todo = roots;
    while (!todo.empty()) {
        const ir::ExprId id = todo.back();
        todo.pop_back();
        if (uses_[id.index]++ != 0) continue;
        ir::forEachOperand(body_[id], [&](ir::ExprId operand) { todo.push_back(operand); });
    }
}

const ExprId* Sharing::find(ir::ExprId id) const {
    const auto found = kept_.find(id.index);
    return found == kept_.end() ? nullptr : &found->second;
}

ExprId Sharing::shared(ir::ExprId id, ExprId value) {
    const std::size_t size = operatorsIn(value);
    const Op op = builder_.module()[value].op;
    if (size == 0 || (size == 1 && (op == Op::Resize || op == Op::LogicalNot))) return value;
    if (!isUsedTwice(id) && size < target::kReadableOperators) return value;
    return leaves_.hold(value);
}

ExprId Sharing::small(ExprId value) { return operatorsIn(value) > 1 ? leaves_.hold(value) : value; }

std::size_t Sharing::operatorsIn(ExprId id) {
    for (std::size_t i = operators_.size(); i <= id.index; ++i) {
        const Expr& expr = builder_.module().exprs[i];
        std::size_t size =
            expr.op == Op::Const || expr.op == Op::Ref || expr.op == Op::Slice ? 0 : 1;
        for (const ExprId arg : expr.args)
            if (arg.valid()) size += operators_[arg.index];
        operators_.push_back(size);
    }
    return operators_[id.index];
}

}  // namespace smec::hdl
