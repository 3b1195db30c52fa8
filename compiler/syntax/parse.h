#pragma once

#include "ast/ast.h"
#include "diag/diagnostics.h"

namespace smec::syntax {

/// Parses one file. Always returns a module: what could be parsed, declaration by declaration, when
/// there were errors (reported to `diagnostics`; within a process or network at most one for each
/// declaration and statement of its own). Never throws for bad input; time and memory are bounded
/// by a small multiple of the file's size. No ANTLR type leaves this folder.
ast::Module parse(const SourceManager& sources, FileId file, Diagnostics& diagnostics);

}  // namespace smec::syntax
