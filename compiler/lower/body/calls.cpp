#include "lower/body/calls.h"

#include "lower/body/functions.h"
#include "lower/body/parts.h"
#include "lower/body/scalars.h"

namespace smec::lower {

/// The result in temporaries.
Part Calls::callForPart(const hir::CallExpr& node, const hir::Expr& expr) {
    ir::Call call = prepareCall(node);
    const std::vector<ir::LocalId>& results = writer_.tempsFor(expr.type);
    call.results = results;
    writer_.emit(expr.range, std::move(call));
    return {Part::Locals{&results}, expr.type, expr.type, 0, {}, {}, {}};
}

ir::Call Calls::prepareCall(const hir::CallExpr& node) {
    const hir::Function& callee = context_.hir.functions[node.function.index];
    ir::Call call{{}, lowerFunction(context_, {node.function.index}, shape_, writer_.sites()), {}};
    for (std::size_t i = 0; i < node.arguments.size(); ++i) {
        const hir::TypeId type = callee.body.vars[i].type;
        const hir::ExprId argument = node.arguments[i];
        if (!isAggregate(context_.types(), type)) {
            call.args.push_back(
                numbers_.fit(scalars_.scalar(argument), type, source_[argument].range));
            continue;
        }
        const SourceRange outer = parts_.storeAt({});
        const Part value = parts_.ownPart(argument);
        parts_.storeAt(outer);
        const std::size_t leaves = context_.layouts.of(type).size();
        for (std::uint32_t leaf = 0; leaf < leaves; ++leaf)
            call.args.push_back(builder_.read(localsOf(value)[value.leaf + leaf]));
    }
    const ir::Function& function = context_.out.functions[call.function.index];
    Effects& effects = writer_.effects();
    // whoever goes back over cycles tells calls by the class and the instance that make them
    effects.usesOwner = effects.usesOwner || function.owner.valid() || ir::isCalledOnce(function);
    effects.mayFail = effects.mayFail || function.mayFail;
    effects.mayTrace = effects.mayTrace || function.mayTrace;
    return call;
}

}  // namespace smec::lower
