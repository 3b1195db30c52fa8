#pragma once

#include <optional>

#include "sema/context.h"

namespace smec::sema {

struct Core;

/// Named constants, evaluated when first asked for.
class ConstantSymbols {
public:
    explicit ConstantSymbols(Core& core) : core_(core) {}

    /// Evaluates the symbol when that was not done yet; false after an error.
    bool evaluate(Symbol& symbol);
    /// The value of a simple expression over small integers, or nothing: then the checker has to do
    /// it.
    std::optional<std::int64_t> quick(ExprRef expr, const Scope& scope);

private:
    std::optional<std::int64_t> quickName(const ast::Name& name, const Scope& scope);

    Core& core_;
};

}  // namespace smec::sema
