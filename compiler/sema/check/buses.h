#pragma once

#include "sema/check/context.h"

namespace smec::sema {

class Indices;
class Names;

/// A whole bus, or array of buses.
Operand busOperand(std::uint32_t port, SourceRange range);
/// A port has the fields of its type, if it has one; the bus behind it may have more.
const std::vector<hir::FieldShape>& declaredFields(BusTypes& types, const Scope& scope,
                                                   const ast::ProcDecl& process, const Ports& ports,
                                                   std::uint32_t port);

/// Elements and fields of buses.
class Buses {
public:
    Buses(const CheckContext& in, Names& names, Indices& indices)
        : reporter_(in.core.reporter),
          types_(in.core.types()),
          design_(in.core.design),
          uses_(in.uses),
          build_(in.build),
          ports_(in.ports),
          nesting_(in.nesting),
          names_(names),
          indices_(indices) {}

    Operand busElement(Operand bus, ast::ExprId index, SourceRange range, bool isTarget);
    hir::ExprId elementExpr(const Operand& bus);
    std::optional<std::uint32_t> fieldIndex(const Operand& bus, const ast::Identifier& name);
    Operand fieldOf(Operand bus, const ast::Identifier& name, SourceRange range);

private:
    hir::ExprId elementOffset(Operand& index, std::uint64_t count, std::uint64_t stride,
                              SourceRange range);

    Reporter& reporter_;
    hir::TypeTable& types_;
    const hir::Design& design_;
    ConstantUses& uses_;
    BodyBuilder& build_;
    Ports& ports_;
    Nesting& nesting_;
    Names& names_;
    Indices& indices_;
};

}  // namespace smec::sema
