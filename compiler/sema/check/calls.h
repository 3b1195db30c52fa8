#pragma once

#include "sema/check/context.h"

namespace smec::sema {

class Builtins;
class Conversions;
class Expressions;
class Judgements;
class Lists;
class Names;

/// Calls, casts and struct literals: what a call is depends on what its callee names.
class Calls {
public:
    Calls(const CheckContext& in, Names& names, Lists& lists, Expressions& expressions,
          Builtins& builtins, Conversions& conversions, Judgements& judgements)
        : core_(in.core),
          scope_(in.scope),
          module_(in.module),
          uses_(in.uses),
          build_(in.build),
          ports_(in.ports),
          locals_(in.locals),
          nesting_(in.nesting),
          names_(names),
          lists_(lists),
          expressions_(expressions),
          builtins_(builtins),
          conversions_(conversions),
          judgements_(judgements) {}

    Operand call(ast::ExprId id, const ast::Call& node, SourceRange range);

private:
    std::string hintFor(const std::string& unknown);
    Operand cast(const ast::Call& node, hir::TypeId type, SourceRange range);
    Operand structLiteral(const ast::Call& node, hir::TypeId type, SourceRange range);
    Operand callFunction(Symbol& symbol, const ast::Call& node, SourceRange range);
    Operand foldCall(const FunctionVersion& version, const std::vector<Operand>& arguments,
                     SourceRange range, bool& folded);
    std::optional<std::vector<ast::ExprId>> orderArguments(const ast::Call& node,
                                                           const std::vector<std::string>& names,
                                                           std::string_view what,
                                                           SourceRange range);

    Core& core_;
    const Scope& scope_;
    const ast::Module& module_;
    ConstantUses& uses_;
    BodyBuilder& build_;
    Ports& ports_;
    Locals& locals_;
    Nesting& nesting_;
    Names& names_;
    Lists& lists_;
    Expressions& expressions_;
    Builtins& builtins_;
    Conversions& conversions_;
    Judgements& judgements_;
};

}  // namespace smec::sema
