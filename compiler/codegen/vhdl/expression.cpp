#include "codegen/vhdl/expression.h"

#include "ir/arithmetic.h"
#include "source/internal_error.h"

namespace smec::codegen::vhdl {

using namespace hdl;

std::string ExpressionPrinter::equals(ExprId id, const Integer& value) const {
    const Type& type = module_[id].type;
    return within(printAs(id, formOf(type)), Level::Arithmetic) + " = " + literal(value, type);
}

std::string ExpressionPrinter::equals(ExprId id, const std::string& number) const {
    return within(printAs(id, Form::Unsigned), Level::Arithmetic) + " = " + number;
}

Text ExpressionPrinter::printAs(ExprId id, Form form) const {
    const Expr& expr = module_[id];
    // GHDL 2 fails where it resizes a negative number that became an unsigned one
    if (expr.op == Op::Const && expr.value < 0 && form == Form::Unsigned)
        return {literal(ir::wrapInteger(expr.value, expr.type.width, false),
                        {expr.type.width, false, false}),
                form};
    return as(print(id), form);
}

Text ExpressionPrinter::print(ExprId id) const {
    const Expr& expr = module_[id];
    switch (expr.op) {
    case Op::Const: return {literal(expr.value, expr.type), formOf(expr.type)};
    case Op::Ref:
        if (module_[expr.signal].role == Role::Counter)
            return places_.counter(expr.signal, expr.type);
        return {names_[expr.signal], formOf(module_[expr.signal])};
    case Op::Element: return places_.element(expr);
    case Op::Slice: return places_.slice(expr);
    case Op::Part: return places_.part(expr);
    case Op::Concat: return operators_.concat(id);
    case Op::Repeat: return operators_.repeat(expr);
    case Op::Resize: return operators_.resize(expr);
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::Complement:
    case Op::Negate:
    case Op::Div:
    case Op::Rem:
    case Op::Shl:
    case Op::Shr:
    case Op::Eq:
    case Op::Ne:
    case Op::Lt:
    case Op::Le:
    case Op::LogicalAnd:
    case Op::LogicalOr:
    case Op::LogicalNot:
    case Op::Choose:
    case Op::Popcount:
    case Op::Parity: return operators_.operation(expr);
    }
    throw InternalError("no such operator");
}

}  // namespace smec::codegen::vhdl
