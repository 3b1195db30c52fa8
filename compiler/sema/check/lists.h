#pragma once

#include "sema/check/conversions.h"
#include "sema/check/list_builder.h"

namespace smec::sema {

class Expressions;

/// Array literals, strings and data files: what becomes of them depends on where they go.
class Lists {
public:
    Lists(const CheckContext& in, Expressions& expressions, Conversions& conversions)
        : reporter_(in.core.reporter),
          types_(in.core.types()),
          modules_(in.core.modules),
          scope_(in.scope),
          module_(in.module),
          build_(in.build),
          expressions_(expressions),
          conversions_(conversions) {}

    Operand finish(ListBuilder& list, hir::TypeId type, SourceRange range);
    Operand arrayFor(const ast::ArrayLiteral& node, SourceRange range,
                     const Destination& destination);
    Operand bytesFor(const std::string& text, SourceRange range, const Destination& destination);
    Operand arrayLiteral(const ast::ArrayLiteral& node, SourceRange range);
    bool isDataFile(ast::ExprId id);
    Operand dataFile(const ast::Call& node, SourceRange range, const Destination& destination);

private:
    void reportSurplus(SourceRange range, const Destination& destination, std::size_t given);
    void reportLength(SourceRange range, const Destination& destination, std::size_t given);

    Reporter& reporter_;
    hir::TypeTable& types_;
    const ModuleScopes& modules_;
    const Scope& scope_;
    const ast::Module& module_;
    BodyBuilder& build_;
    Expressions& expressions_;
    Conversions& conversions_;
};

}  // namespace smec::sema
