#pragma once

#include <string>

#include "ast/ast.h"

namespace smec::ast {

/// The module as `.sme` text in the house style: parsing it again gives an equal tree (ranges
/// apart). Comments are not kept here; the formatter does that. Parentheses stand where the source
/// had them (ast::Paren).
std::string print(const Module& module);

/// One expression as text, for messages and implicit port names ("a.ping").
std::string print(const Module& module, ExprId expr);

/// Indented dump of the tree with node kinds, for `smec compile --emit=ast` and golden tests.
std::string dump(const Module& module);

}  // namespace smec::ast
