#include "codegen/vhdl/expression.h"

#include <algorithm>

#include <fmt/format.h>

#include "hdl/module_builder.h"
#include "hdl/walk.h"
#include "ir/arithmetic.h"
#include "source/internal_error.h"

// numeric_std gives sums the width of their operands, which is that of the result here. Products
// are twice as wide and cut, as unsigned numbers: its resize keeps the sign of a signed one. What
// fails for operands that nobody chooses (division by 0, an index behind the end) goes through
// functions of the support package.

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
    default: throw InternalError("an operator without a symbol");
    }
}

std::string offset(const std::string& index, std::uint64_t factor, std::uint64_t low) {
    std::string text = factor == 1 ? index : fmt::format("{} * {}", factor, index);
    return low == 0 ? text : fmt::format("{} + {}", text, low);
}

}  // namespace

std::string ExpressionPrinter::name(SignalId signal) const {
    const auto it = renamed_.find(signal.index);
    return it != renamed_.end() ? it->second : identifier(module_[signal].name);
}

std::string ExpressionPrinter::within(const Text& text, Level most) {
    return text.level <= most ? text.text : "(" + text.text + ")";
}

ExpressionPrinter::Text ExpressionPrinter::as(Text text, Form form) {
    if (text.form == form) return text;
    if (text.isConcat) text = {"unsigned'(" + text.text + ")", Form::Unsigned};
    if (!text.converted.empty() && text.before == form) return {text.converted, form, text.level};
    if (form != Form::Boolean) {
        const bool isCast = form != Form::Logic && text.form != Form::Logic
                            && text.form != Form::Boolean && text.level == Level::Simple;
        return {converted(text.text, text.form, form), form,     Level::Simple, {},
                isCast ? text.text : std::string(),    text.form};
    }
    if (text.form != Form::Logic)
        return {within(text, Level::Arithmetic) + " /= 0", form, Level::Relation};
    if (text.text == "'0'" || text.text == "'1'")
        return {text.text == "'1'" ? "true" : "false", form};
    if (!text.negated.empty()) return {text.negated + " = '0'", form, Level::Relation};
    return {within(text, Level::Simple) + " = '1'", form, Level::Relation};
}

std::string ExpressionPrinter::text(ExprId id, Form form) const { return printAs(id, form).text; }

std::string ExpressionPrinter::equals(ExprId id, const Integer& value) const {
    const Type& type = module_[id].type;
    return within(printAs(id, formOf(type)), Level::Arithmetic) + " = " + literal(value, type);
}

std::string ExpressionPrinter::equals(ExprId id, const std::string& number) const {
    return within(printAs(id, Form::Unsigned), Level::Arithmetic) + " = " + number;
}

ExpressionPrinter::Text ExpressionPrinter::printAs(ExprId id, Form form) const {
    const Expr& expr = module_[id];
    // GHDL 2 fails where it resizes a negative number that became an unsigned one
    if (expr.op == Op::Const && expr.value < 0 && form == Form::Unsigned)
        return {literal(ir::wrapInteger(expr.value, expr.type.width, false),
                        {expr.type.width, false, false}),
                form};
    return as(print(id), form);
}

ExpressionPrinter::Text ExpressionPrinter::print(ExprId id) const {
    const Expr& expr = module_[id];
    switch (expr.op) {
    case Op::Const: return {literal(expr.value, expr.type), formOf(expr.type)};
    case Op::Ref:
        if (module_[expr.signal].role == Role::Counter) return counter(expr.signal, expr.type);
        return {name(expr.signal), formOf(module_[expr.signal])};
    case Op::Element: return element(expr);
    case Op::Slice: return slice(expr);
    case Op::Part: return part(expr);
    case Op::Concat: return concat(id);
    case Op::Repeat: return repeat(expr);
    case Op::Resize: return resize(expr);
    default: return operation(expr);
    }
}

/// The value of a loop's counter in a type that holds it.
ExpressionPrinter::Text ExpressionPrinter::counter(SignalId id, const Type& type) const {
    const bool isSigned = module_[id].type.isSigned;
    return {fmt::format("to_{}({}, {})", isSigned ? "signed" : "unsigned", name(id), type.width),
            isSigned ? Form::Signed : Form::Unsigned};
}

// ---------------------------------------------------------------- places

bool ExpressionPrinter::isCounted(ExprId id, std::uint64_t length) const {
    const auto counter = counterOf(module_, id);
    if (!counter) return false;
    const auto& bounds = module_[*counter].initial;
    return std::max(bounds[0], bounds[1]) < length;
}

std::string ExpressionPrinter::index(ExprId id, std::uint64_t length) const {
    const Expr& expr = module_[id];
    if (expr.op == Op::Const) return expr.value.str();
    if (isCounted(id, length)) return name(*counterOf(module_, id));
    const std::string number = text(id, Form::Unsigned);
    if (ir::powerOfTwo(expr.type.width) <= length) return fmt::format("to_integer({})", number);
    return fmt::format("safe_index({}, {})", number, length);
}

