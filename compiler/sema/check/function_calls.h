#pragma once

#include "sema/check/conversions.h"

namespace smec::sema {

class Expressions;

/// Calls of functions. Those with constant arguments are evaluated.
class FunctionCalls {
public:
    FunctionCalls(const CheckContext& in, Expressions& expressions, Conversions& conversions)
        : reporter_(in.core.reporter),
          types_(in.core.types()),
          functions_(in.core.functions),
          steps_(in.core.steps),
          design_(in.core.design),
          module_(in.module),
          uses_(in.uses),
          build_(in.build),
          nesting_(in.nesting),
          expressions_(expressions),
          conversions_(conversions) {}

    Operand call(Symbol& symbol, const ast::Call& node, SourceRange range);

private:
    std::vector<std::string> namesOf(const FunctionVersion& version) const;
    std::vector<Destination> parametersOf(const FunctionVersion& version,
                                          std::string_view callee) const;
    std::optional<std::vector<Operand>> checkArguments(const std::vector<ast::ExprId>& ordered,
                                                       const std::vector<Destination>& parameters);
    Operand fold(const FunctionVersion& version, const std::vector<Operand>& arguments,
                 SourceRange range, bool& folded);
    Operand emit(const FunctionVersion& version, std::vector<Operand> arguments,
                 const std::vector<Destination>& parameters, SourceRange range);

    Reporter& reporter_;
    hir::TypeTable& types_;
    Functions& functions_;
    StepBudget& steps_;
    const hir::Design& design_;
    const ast::Module& module_;
    ConstantUses& uses_;
    BodyBuilder& build_;
    Nesting& nesting_;
    Expressions& expressions_;
    Conversions& conversions_;
};

}  // namespace smec::sema
