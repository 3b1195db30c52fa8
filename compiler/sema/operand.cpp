#include "sema/operand.h"

#include <algorithm>

#include "sema/reporter.h"

namespace smec::sema {

using hir::TypeTable;

void merge(Operand& result, const Operand& part) {
    if (!part.isConstant()) return;
    if (part.perInstance && !result.perInstance) {
        result.touchedBegin = part.touchedBegin;
        result.touchedEnd = part.touchedEnd;
    } else if (part.perInstance) {
        result.touchedBegin = std::min(result.touchedBegin, part.touchedBegin);
        result.touchedEnd = std::max(result.touchedEnd, part.touchedEnd);
    }
    result.perInstance |= part.perInstance;
    result.siteSafe &= part.siteSafe;
}

std::string typeName(hir::TypeTable& types, const Operand& operand) {
    if (operand.isConstant() && operand.unsized) return types.name(operand.type);
    return types.name(types.isInteger(operand.type) ? operand.type : operand.declared);
}

std::string described(hir::TypeTable& types, const Operand& operand) {
    bool isNumber = types.isInteger(operand.type) || types.isFloat(operand.type);
    if (operand.isConstant() && isNumber && !operand.perInstance)
        return hir::toString(types, operand.type, operand.value());
    return typeName(types, operand);
}

bool operandsAreValues(Reporter& reporter, const Operand& left, const Operand& right) {
    for (const Operand* operand : {&left, &right}) {
        if (operand->kind == Operand::Kind::Bus) {
            reporter.report(DiagId::NotAValue, operand->range, reporter.text(operand->range),
                            "a bus", "; name one of its fields");
            return false;
        }
        if (operand->kind == Operand::Kind::Undefined) {
            reporter.report(DiagId::UndefinedUse, operand->range);
            return false;
        }
        if (operand->isValue() && operand->type == TypeTable::kString) {
            reporter.report(DiagId::TextUse, operand->range);
            return false;
        }
    }
    return true;
}

}  // namespace smec::sema
