#pragma once

#include "sema/check/context.h"

namespace smec::sema {

/// Warnings about what the declared types decide. Named constants configure a design, so that what
/// they decide is no mistake: `mark` is ConstantUses::named() before the operands were checked.
class Judgements {
public:
    explicit Judgements(const CheckContext& in)
        : reporter_(in.core.reporter),
          types_(in.core.types()),
          module_(in.module),
          uses_(in.uses),
          nesting_(in.nesting) {}

    void comparison(const ast::Binary& node, const Operand& left, const Operand& right,
                    std::size_t mark);
    void condition(ast::ExprId expr, const Operand& condition, bool isTrueMeant);
    void stored(const Operand& operand, hir::TypeId type, std::size_t mark);
    void index(const Operand& index, std::uint64_t count, std::size_t mark);
    void loop(const ast::For& node, const Operand& from, const Operand& to, SourceRange range);

private:
    bool isLiteral(ast::ExprId id) const;

    Reporter& reporter_;
    hir::TypeTable& types_;
    const ast::Module& module_;
    ConstantUses& uses_;
    Nesting& nesting_;
};

/// What stands after a statement that always leaves the block. Whether `while` ends may depend on a
/// constant of the instance.
void judgeReachable(Reporter& reporter, const hir::Body& body, const hir::Block& block);
/// An assertion that fails in every run.
void judgeAssertions(Reporter& reporter, const hir::Body& body);

}  // namespace smec::sema
