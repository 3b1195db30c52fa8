#pragma once

#include "sema/check/context.h"

namespace smec::sema {

class Builtins;
class Conversions;
class Expressions;
class FunctionCalls;
class Judgements;
class Lists;
class Names;

/// Calls, casts and struct literals: what a call is depends on what its callee names.
class Calls {
public:
    Calls(const CheckContext& in, Names& names, Lists& lists, Expressions& expressions,
          Builtins& builtins, FunctionCalls& functionCalls, Conversions& conversions,
          Judgements& judgements)
        : in_(in),
          reporter_(in.core.reporter),
          types_(in.core.types()),
          module_(in.module),
          names_(names),
          lists_(lists),
          expressions_(expressions),
          builtins_(builtins),
          functionCalls_(functionCalls),
          conversions_(conversions),
          judgements_(judgements) {}

    Operand call(const ast::Call& node, SourceRange range);

private:
    Operand cast(const ast::Call& node, hir::TypeId type, SourceRange range);
    Operand cast(const ast::Call& node, Symbol& symbol, SourceRange range);
    Operand structLiteral(const ast::Call& node, hir::TypeId type, SourceRange range);
    bool isOtherLanguage(const ast::Expr& callee, const Symbol* symbol);
    void reportNoFunction(const ast::Expr& callee, const Symbol* symbol);
    std::string hintFor(const std::string& unknown);

    const CheckContext& in_;
    Reporter& reporter_;
    hir::TypeTable& types_;
    const ast::Module& module_;
    Names& names_;
    Lists& lists_;
    Expressions& expressions_;
    Builtins& builtins_;
    FunctionCalls& functionCalls_;
    Conversions& conversions_;
    Judgements& judgements_;
};

}  // namespace smec::sema
