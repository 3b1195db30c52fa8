#pragma once

#include "hir/design.h"

/// Which ways through checked statements exist, judged without values: both sides of every `if` are
/// possible.
namespace smec::sema {

/// How control may leave a block without having passed a `wait`.
struct Ways {
    bool falls = false;  ///< off its end
    bool breaks = false;
    bool continues = false;
};
Ways waysWithoutWait(const hir::Body& body, const hir::Block& block);

/// True when the end of the block can be reached (functions must return).
bool canFallOff(const hir::Body& body, const hir::Block& block);

/// True when what follows the statement can be reached.
bool goesOn(const hir::Body& body, const hir::Stmt& statement);

/// The assertion or assumption that fails in every activation, if there is one: its condition is
/// constant and false, and nothing in front of it can leave the body.
const hir::Stmt* certainFailure(const hir::Body& body, const hir::Block& block);

/// A constant `true` in every instance.
bool isTrue(const hir::Body& body, hir::ExprId condition);
/// An assertion that always fails where it is reached: what comes after it is not.
bool isFailure(const hir::Body& body, const hir::Stmt& statement);
/// Some case matches whatever the subject is.
inline bool isExhaustive(const hir::Switch& node) { return node.otherwise || node.coversAll; }

}  // namespace smec::sema
