#include "codegen/verilog/called.h"

#include <fmt/format.h>

namespace smec::codegen::verilog {

using hdl::Expr;
using hdl::Module;
using hdl::Op;
using hdl::Type;

std::string Division::name() const {
    return fmt::format("{}{}_{}", isRemainder ? "remainder" : "divide", isSigned ? "_signed" : "",
                       width);
}

std::set<Division> wideDivisions(const Module& module) {
    std::set<Division> result;
    for (const Expr& expr : module.exprs) {
        if (expr.op != Op::Div && expr.op != Op::Rem) continue;
        const Type& type = module[expr.args[0]].type;
        if (const Division division{type.width, type.isSigned, expr.op == Op::Rem};
            division.isWide())
            result.insert(division);
    }
    return result;
}

std::set<std::pair<std::uint32_t, std::uint32_t>> popcounts(const Module& module) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> result;
    for (const Expr& expr : module.exprs)
        if (expr.op == Op::Popcount)
            result.emplace(module[expr.args[0]].type.width, expr.type.width);
    return result;
}

}  // namespace smec::codegen::verilog