ExpressionPrinter::Bits ExpressionPrinter::bitsOf(const Signal& signal, ExprId id) const {
    const std::uint64_t width = signal.type.width;
    if (!id.valid() || signal.length == 1) return {};
    const Expr& at = module_[id];
    if (at.op == Op::Const) return {{}, 1, static_cast<std::uint64_t>(at.value) * width};
    return {index(id, signal.length), width, 0, isCounted(id, signal.length)};
}

/// Bits of a vector that is read. Where the place varies, a function makes sure that it is computed
/// once only.
ExpressionPrinter::Text ExpressionPrinter::cut(const std::string& vector, Form form,
                                               const Bits& bits, const Type& type) {
    if (!bits.index.empty() && !type.isBool && !bits.isKnown) {
        if (bits.low == 0 && bits.factor == type.width)
            return {fmt::format("element({}, {}, {})", vector, bits.index, type.width), form};
        return {fmt::format("part({}, {}, {}, {}, {})", vector, bits.index, bits.factor, bits.low,
                            type.width),
                form};
    }
    return written(vector, form, bits, type);
}

/// The same as a place that is assigned.
ExpressionPrinter::Text ExpressionPrinter::written(const std::string& vector, Form form,
                                                   const Bits& bits, const Type& type) {
    const std::uint64_t high = bits.low + type.width - 1;
    const auto at = [&](std::uint64_t low) {
        return bits.index.empty() ? std::to_string(low) : offset(bits.index, bits.factor, low);
    };
    if (type.isBool) return {fmt::format("{}({})", vector, at(bits.low)), Form::Logic};
    return {fmt::format("{}({} downto {})", vector, at(high), at(bits.low)), form};
}

ExpressionPrinter::Text ExpressionPrinter::element(const Expr& expr) const {
    const Signal& signal = module_[expr.signal];
    const Form wanted = formOf(signal.type);
    if (signal.isPacked)
        return as(cut(name(expr.signal), Form::Unsigned, bitsOf(signal, expr.args[0]), signal.type),
                  wanted);
    return {fmt::format("{}({})", name(expr.signal), index(expr.args[0], signal.length)), wanted};
}

ExpressionPrinter::Place ExpressionPrinter::place(SignalId id, ExprId at) const {
    const Signal& signal = module_[id];
    if (!at.valid()) return {name(id), formOf(signal)};
    if (!signal.isPacked)
        return {fmt::format("{}({})", name(id), index(at, signal.length)), formOf(signal.type)};
    const Text found = written(name(id), Form::Unsigned, bitsOf(signal, at), signal.type);
    return {found.text, found.form};
}

ExpressionPrinter::Place ExpressionPrinter::bitsOf(const Place& place, std::uint32_t low,
                                                   std::uint32_t width) {
    return {fmt::format("{}({} downto {})", place.text, low + width - 1, low), place.form};
}

ExpressionPrinter::Place ExpressionPrinter::each(SignalId id, const std::string& k) const {
    const Signal& signal = module_[id];
    if (!signal.isPacked) return {fmt::format("{}({})", name(id), k), formOf(signal.type)};
    const Text found = written(name(id), Form::Unsigned, {k, signal.type.width, 0}, signal.type);
    return {found.text, found.form};
}

bool ExpressionPrinter::isSafe(SignalId id, ExprId at) const {
    const Signal& signal = module_[id];
    if (!at.valid()) return true;
    const Expr& expr = module_[at];
    if (expr.op == Op::Const || isCounted(at, signal.length)) return true;
    // GHDL 2 makes memories of variables, and fails where branches set them
    if (signal.isBlocking && !signal.isMemory) return false;
    if (ir::powerOfTwo(expr.type.width) > signal.length) return false;
    // nor does it set a part from a place on that it knows, and that is in a variable
    return !signal.isPacked || signal.type.isBool || (expr.op == Op::Ref && isVarying(at));
}

