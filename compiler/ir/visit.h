#pragma once

#include "ir/ir.h"
#include "source/function_ref.h"
#include "source/overloaded.h"

/// Walking expressions and statements without spelling out every kind. Each of these functions
/// names every kind of node, so that one which is added does not compile before it has its place
/// here.
namespace smec::ir {

using smec::AnyOf;

/// Calls `use` for every valid operand, in order.
void forEachOperand(Expr& expr, FunctionRef<void(ExprId&)> use);
void forEachOperand(const Expr& expr, FunctionRef<void(ExprId)> use);

/// Calls `use` for every valid expression that the statement itself uses (nested blocks excepted),
/// in evaluation order.
void forEachExpr(Stmt& stmt, FunctionRef<void(ExprId&)> use);
void forEachExpr(const Stmt& stmt, FunctionRef<void(ExprId)> use);

/// Calls `use` for every block directly inside the statement.
void forEachBlock(Stmt& stmt, FunctionRef<void(Block&)> use);
void forEachBlock(const Stmt& stmt, FunctionRef<void(const Block&)> use);

/// Calls `use` for every statement of the block and of the blocks inside, a statement before what it
/// holds.
void forEachStmt(Block& block, FunctionRef<void(Stmt&)> use);
void forEachStmt(const Block& block, FunctionRef<void(const Stmt&)> use);

/// Gives every statement its number, from `next` on; the number behind the last.
std::uint32_t numberStatements(Block& block, std::uint32_t next = 0);
/// Of all bodies.
void numberStatements(Design& design);

bool isBranch(const Stmt& stmt);
bool isLoop(const Stmt& stmt);
/// Whether a statement itself sets all elements of an array at once.
bool setsAll(const Stmt& stmt, LocalId array);
/// Whether what follows in the block is never reached.
bool leavesBlock(const Stmt& stmt);

}  // namespace smec::ir
