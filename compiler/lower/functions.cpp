#include "ir/visit.h"
#include "lower/body.h"
#include "source/internal_error.h"

namespace smec::lower {

namespace {

bool alwaysReturns(const ir::Block& block) {
    if (block.empty()) return false;
    const ir::Stmt& last = block.back();
    if (const auto* branch = std::get_if<ir::If>(&last.node))
        return alwaysReturns(branch->yes) && alwaysReturns(branch->no);
    return std::holds_alternative<ir::Return>(last.node);
}

/// What the checker knows to be unreachable still needs an end.
void closeEnd(ir::Function& function) {
    if (alwaysReturns(function.body.statements)) return;
    ir::Builder builder(function.body);
    ir::ExprId value;
    switch (function.result.scalar.kind) {
    case ir::ScalarKind::Bool: value = builder.constant(false); break;
    case ir::ScalarKind::Int: value = builder.constant(ir::Integer(0)); break;
    case ir::ScalarKind::F32: value = builder.constant(0.0, ir::ExprType::F32); break;
    case ir::ScalarKind::F64: value = builder.constant(0.0, ir::ExprType::F64); break;
    }
    function.body.statements.push_back({function.range, ir::Return{value}});
}

std::uint32_t countParams(Context& context, const hir::Function& source) {
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < source.paramCount; ++i) {
        for (const Leaf& leaf : context.layouts.of(source.body.vars[i].type)) {
            if (!leaf.dimensions.empty())
                context.notSupported(source.body.vars[i].range,
                                     "an array as a parameter of a function");
            else
                ++count;
        }
    }
    return count;
}

}  // namespace

ir::FunctionId lowerFunction(Context& context, hir::FunctionId id, const ClassShape& shape,
                             ir::Body& sites) {
    if (auto it = context.sharedFunctions.find(id.index); it != context.sharedFunctions.end())
        return it->second;
    const std::pair key(id.index, shape.id.index);
    if (auto it = context.ownedFunctions.find(key); it != context.ownedFunctions.end())
        return it->second;

    const hir::Function& source = context.hir.functions[id.index];
    ir::Function function;
    function.name = source.name;
    function.range = source.range;
    function.paramCount = countParams(context, source);
    if (isAggregate(context.types(), source.result)) {
        context.notSupported(source.range, "an array or struct as the result of a function");
        function.result = {{ir::ScalarKind::Bool, false, 1}, 0};
    } else {
        function.result = {scalarOf(context.types(), source.result), 0};
    }
    BodyLowering lowering(context, shape, source.body, function.body, sites, &source,
                          {nullptr, nullptr, &context.out.tables, nullptr});
    lowering.run();
    closeEnd(function);
    function.mayFail = lowering.mayFail();
    function.mayTrace = lowering.mayTrace();
    if (lowering.usesOwner()) function.owner = shape.id;

    const ir::FunctionId result{static_cast<std::uint32_t>(context.out.functions.size())};
    context.out.functions.push_back(std::move(function));
    if (lowering.usesOwner())
        context.ownedFunctions.emplace(key, result);
    else
        context.sharedFunctions.emplace(id.index, result);
    return result;
}

}  // namespace smec::lower
