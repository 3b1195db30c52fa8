#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "ast/ast.h"

namespace smec::elab {

using NameVisitor = std::function<void(std::string_view)>;

/// The names on which, judged by text alone, the structure of an entity or generate body depends:
/// buses, constants, types, bounds, conditions and indices of instances, but not the arguments of
/// instances and no process variables.
void namesInStructure(const ast::Module& module, std::span<const ast::Decl> decls,
                      const NameVisitor& visit);

/// Calls `visit` for every instance declared in `decls`, in generate bodies too, chosen or not.
void forEachInstance(const std::vector<ast::Decl>& decls,
                     const std::function<void(const ast::InstanceDecl&)>& visit);

}  // namespace smec::elab
