#pragma once

#include "sema/core.h"

namespace smec::sema {

/// What a function needs of its scope: constants of the instance whose values shaped it.
struct CheckedFunction {
    hir::Function function;
    hir::TypeId result;  ///< of a call; hir::Function::result is what C++ gives
    std::vector<ExprRef> dependencies;
};
CheckedFunction checkFunction(Core& core, const Scope& scope, const ast::FuncDecl& decl);
CheckedFunction checkForeignFunction(Core& core, const Scope& scope, const ast::ExternFunc& decl);

/// See Context::checkProcess.
CheckedProcess checkProcess(Core& core, Scope& scope, const ast::ProcDecl& decl,
                            const std::vector<PortInput>& ports, PathResolver& paths);

}  // namespace smec::sema
