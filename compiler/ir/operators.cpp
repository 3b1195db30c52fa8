#include "ir/operators.h"

#include "source/internal_error.h"

// Every operator, and no default: an operator that is added has no facts until it stands here.

namespace smec::ir {

OperatorFacts factsOf(BinaryOp op) {
    using enum BinaryOp;
    using enum OperatorKind;
    switch (op) {
    case Add:
    case Mul:
    case And:
    case Or:
    case Xor:
        return {.kind = Arithmetic, .commutes = true, .lowBitsSuffice = true, .fitsLanes = true};
    case Sub:
    case Shl:
    case Shr: return {.kind = Arithmetic, .lowBitsSuffice = true, .fitsLanes = true};
    case Div:
    case Mod: return {.kind = Arithmetic};
    case Min:
    case Max: return {.kind = Arithmetic, .commutes = true, .fitsLanes = true};
    case Lt:
    case Le:
    case Eq:
    case Ne: return {.kind = IntegerComparison, .fitsLanes = true};
    case BoolAnd:
    case BoolOr:
    case BoolXor:
    case BoolEq: return {.kind = Logical, .fitsLanes = true};
    case FAdd:
    case FSub:
    case FMul:
    case FDiv: return {.kind = FloatArithmetic, .fitsLanes = true};
    case FMin:
    case FMax: return {.kind = FloatArithmetic};
    case FLt:
    case FLe:
    case FEq:
    case FNe: return {.kind = FloatComparison, .fitsLanes = true};
    }
    throw InternalError("an operator without facts");
}

}  // namespace smec::ir
