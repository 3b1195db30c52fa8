#pragma once

#include "sema/check/conversions.h"

namespace smec::sema {

class Calls;
class Lists;
class Names;
class Operators;
class Selections;

/// Every expression, by what it is.
class Expressions {
public:
    Expressions(const CheckContext& in, Names& names, Selections& selections, Operators& operators,
                Lists& lists, Calls& calls)
        : reporter_(in.core.reporter),
          types_(in.core.types()),
          module_(in.module),
          uses_(in.uses),
          build_(in.build),
          nesting_(in.nesting),
          names_(names),
          selections_(selections),
          operators_(operators),
          lists_(lists),
          calls_(calls) {}

    Operand check(ast::ExprId id);
    /// Like check, for expressions whose meaning depends on where they go: array literals, strings,
    /// file(...).
    Operand checkFor(ast::ExprId id, const Destination& destination);
    /// Looks at the type alone: nothing is read, and nothing of it stays in the body.
    Operand checkTypeOnly(ast::ExprId id);
    /// A bool, as part of the body; invalid after an error.
    hir::ExprId condition(ast::ExprId expr, Operand* checked = nullptr);
    void checkAll(const std::vector<ast::Argument>& arguments);

private:
    Operand number(const ast::IntLiteral& node, SourceRange range);
    Operand number(const ast::FloatLiteral& node, SourceRange range);
    Operand checkNode(ast::ExprId id, const ast::Expr& expr);

    Reporter& reporter_;
    hir::TypeTable& types_;
    const ast::Module& module_;
    ConstantUses& uses_;
    BodyBuilder& build_;
    Nesting& nesting_;
    Names& names_;
    Selections& selections_;
    Operators& operators_;
    Lists& lists_;
    Calls& calls_;
};

}  // namespace smec::sema
