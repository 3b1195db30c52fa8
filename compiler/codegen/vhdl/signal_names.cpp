#include "codegen/vhdl/signal_names.h"

#include "codegen/vhdl/spelling.h"

namespace smec::codegen::vhdl {

using namespace hdl;

std::string SignalNames::operator[](SignalId signal) const {
    const auto it = renamed_.find(signal.index);
    return it != renamed_.end() ? it->second : identifier(module_[signal].name);
}

bool SignalNames::isVarying(hdl::ExprId id) const {
    const Expr& expr = module_[id];
    if (expr.op == Op::Resize) return isVarying(expr.args[0]);
    if (expr.op != Op::Ref && expr.op != Op::Element && expr.op != Op::Slice) return false;
    const Role role = module_[expr.signal].role;
    return role == Role::Input
           || ((role == Role::Register || role == Role::Output)
               && !renamed_.contains(expr.signal.index));
}

}  // namespace smec::codegen::vhdl