ExpressionPrinter::Text ExpressionPrinter::slice(const Expr& expr) const {
    const Signal& signal = module_[expr.signal];
    const Form wanted = formOf(expr.type);
    if (signal.role == Role::Counter) {
        const auto& bounds = signal.initial;
        if (expr.low == 0 && !expr.type.isBool && !signal.type.isSigned
            && ir::bitLength(std::max(bounds[0], bounds[1])) <= expr.type.width)
            return as(counter(expr.signal, expr.type), wanted);
        const std::string all = as(counter(expr.signal, signal.type), Form::Unsigned).text;
        const std::string from =
            expr.low == 0 ? all : fmt::format("shift_right({}, {})", all, expr.low);
        if (expr.type.isBool) return {"to_logic(" + from + ")", Form::Logic};
        return as({fmt::format("low_bits({}, {})", from, expr.type.width), Form::Unsigned}, wanted);
    }
    const bool isFlat = signal.isPacked;
    if (isFlat) {
        Bits bits = bitsOf(signal, expr.args[0]);
        bits.low += expr.low;
        return as(cut(name(expr.signal), Form::Unsigned, bits, expr.type), wanted);
    }
    std::string whole = name(expr.signal);
    if (expr.args[0].valid())
        whole = fmt::format("{}({})", whole, index(expr.args[0], signal.length));
    if (signal.type.isBool) return as({whole, Form::Logic}, wanted);
    if (expr.type.width == signal.type.width && !expr.type.isBool)
        return as({whole, formOf(signal.type)}, wanted);
    return as(cut(whole, formOf(signal.type), {{}, 1, expr.low}, expr.type), wanted);
}

/// Not as a slice from there on: tools that know the place cannot use that.
ExpressionPrinter::Text ExpressionPrinter::part(const Expr& expr) const {
    Expr all = expr;
    all.op = expr.args[0].valid() ? Op::Element : Op::Ref;
    const Signal& signal = module_[expr.signal];
    const std::string whole = expr.args[0].valid() ? element(all).text : name(expr.signal);
    const std::string from = fmt::format("shift_right({}, to_integer({}))",
                                         converted(whole, formOf(signal.type), Form::Unsigned),
                                         text(expr.args[1], Form::Unsigned));
    return {fmt::format("low_bits({}, {})", from, expr.type.width), Form::Unsigned};
}

ExpressionPrinter::Text ExpressionPrinter::sideBySide(std::string parts) {
    Text text{std::move(parts), Form::Unsigned, Level::Arithmetic};
    text.isConcat = true;
    return text;
}

/// What stands beside each other in a row of concatenations.
ExpressionPrinter::Text ExpressionPrinter::concat(ExprId id) const {
    const auto piece = [&](ExprId one) {
        return within(printAs(one, Form::Unsigned), Level::Simple);
    };
    std::string parts;
    for (; module_[id].op == Op::Concat; id = module_[id].args[0])
        parts = " & " + piece(module_[id].args[1]) + parts;
    return sideBySide(piece(id) + parts);
}

ExpressionPrinter::Text ExpressionPrinter::repeat(const Expr& expr) const {
    const std::string one = within(printAs(expr.args[0], Form::Unsigned), Level::Simple);
    std::string parts = one;
    for (std::uint32_t i = 1; i < expr.low; ++i)
        parts += " & " + one;
    return sideBySide(std::move(parts));
}

// ---------------------------------------------------------------- operators

ExpressionPrinter::Text ExpressionPrinter::resize(const Expr& expr) const {
    const Type& from = module_[expr.args[0]].type;
    const Form wanted = formOf(expr.type);
    const Expr& operand = module_[expr.args[0]];
    if (operand.op == Op::Ref && module_[operand.signal].role == Role::Counter && !expr.type.isBool
        && from.width <= expr.type.width)
        return as(counter(operand.signal, expr.type), wanted);
    const Text inner = print(expr.args[0]);
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
    const bool isOnce = from.isSigned && !isVarying(expr.args[0]);
    return call(isWide || isOnce ? "sign_extend" : "resize", inner);
}

ExpressionPrinter::Text ExpressionPrinter::operation(const Expr& expr) const {
    const Form wanted = formOf(expr.type);
    const ExprId first = expr.args[0];
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
    case Op::Choose:
        return {fmt::format("choose({}, {}, {})", condition(first), text(expr.args[1], wanted),
                            text(expr.args[2], wanted)),
                wanted};
    case Op::Popcount:
        return as({fmt::format("count_ones({}, {})", text(first, Form::Unsigned), expr.type.width),
                   Form::Unsigned},
                  wanted);
    case Op::Parity:
        return as({"parity(" + text(first, Form::Unsigned) + ")", Form::Logic}, wanted);
    default: throw InternalError("an expression without a text");
    }
}

/// An operand, or a number of the language where the function beside it takes one.
std::string ExpressionPrinter::operandOrNumber(ExprId id, const Text& text, Level most) const {
    const Expr& expr = module_[id];
    if (expr.op != Op::Const || expr.type.isBool) return within(text, most);
    const Integer value = ir::wrapInteger(expr.value, expr.type.width, text.form == Form::Signed);
    if (!isSmall(value)) return within(text, most);
    return value < 0 && most == Level::Simple ? "(" + value.str() + ")" : value.str();
}

