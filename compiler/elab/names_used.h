#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "ast/ast.h"

namespace smec::elab {

using NameVisitor = std::function<void(std::string_view)>;

/// Calls `visit` for every name at the root of a path in the expression, type or declaration: what
/// may depend on which names, judged by text alone. Iterates over expressions, so that long chains
/// do not recurse.
void namesInExpr(const ast::Module& module, ast::ExprId expr, const NameVisitor& visit);
void namesInType(const ast::Module& module, const ast::TypeExpr& type, const NameVisitor& visit);
void namesInBus(const ast::Module& module, const ast::BusDecl& bus, const NameVisitor& visit);

/// The names on which the structure of an entity or generate body depends: buses, constants, types,
/// bounds, conditions and indices of instances, but not the arguments of instances and no process
/// variables.
void namesInStructure(const ast::Module& module, std::span<const ast::Decl> decls,
                      const NameVisitor& visit);

/// Calls `visit` for every instance declared in `decls`, in generate bodies too, chosen or not.
void forEachInstance(const std::vector<ast::Decl>& decls,
                     const std::function<void(const ast::InstanceDecl&)>& visit);

}  // namespace smec::elab
