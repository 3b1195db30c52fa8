#pragma once

#include "sema/check/assignments.h"
#include "sema/check/builtins.h"
#include "sema/check/bus_paths.h"
#include "sema/check/buses.h"
#include "sema/check/calls.h"
#include "sema/check/constants.h"
#include "sema/check/expressions.h"
#include "sema/check/function_calls.h"
#include "sema/check/judgements.h"
#include "sema/check/lists.h"
#include "sema/check/names.h"
#include "sema/check/operators.h"
#include "sema/check/selections.h"
#include "sema/check/statements.h"
#include "sema/check/switches.h"
#include "sema/check/texts.h"
#include "sema/check/written_types.h"

// Who knows whom. Each part names in its constructor the parts that it calls; here they are put
// together, for those who start a check. No part sees these structs.

namespace smec::sema {

/// The state of one check, and the view of it that the parts are given.
struct CheckState {
    CheckState(Core& core, const Scope& scope, CheckMode mode,
               const ast::ProcDecl* process = nullptr, PathResolver* paths = nullptr);
    CheckState(const CheckState&) = delete;
    CheckState& operator=(const CheckState&) = delete;

    ConstantUses uses;
    BodyBuilder build;
    Ports ports;
    Locals locals;
    Nesting nesting;
    const CheckContext context;
};

/// What checks expressions. They call each other: an index is an expression with a name in it.
struct ExpressionParts {
    explicit ExpressionParts(const CheckContext& in);
    ExpressionParts(const ExpressionParts&) = delete;
    ExpressionParts& operator=(const ExpressionParts&) = delete;

    Conversions conversions;
    Judgements judgements;
    Constants constants;
    WrittenTypes writtenTypes;
    Names names;
    Indices indices;
    Buses buses;
    BusPaths busPaths;
    Selections selections;
    Operators operators;
    Lists lists;
    Builtins builtins;
    FunctionCalls functionCalls;
    Calls calls;
    Expressions expressions;
};

/// What checks statements, over what checks expressions.
struct StatementParts {
    StatementParts(const CheckContext& in, ExpressionParts& parts, FunctionResult result);
    StatementParts(const StatementParts&) = delete;
    StatementParts& operator=(const StatementParts&) = delete;

    Targets targets;
    Assignments assignments;
    Switches switches;
    Texts texts;
    Statements statements;
};

}  // namespace smec::sema
