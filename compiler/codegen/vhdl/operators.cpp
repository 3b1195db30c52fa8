#include "codegen/vhdl/operators.h"

#include <algorithm>

#include <fmt/format.h>

#include "codegen/vhdl/expression.h"
#include "hdl/module_builder.h"
#include "ir/arithmetic.h"
#include "source/internal_error.h"

// numeric_std gives sums the width of their operands, which is that of the result here. Products
// are twice as wide and cut, as unsigned numbers: its resize keeps the sign of a signed one. A
// division by 0, which nobody chooses, goes through functions of the support package.

namespace smec::codegen::vhdl {

using namespace hdl;

namespace {

const char* symbolOf(Op op) {
    switch (op) {
    case Op::Add: return "+";
    case Op::Sub: return "-";
    case Op::Mul: return "*";
    case Op::And:
    case Op::LogicalAnd: return "and";
    case Op::Or:
    case Op::LogicalOr: return "or";
    case Op::Xor: return "xor";
    case Op::Div: return "/";
    case Op::Rem: return "rem";
    case Op::Eq: return "=";
    case Op::Ne: return "/=";
    case Op::Lt: return "<";
    case Op::Le: return "<=";
    case Op::Const:
    case Op::Ref:
    case Op::Element:
    case Op::Slice:
    case Op::Part:
    case Op::Concat:
    case Op::Repeat:
    case Op::Resize:
    case Op::Complement:
    case Op::Negate:
    case Op::Shl:
    case Op::Shr:
    case Op::LogicalNot:
    case Op::Choose:
    case Op::Popcount:
    case Op::Parity: break;
    }
    throw InternalError("an operator without a symbol");
}

Text sideBySide(std::string parts) {
    Text text{std::move(parts), Form::Unsigned, Level::Arithmetic};
    text.isConcat = true;
    return text;
}

}  // namespace

/// What stands beside each other in a row of concatenations.
Text OperatorPrinter::concat(ExprId id) const {
    const auto piece = [&](ExprId one) {
        return within(expressions_.printAs(one, Form::Unsigned), Level::Simple);
    };
    std::string parts;
    for (; module_[id].op == Op::Concat; id = module_[id].args[0])
        parts = " & " + piece(module_[id].args[1]) + parts;
    return sideBySide(piece(id) + parts);
}

Text OperatorPrinter::repeat(const Expr& expr) const {
    const std::string one =
        within(expressions_.printAs(expr.args[0], Form::Unsigned), Level::Simple);
    std::string parts = one;
    for (std::uint32_t i = 1; i < expr.low; ++i)
        parts += " & " + one;
    return sideBySide(std::move(parts));
}

Text OperatorPrinter::resize(const Expr& expr) const {
    const Type& from = module_[expr.args[0]].type;
    const Form wanted = formOf(expr.type);
    const Expr& operand = module_[expr.args[0]];
    if (operand.op == Op::Ref && module_[operand.signal].role == Role::Counter && !expr.type.isBool
        && from.width <= expr.type.width)
        return as(places_.counter(operand.signal, expr.type), wanted);
    const Text inner = expressions_.print(expr.args[0]);
    if (from.isBool) {
        if (expr.type.isBool) return inner;
        return as({fmt::format("to_bits({}, {})", inner.text, expr.type.width), Form::Unsigned},
                  wanted);
    }
    if (expr.type.isBool) return {"to_logic(" + inner.text + ")", Form::Logic};
    if (from.width == expr.type.width) return as(inner, wanted);
    // GHDL 2 fails where it resizes a number of more than 32 bits whose value it knows
    const bool isWide = from.width > 32;
    const auto call = [&](const char* function, const Text& value) {
        return as({fmt::format("{}({}, {})", function, value.text, expr.type.width), value.form},
                  wanted);
    };
    if (from.width > expr.type.width)
        return call(isWide ? "low_bits" : "resize", as(inner, Form::Unsigned));
    if (inner.form != Form::Signed) return call(isWide ? "zero_extend" : "resize", inner);
    // and where it resizes a negative constant that it got from "resize" once more
    const bool isOnce = from.isSigned && !names_.isVarying(expr.args[0]);
    return call(isWide || isOnce ? "sign_extend" : "resize", inner);
}

Text OperatorPrinter::choose(const Expr& expr) const {
    const Form wanted = formOf(expr.type);
    return {fmt::format("choose({}, {}, {})", expressions_.condition(expr.args[0]),
                        expressions_.text(expr.args[1], wanted),
                        expressions_.text(expr.args[2], wanted)),
            wanted};
}

/// Ones, or whether they are odd.
Text OperatorPrinter::count(const Expr& expr) const {
    const std::string bits = expressions_.text(expr.args[0], Form::Unsigned);
    const Text all =
        expr.op == Op::Parity
            ? Text{"parity(" + bits + ")", Form::Logic}
            : Text{fmt::format("count_ones({}, {})", bits, expr.type.width), Form::Unsigned};
    return as(all, formOf(expr.type));
}

Text OperatorPrinter::operation(const Expr& expr) const {
    switch (expr.op) {
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::Complement:
    case Op::Negate: return arithmetic(expr);
    case Op::Div:
    case Op::Rem: return divide(expr);
    case Op::Shl:
    case Op::Shr: return shift(expr);
    case Op::Eq:
    case Op::Ne:
    case Op::Lt:
    case Op::Le: return compare(expr);
    case Op::LogicalAnd:
    case Op::LogicalOr:
    case Op::LogicalNot: return logical(expr);
    case Op::Choose: return choose(expr);
    case Op::Popcount:
    case Op::Parity: return count(expr);
    case Op::Const:
    case Op::Ref:
    case Op::Element:
    case Op::Slice:
    case Op::Part:
    case Op::Concat:
    case Op::Repeat:
    case Op::Resize: break;
    }
    throw InternalError("an operator without a text");
}

/// An operand, or a number of the language where the function beside it takes one.
std::string OperatorPrinter::operandOrNumber(ExprId id, const Text& text, Level most) const {
    const Expr& expr = module_[id];
    if (expr.op != Op::Const || expr.type.isBool) return within(text, most);
    const Integer value = ir::wrapInteger(expr.value, expr.type.width, text.form == Form::Signed);
    if (!isSmall(value)) return within(text, most);
    return value < 0 && most == Level::Simple ? "(" + value.str() + ")" : value.str();
}

Text OperatorPrinter::arithmetic(const Expr& expr) const {
    const Form wanted = formOf(expr.type);
    if (expr.op == Op::Mul) {
        const Text a = expressions_.printAs(expr.args[0], Form::Unsigned);
        const Text b = expressions_.printAs(expr.args[1], Form::Unsigned);
        return as({fmt::format("low_bits({} * {}, {})", within(a, Level::Simple),
                               within(b, Level::Simple), expr.type.width),
                   Form::Unsigned},
                  wanted);
    }
    const std::string a = within(expressions_.printAs(expr.args[0], wanted), Level::Simple);
    if (expr.op == Op::Complement) return {"not " + a, wanted, Level::Arithmetic};
    if (expr.op == Op::Negate)
        return as({"-" + within(expressions_.printAs(expr.args[0], Form::Signed), Level::Simple),
                   Form::Signed, Level::Arithmetic},
                  wanted);
    const bool isSum = expr.op == Op::Add || expr.op == Op::Sub;
    const bool isConst = module_[expr.args[0]].op == Op::Const;
    const Text right = expressions_.printAs(expr.args[1], wanted);
    const std::string b = isSum && !isConst ? operandOrNumber(expr.args[1], right, Level::Simple)
                                            : within(right, Level::Simple);
    return {fmt::format("{} {} {}", a, symbolOf(expr.op), b), wanted,
            isSum ? Level::Arithmetic : Level::Logical};
}

Text OperatorPrinter::divide(const Expr& expr) const {
    const Form form = formOf(module_[expr.args[0]].type);
    const Expr& divisor = module_[expr.args[1]];
    const Text a = expressions_.printAs(expr.args[0], form),
               b = expressions_.printAs(expr.args[1], form);
    const bool isPlain = divisor.op == Op::Const && divisor.value != 0;
    if (isPlain && (expr.op == Op::Div || names_.isVarying(expr.args[0])))
        return as({fmt::format("{} {} {}", within(a, Level::Simple), symbolOf(expr.op),
                               within(b, Level::Simple)),
                   form, Level::Arithmetic},
                  formOf(expr.type));
    return as(
        {fmt::format("{}({}, {})", expr.op == Op::Div ? "safe_div" : "safe_rem", a.text, b.text),
         form},
        formOf(expr.type));
}

Text OperatorPrinter::shift(const Expr& expr) const {
    const Form form = formOf(module_[expr.args[0]].type);
    const Expr& by = module_[expr.args[1]];
    std::string count;
    if (by.op == Op::Const)
        count = std::min(Integer(by.value), Integer(expr.type.width)).str();
    else if (by.type.width < 24)
        count = fmt::format("to_integer({})", expressions_.text(expr.args[1], Form::Unsigned));
    else
        count = fmt::format("shift_count({}, {})", expressions_.text(expr.args[1], Form::Unsigned),
                            expr.type.width);
    const Form vector = form == Form::Logic ? Form::Unsigned : form;
    return as({fmt::format("shift_{}({}, {})", expr.op == Op::Shl ? "left" : "right",
                           expressions_.text(expr.args[0], vector), count),
               vector},
              formOf(expr.type));
}

Text OperatorPrinter::compare(const Expr& expr) const {
    Form form = formOf(module_[expr.args[0]].type);
    Text a = expressions_.print(expr.args[0]), b = expressions_.print(expr.args[1]);
    if (a.form == Form::Boolean && b.form == Form::Boolean) form = Form::Boolean;
    const bool isEqual = expr.op == Op::Eq || expr.op == Op::Ne;
    if (!isEqual && form == Form::Logic) form = Form::Unsigned;
    a = as(a, form);
    b = as(b, form);
    const auto isConst = [&](ExprId id) { return module_[id].op == Op::Const; };
    const char* symbol = symbolOf(expr.op);
    ExprId second = expr.args[1];
    if (isConst(expr.args[0]) && !isConst(second) && expr.op != Op::Le) {
        std::swap(a, b);
        second = expr.args[0];
        if (expr.op == Op::Lt) symbol = ">";
    }
    const bool isNumber = form == Form::Unsigned || (form == Form::Signed && isEqual);
    const bool isSwapped = second != expr.args[1];
    const ExprId first = isSwapped ? expr.args[1] : expr.args[0];
    const std::string left = within(a, Level::Arithmetic);
    const std::string right = isNumber && !isConst(first)
                                  ? operandOrNumber(second, b, Level::Arithmetic)
                                  : within(b, Level::Arithmetic);
    if (expr.op == Op::Ne && isNumber && !names_.isVarying(first) && !names_.isVarying(second))
        return {fmt::format("not ({} = {})", left, right), Form::Boolean, Level::Arithmetic};
    return {fmt::format("{} {} {}", left, symbol, right), Form::Boolean, Level::Relation};
}

Text OperatorPrinter::logical(const Expr& expr) const {
    const Text a = expressions_.print(expr.args[0]);
    if (expr.op == Op::LogicalNot) {
        const std::string inner = within(a, Level::Simple);
        if (a.form == Form::Logic) return {"not " + inner, Form::Logic, Level::Arithmetic, inner};
        return {"not " + within(as(a, Form::Boolean), Level::Simple), Form::Boolean,
                Level::Arithmetic};
    }
    const Text b = expressions_.print(expr.args[1]);
    const Form form = a.form == Form::Logic && b.form == Form::Logic ? Form::Logic : Form::Boolean;
    return {fmt::format("{} {} {}", within(as(a, form), Level::Relation), symbolOf(expr.op),
                        within(as(b, form), Level::Relation)),
            form, Level::Logical};
}

}  // namespace smec::codegen::vhdl
