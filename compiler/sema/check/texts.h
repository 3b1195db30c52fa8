#pragma once

#include "sema/check/context.h"

namespace smec::sema {

class Expressions;

/// trace, assert, assume, cover.
class Texts {
public:
    Texts(const CheckContext& in, Expressions& expressions)
        : reporter_(in.core.reporter),
          types_(in.core.types()),
          module_(in.module),
          mode_(in.mode),
          build_(in.build),
          nesting_(in.nesting),
          expressions_(expressions) {}

    void trace(const ast::Trace& node, SourceRange range, hir::Block& out);
    void assertion(const ast::Assert& node, SourceRange range, hir::Block& out);
    void cover(const ast::Cover& node, SourceRange range, hir::Block& out);

private:
    bool placeholderFits(const hir::FormatSpec& spec, const Operand& argument);
    std::optional<hir::Text> text(ast::ExprId format, const std::vector<ast::ExprId>& arguments,
                                  SourceRange range);

    Reporter& reporter_;
    hir::TypeTable& types_;
    const ast::Module& module_;
    const CheckMode mode_;
    BodyBuilder& build_;
    Nesting& nesting_;
    Expressions& expressions_;
    std::uint32_t covers_ = 0;
};

}  // namespace smec::sema
