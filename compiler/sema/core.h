#pragma once

#include "sema/bus_types.h"
#include "sema/constant_pool.h"
#include "sema/constant_symbols.h"
#include "sema/declarations.h"
#include "sema/functions.h"
#include "sema/step_budget.h"
#include "sema/type_symbols.h"
#include "sema/unused.h"

namespace smec::sema {

/// What all checks of one compilation share, put together. Whoever starts a check is given it; who
/// checks a construct takes from it, when he is made, the parts that he uses.
struct Core {
    Core(const Program& program, const SourceManager& sources, Diagnostics& diagnostics,
         hir::Design& designOf, const Rules& rulesOf, const Limits& limitsOf);
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;

    hir::Design& design;
    const Rules rules;
    const Limits limits;
    ModuleScopes modules;
    Reporter reporter;
    Hints hints;
    Declarations declarations;
    ConstantSymbols constantSymbols;
    TypeSymbols typeSymbols;
    BusTypes busTypes;
    Functions functions;
    ConstantPool pool;
    StepBudget steps;
    UnusedNames unused;

    hir::TypeTable& types() { return design.types; }
};

/// Checks what can be checked without instances: constants, types and functions.
void checkDeclarations(Core& core, const Scope& scope, const std::vector<ast::Decl>& decls);
/// Declares and checks all modules.
void checkModules(Core& core);

}  // namespace smec::sema
