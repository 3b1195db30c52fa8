#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sema/reporter.h"

namespace smec::sema {

/// The arguments of a call in the order of `names`, which are of `what`: "argument", "member";
/// nothing after an error.
std::optional<std::vector<ast::ExprId>>
orderArguments(Reporter& reporter, const ast::Module& module, const ast::Call& node,
               const std::vector<std::string>& names, std::string_view what, SourceRange range);

/// "1 is", "2 are"
std::string areGiven(std::size_t count);

}  // namespace smec::sema
