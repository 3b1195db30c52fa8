#pragma once

#include "sema/reporter.h"

namespace smec::sema {

/// Warns of variables that start anew in every run and are used as if they kept their value.
void warnStartsAnew(Reporter& reporter, hir::TypeTable& types, const ast::Module& module,
                    const Scope& scope, const ast::ProcDecl& process);

}  // namespace smec::sema
