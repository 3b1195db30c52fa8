#pragma once

#include "syntax/build_declarations.h"

namespace smec::syntax {

/// Makes syntax trees from ANTLR's contexts. Reports what the grammar lets pass but the language
/// does not: reserved names, misplaced declarations, literals out of range, expressions that nest
/// too deep. The parts are put together here; each sees those that it calls.
struct Builder {
    explicit Builder(const BuildContext& context) : in(context) {}
    Builder(const Builder&) = delete;
    Builder& operator=(const Builder&) = delete;

    const BuildContext in;
    ExpressionBuilder expressions{in};
    TypeBuilder types{in, expressions};
    StatementBuilder statements{in, expressions, types};
    DeclarationBuilder declarations{in, expressions, types, statements};
};

}  // namespace smec::syntax
