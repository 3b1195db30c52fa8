#pragma once

#include <string_view>
#include <unordered_set>
#include <vector>

#include "ast/ast.h"

namespace smec::sema {

using Names = std::unordered_set<std::string_view>;

/// The names that expressions, types and instances mention, judged by text: of `a.b.c` only `a`.
/// What is declared does not count. Valid as long as the module.
Names namesIn(const ast::Module& module, const std::vector<ast::Param>& params,
              const std::vector<ast::Decl>& decls, const ast::Block* body = nullptr);

}  // namespace smec::sema
