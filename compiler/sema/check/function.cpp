#include <algorithm>

#include "sema/check/bodies.h"
#include "sema/check/parts.h"
#include "sema/flow.h"

namespace smec::sema {

CheckedFunction checkFunction(Core& core, const Scope& scope, const ast::FuncDecl& decl) {
    CheckState state(core, scope, CheckMode::Function);
    ExpressionParts parts(state.context);
    FunctionResult given{{}, decl.name.text};
    for (const ast::FuncParam& param : decl.params) {
        const hir::TypeId type = parts.writtenTypes.resolve(param.type);
        state.locals.declare(param.name, type, hir::VarKind::Param);
    }
    given.type = parts.writtenTypes.resolve(decl.result);
    StatementParts statements(state.context, parts, given);
    hir::Body& body = state.build.body();
    std::uint64_t errorsBefore = core.reporter.errors();
    body.statements = statements.statements.block(decl.body);
    if (core.reporter.errors() == errorsBefore)
        judgeReachable(core.reporter, body, body.statements);
    for (const Local& param : state.locals.all())
        if (!param.used && !param.name.starts_with('_'))
            core.reporter.report(DiagId::Unused, param.range, "parameter", param.name);
    if (canFallOff(body, body.statements) && !core.types().isError(given.type))
        core.reporter.report(DiagId::ReturnMissing, decl.name.range, decl.name.text);
    // Every use of the instance's constants shaped this version.
    state.uses.dependOnTouched();
    CheckedFunction result;
    result.function.name = decl.name.text;
    result.function.range = decl.name.range;
    result.function.paramCount = static_cast<std::uint32_t>(decl.params.size());
    result.function.result = result.result = given.type;
    result.function.body = std::move(body);
    result.dependencies = state.uses.takeDependencies();
    return result;
}

}  // namespace smec::sema
