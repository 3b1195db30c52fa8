#pragma once

#include "sema/operand.h"

namespace smec::sema {

/// Values one after the other: plain constants as values, everything else as operands.
struct ListBuilder {
    hir::Value::List values;
    std::vector<std::pair<std::size_t, Operand>> others;  ///< converted; place in the list
    std::vector<hir::TypeId> types;  ///< of the members, or one for all elements
    bool failed = false;

    hir::TypeId typeAt(std::size_t i) const { return types.size() == 1 ? types[0] : types[i]; }
    void add(Operand operand) {
        if (operand.isConstant() && !operand.perInstance) {
            values.push_back(operand.shared ? *operand.shared : std::move(operand.own));
            return;
        }
        others.emplace_back(values.size(), std::move(operand));
        values.push_back({});
    }
};

}  // namespace smec::sema
