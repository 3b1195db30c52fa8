#pragma once

#include <string>

#include "syntax/build_context.h"

namespace smec::syntax {

ast::ExprId buildLiteral(const BuildContext& in, const antlr4::Token* token);
ast::ExprId buildString(const BuildContext& in, const antlr4::Token* token);
/// What stands between the quotes.
std::string stringValue(const BuildContext& in, const antlr4::Token* token);

}  // namespace smec::syntax
