#pragma once

#include "lower/body/numbers.h"
#include "lower/body/part.h"
#include "lower/body/variables.h"
#include "lower/body/writer.h"

namespace smec::lower {

/// What the lowering of one body stands on. Whoever lowers a construct takes from it what it needs
/// when it is made. The parts own their state and outlive all of them.
struct BodyContext {
    Context& context;
    const ClassShape& shape;  ///< whose process this is, or on whose behalf a function is lowered
    const hir::Body& source;
    const hir::Function* function;  ///< null: a process
    ir::Body& body;
    ir::Builder& builder;
    Writer& writer;
    Numbers& numbers;
    Variables& variables;
};

}  // namespace smec::lower