ExpressionPrinter::Text ExpressionPrinter::arithmetic(const Expr& expr) const {
    const Form wanted = formOf(expr.type);
    if (expr.op == Op::Mul) {
        const Text a = printAs(expr.args[0], Form::Unsigned);
        const Text b = printAs(expr.args[1], Form::Unsigned);
        return as({fmt::format("low_bits({} * {}, {})", within(a, Level::Simple),
                               within(b, Level::Simple), expr.type.width),
                   Form::Unsigned},
                  wanted);
    }
    const std::string a = within(printAs(expr.args[0], wanted), Level::Simple);
    if (expr.op == Op::Complement) return {"not " + a, wanted, Level::Arithmetic};
    if (expr.op == Op::Negate)
        return as({"-" + within(printAs(expr.args[0], Form::Signed), Level::Simple), Form::Signed,
                   Level::Arithmetic},
                  wanted);
    const bool isSum = expr.op == Op::Add || expr.op == Op::Sub;
    const bool isConst = module_[expr.args[0]].op == Op::Const;
    const Text right = printAs(expr.args[1], wanted);
    const std::string b = isSum && !isConst ? operandOrNumber(expr.args[1], right, Level::Simple)
                                            : within(right, Level::Simple);
    return {fmt::format("{} {} {}", a, symbolOf(expr.op), b), wanted,
            isSum ? Level::Arithmetic : Level::Logical};
}

ExpressionPrinter::Text ExpressionPrinter::divide(const Expr& expr) const {
    const Form form = formOf(module_[expr.args[0]].type);
    const Expr& divisor = module_[expr.args[1]];
    const Text a = printAs(expr.args[0], form), b = printAs(expr.args[1], form);
    const bool isPlain = divisor.op == Op::Const && divisor.value != 0;
    if (isPlain && (expr.op == Op::Div || isVarying(expr.args[0])))
        return as({fmt::format("{} {} {}", within(a, Level::Simple), symbolOf(expr.op),
                               within(b, Level::Simple)),
                   form, Level::Arithmetic},
                  formOf(expr.type));
    return as(
        {fmt::format("{}({}, {})", expr.op == Op::Div ? "safe_div" : "safe_rem", a.text, b.text),
         form},
        formOf(expr.type));
}

/// Whether it reads a port or register, so that no tool knows its value. GHDL 2 does not compute
/// all operators when it does.
bool ExpressionPrinter::isVarying(ExprId id) const {
    const Expr& expr = module_[id];
    if (expr.op == Op::Resize) return isVarying(expr.args[0]);
    if (expr.op != Op::Ref && expr.op != Op::Element && expr.op != Op::Slice) return false;
    const Role role = module_[expr.signal].role;
    return role == Role::Input
           || ((role == Role::Register || role == Role::Output)
               && !renamed_.contains(expr.signal.index));
}

ExpressionPrinter::Text ExpressionPrinter::shift(const Expr& expr) const {
    const Form form = formOf(module_[expr.args[0]].type);
    const Expr& by = module_[expr.args[1]];
    std::string count;
    if (by.op == Op::Const)
        count = std::min(Integer(by.value), Integer(expr.type.width)).str();
    else if (by.type.width < 24)
        count = fmt::format("to_integer({})", text(expr.args[1], Form::Unsigned));
    else
        count =
            fmt::format("shift_count({}, {})", text(expr.args[1], Form::Unsigned), expr.type.width);
    const Form vector = form == Form::Logic ? Form::Unsigned : form;
    return as({fmt::format("shift_{}({}, {})", expr.op == Op::Shl ? "left" : "right",
                           text(expr.args[0], vector), count),
               vector},
              formOf(expr.type));
}

ExpressionPrinter::Text ExpressionPrinter::compare(const Expr& expr) const {
    Form form = formOf(module_[expr.args[0]].type);
    Text a = print(expr.args[0]), b = print(expr.args[1]);
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
    if (expr.op == Op::Ne && isNumber && !isVarying(first) && !isVarying(second))
        return {fmt::format("not ({} = {})", left, right), Form::Boolean, Level::Arithmetic};
    return {fmt::format("{} {} {}", left, symbol, right), Form::Boolean, Level::Relation};
}

ExpressionPrinter::Text ExpressionPrinter::logical(const Expr& expr) const {
    const Text a = print(expr.args[0]);
    if (expr.op == Op::LogicalNot) {
        const std::string inner = within(a, Level::Simple);
        if (a.form == Form::Logic) return {"not " + inner, Form::Logic, Level::Arithmetic, inner};
        return {"not " + within(as(a, Form::Boolean), Level::Simple), Form::Boolean,
                Level::Arithmetic};
    }
    const Text b = print(expr.args[1]);
    const Form form = a.form == Form::Logic && b.form == Form::Logic ? Form::Logic : Form::Boolean;
    return {fmt::format("{} {} {}", within(as(a, form), Level::Relation), symbolOf(expr.op),
                        within(as(b, form), Level::Relation)),
            form, Level::Logical};
}

}  // namespace smec::codegen::vhdl
