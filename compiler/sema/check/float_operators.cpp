#include "sema/check/operators.h"

// Binary operators of floats, whose literals take the type of the other side.

namespace smec::sema {

using hir::TypeTable;
using hir::Value;
using Op = hir::BinaryOp;

/// Makes both floats of one type where a literal or an integer constant allows it.
bool Operators::adaptFloats(Operand& left, Operand& right) {
    TypeTable& types = types_;
    auto adapt = [&](Operand& operand, const Operand& other) {
        bool isNumber = operand.floatLiteral || types.isInteger(operand.type);
        if (!operand.isConstant() || !isNumber || !types.isFloat(other.type)) return;
        if (other.floatLiteral && operand.floatLiteral) return;
        Value value = foldCast(types, operand.value(), other.type).value;
        operand.own = std::move(value);
        operand.shared = nullptr;
        operand.symbol = nullptr;
        operand.unsized = false;
        operand.type = operand.declared = other.type;
        operand.convertedTo = other.type;
        operand.floatLiteral = other.floatLiteral;
    };
    adapt(left, right);
    adapt(right, left);
    return types.isFloat(left.type) && left.type == right.type;
}

Operand Operators::floats(Op op, Operand left, Operand right, SourceRange range) {
    if (left.isConstant() && right.isConstant()) {
        Operand result = build_.constantOperand(foldBinary(op, left.value(), right.value()).value,
                                                left.type, range);
        result.floatLiteral = left.floatLiteral && right.floatLiteral;
        for (const Operand* part : {&left, &right})
            merge(result, *part);
        return result;
    }
    hir::ExprId first = build_.use(left), second = build_.use(right);
    return build_.valueOperand(build_.emit(left.type, range, hir::BinaryExpr{op, first, second}),
                               left.type, range);
}

}  // namespace smec::sema
