#pragma once

#include "sema/check/body_builder.h"
#include "sema/check/constant_uses.h"
#include "sema/check/locals.h"
#include "sema/check/nesting.h"
#include "sema/check/ports.h"

namespace smec::sema {

/// What the check of one body, or of one constant expression, stands on. Whoever checks a construct
/// takes from it what it needs when it is made. The parts own their state and outlive all of them.
struct CheckContext {
    Core& core;
    const Scope& scope;
    const ast::Module& module;
    CheckMode mode;
    hir::ProcKind kind;
    const ast::ProcDecl* process;  ///< null: a function or a constant
    PathResolver* paths;           ///< null: no path leaves what is checked
    ConstantUses& uses;
    BodyBuilder& build;
    Ports& ports;
    Locals& locals;
    Nesting& nesting;
};

}  // namespace smec::sema
