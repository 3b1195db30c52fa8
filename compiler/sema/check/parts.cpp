#include "sema/check/parts.h"

namespace smec::sema {

namespace {

hir::ProcKind procKindOf(const ast::ProcDecl* process) {
    return process ? static_cast<hir::ProcKind>(process->kind) : hir::ProcKind::Clocked;
}

}  // namespace

CheckState::CheckState(Core& core, const Scope& scope, CheckMode mode, const ast::ProcDecl* process,
                       PathResolver* paths)
    : uses(core, scope, mode),
      build(core, uses, mode),
      ports(core, build, uses, procKindOf(process)),
      locals(core, build),
      context{core,
              scope,
              core.modules.module(scope.module()),
              mode,
              procKindOf(process),
              process,
              paths,
              uses,
              build,
              ports,
              locals,
              nesting} {}

ExpressionParts::ExpressionParts(const CheckContext& in)
    : conversions(in),
      judgements(in),
      constants(in, expressions, conversions),
      writtenTypes(in, names, expressions, constants),
      names(in, busPaths, writtenTypes),
      indices(in, expressions, constants, judgements),
      buses(in, names, indices),
      busPaths(in, names, selections),
      selections(in, names, indices, buses, busPaths, expressions),
      operators(in, expressions, judgements),
      lists(in, expressions, conversions),
      builtins(in, names, expressions, conversions, constants),
      functionCalls(in, expressions, conversions),
      calls(in, names, lists, expressions, builtins, functionCalls, conversions, judgements),
      expressions(in, names, selections, operators, lists, calls) {}

StatementParts::StatementParts(const CheckContext& in, ExpressionParts& parts,
                               FunctionResult result)
    : targets(in, parts.names, parts.indices, parts.buses, parts.busPaths, parts.expressions),
      assignments(in, parts.buses, parts.operators, parts.expressions, parts.conversions,
                  parts.judgements, targets),
      switches(in, parts.expressions, parts.constants, statements),
      texts(in, parts.expressions),
      statements(in, parts.expressions, parts.conversions, parts.writtenTypes, parts.judgements,
                 assignments, switches, texts, std::move(result)) {}

}  // namespace smec::sema
