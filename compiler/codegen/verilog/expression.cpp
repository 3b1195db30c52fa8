#include "codegen/verilog/expression.h"

#include <bit>

#include <fmt/format.h>

#include "codegen/verilog/called.h"
#include "hdl/module_builder.h"
#include "hdl/walk.h"
#include "ir/arithmetic.h"
#include "source/internal_error.h"

// Operands of an operator have the width of its result, and what extends a value is a cast, whose
// operand the language evaluates on its own. Where a sign counts, $signed and $unsigned stand
// around the operands and the result, so that nothing outside can change it.

namespace smec::codegen::verilog {

using namespace hdl;

namespace {

const char* symbolOf(Op op) {
    switch (op) {
    case Op::Add: return "+";
    case Op::Sub: return "-";
    case Op::Mul: return "*";
    case Op::And: return "&";
    case Op::Or: return "|";
    case Op::Xor: return "^";
    case Op::Div: return "/";
    case Op::Rem: return "%";
    case Op::Eq: return "==";
    case Op::Ne: return "!=";
    case Op::Lt: return "<";
    case Op::Le: return "<=";
    case Op::LogicalAnd: return "&&";
    case Op::LogicalOr: return "||";
    case Op::Negate: return "-";
    case Op::Complement: return "~";
    case Op::LogicalNot: return "!";
    case Op::Parity: return "^";
    case Op::Const:
    case Op::Ref:
    case Op::Element:
    case Op::Slice:
    case Op::Part:
    case Op::Concat:
    case Op::Repeat:
    case Op::Resize:
    case Op::Shl:
    case Op::Shr:
    case Op::Choose:
    case Op::Popcount: break;
    }
    throw InternalError("an operator without a symbol");
}

std::string infix(Op op, const std::string& left, const std::string& right) {
    return fmt::format("{} {} {}", left, symbolOf(op), right);
}

std::string popcount(const Type& from, const Type& to, const std::string& value) {
    return fmt::format("popcount_{}_{}({})", from.width, to.width, value);
}

}  // namespace

std::string literal(const Integer& value, const Type& type) {
    if (type.isBool) return value == 0 ? "1'b0" : "1'b1";
    const Integer bits = ir::wrapInteger(value, type.width, false);
    const char* sign = type.isSigned ? "s" : "";
    if (value < 0 && -value < ir::powerOfTwo(31) && -value != ir::powerOfTwo(type.width - 1))
        return fmt::format("-{}'sd{}", type.width, Integer(-value).str());
    if (value >= 0 && value < ir::powerOfTwo(31))
        return fmt::format("{}'{}d{}", type.width, sign, value.str());
    return fmt::format("{}'{}h{}", type.width, sign, hex(bits));
}

std::string declared(const Type& type, std::uint64_t elements, const std::string& keyword) {
    std::string text = keyword;
    if (type.isSigned && elements == 1) text += text.empty() ? "signed" : " signed";
    const std::uint64_t width = type.width * elements;
    if (width > 1) text += fmt::format("{}[{}:0]", text.empty() ? "" : " ", width - 1);
    return text;
}

/// An index or count. The language evaluates it on its own, but not every tool does.
std::string ExpressionPrinter::alone(const Text& text) {
    if (text.isSigned) return "$unsigned(" + text.text + ")";
    return text.isSimple ? text.text : "{" + text.text + "}";
}

std::string ExpressionPrinter::operand(const Text& text) {
    return text.isSimple ? text.text : "(" + text.text + ")";
}

std::string ExpressionPrinter::afterSign(const Text& text) {
    const bool isCast = text.text.find("'(") < text.text.find_first_not_of("0123456789") + 2;
    return isCast ? "(" + text.text + ")" : operand(text);
}

std::string ExpressionPrinter::asSigned(const Text& text) {
    return text.isSigned ? operand(text) : "$signed(" + text.text + ")";
}

std::string ExpressionPrinter::asUnsigned(const Text& text) {
    return text.isSigned ? "$unsigned(" + text.text + ")" : operand(text);
}

ExpressionPrinter::Text ExpressionPrinter::print(ExprId id) const {
    const Expr& expr = module_[id];
    switch (expr.op) {
    case Op::Const: return {literal(expr.value, expr.type), expr.type.isSigned, expr.value >= 0};
    case Op::Ref: {
        const Signal& signal = module_[expr.signal];
        if (signal.role == Role::Counter)
            return {selected(signal.name, 0, signal.type.width), false, true};
        return {signal.name, signal.type.isSigned && signal.elements() == 1, true};
    }
    case Op::Element: return element(expr);
    case Op::Slice: return slice(expr);
    case Op::Part: return part(expr);
    case Op::Concat: return concat(id);
    case Op::Repeat:
        return {fmt::format("{{{}{{{}}}}}", expr.low, text(expr.args[0])), false, true};
    case Op::Resize: return resize(expr);
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
    case Op::Parity: return operation(expr);
    }
    throw InternalError("no such operator");
}

std::string ExpressionPrinter::Change::name() const {
    return fmt::format("{}_{}_{}", isSigned ? "extend" : "low", fromWidth, toWidth);
}

std::string ExpressionPrinter::low(const Text& text, std::uint32_t from, std::uint32_t to) const {
    if (!isOld_) return fmt::format("{}'({})", to, text.text);
    const Change change{from, to, false};
    changes_.insert(change);
    return fmt::format("{}({})", change.name(), text.text);
}

/// A place in an array, which is never negative: a size cast keeps the sign of its operand.
std::string ExpressionPrinter::subscript(ExprId index) const {
    if (const auto counter = counterOf(module_, index)) return module_[*counter].name;
    if (module_[index].op == Op::Const) return module_[index].value.str();
    const Text text = print(index);
    return text.isSigned ? asUnsigned(text) : alone(text);
}

/// Bit `low` of an element of a vector, in an expression as wide as it has to be.
std::string ExpressionPrinter::offset(const Signal& signal, ExprId index, std::uint32_t low) const {
    const std::uint32_t width = signal.type.width;
    if (width == 1) return subscript(index);
    if (counterOf(module_, index)) {
        const std::string place = fmt::format("{} * {}", subscript(index), width);
        return low == 0 ? place : fmt::format("{} + {}", place, low);
    }
    if (std::has_single_bit(width))
        return fmt::format("{{{}, {}'d{}}}", text(index), std::bit_width(width) - 1, low);
    const std::uint32_t bits = indexWidth(signal.elements() * width);
    const std::uint32_t from = module_[index].type.width;
    std::string place = alone(print(index));
    if (from < bits) place = fmt::format("{{{}'d0, {}}}", bits - from, text(index));
    place += fmt::format(" * {}'d{}", bits, width);
    return low == 0 ? place : fmt::format("{} + {}'d{}", place, bits, low);
}

std::string ExpressionPrinter::selected(const std::string& name, std::uint64_t low,
                                        std::uint32_t width) const {
    if (width == 1) return fmt::format("{}[{}]", name, low);
    return fmt::format("{}[{}:{}]", name, low + width - 1, low);
}

ExpressionPrinter::Text ExpressionPrinter::element(const Expr& expr) const {
    const Signal& signal = module_[expr.signal];
    const Expr& index = module_[expr.args[0]];
    if (signal.role == Role::Table)
        return {fmt::format("{}({})", signal.name, text(expr.args[0])), signal.type.isSigned, true};
    if (!signal.isPacked)
        return {fmt::format("{}[{}]", signal.name, subscript(expr.args[0])), signal.type.isSigned,
                true};
    const std::uint32_t width = signal.type.width;
    if (signal.length == 1) return {signal.name, signal.type.isSigned, true};
    if (index.op == Op::Const)
        return {selected(signal.name, static_cast<std::uint64_t>(index.value) * width, width),
                false, true};
    if (width == 1)
        return {fmt::format("{}[{}]", signal.name, subscript(expr.args[0])), false, true};
    return {fmt::format("{}[{} +: {}]", signal.name, offset(signal, expr.args[0], 0), width), false,
            true};
}

ExpressionPrinter::Text ExpressionPrinter::slice(const Expr& expr) const {
    const Signal& signal = module_[expr.signal];
    const std::uint32_t width = expr.type.width;
    if (signal.type.width == 1) {
        Expr all = expr;
        all.op = expr.args[0].valid() ? Op::Element : Op::Ref;
        return expr.args[0].valid() ? element(all) : Text{signal.name, signal.type.isSigned, true};
    }
    if (!expr.args[0].valid() || (signal.isPacked && signal.length == 1))
        return {selected(signal.name, expr.low, width), false, true};
    const Expr& index = module_[expr.args[0]];
    if (signal.role == Role::Table) {
        const Text whole = element(expr);
        if (expr.low == 0)
            return {low(whole, signal.type.width, width), !isOld_ && whole.isSigned, true};
        const Text shifted{fmt::format("{} >> {}", asUnsigned(whole), expr.low), false, false};
        return {low(shifted, signal.type.width, width), false, true};
    }
    if (!signal.isPacked) return {selected(element(expr).text, expr.low, width), false, true};
    if (index.op == Op::Const)
        return {selected(signal.name,
                         static_cast<std::uint64_t>(index.value) * signal.type.width + expr.low,
                         width),
                false, true};
    return {fmt::format("{}[{} +: {}]", signal.name, offset(signal, expr.args[0], expr.low), width),
            false, true};
}

ExpressionPrinter::Text ExpressionPrinter::part(const Expr& expr) const {
    Expr all = expr;
    all.op = expr.args[0].valid() ? Op::Element : Op::Ref;
    const std::string whole = expr.args[0].valid() ? element(all).text : module_[expr.signal].name;
    return {fmt::format("{}[{} +: {}]", whole, subscript(expr.args[1]), expr.type.width), false,
            true};
}

/// What stands beside each other in a row of concatenations.
ExpressionPrinter::Text ExpressionPrinter::concat(ExprId id) const {
    std::string parts;
    for (; module_[id].op == Op::Concat; id = module_[id].args[0])
        parts = ", " + text(module_[id].args[1]) + parts;
    return {"{" + text(id) + parts + "}", false, true};
}

bool ExpressionPrinter::isName(const Expr& expr) {
    return expr.op == Op::Ref || expr.op == Op::Element || expr.op == Op::Slice;
}

ExpressionPrinter::Text ExpressionPrinter::resize(const Expr& expr) const {
    const Expr& from = module_[expr.args[0]];
    if (from.type.width == expr.type.width) return print(expr.args[0]);
    // a counter has more bits than its type, which are copies of its sign
    if (from.op == Op::Ref && module_[from.signal].role == Role::Counter && expr.type.width <= 32)
        return {selected(module_[from.signal].name, 0, expr.type.width), false, true};
    const Text inner = print(expr.args[0]);
    if (from.type.width > expr.type.width) {
        if (from.op == Op::Ref && module_[from.signal].length == 0)
            return {selected(inner.text, 0, expr.type.width), false, true};
        return {low(inner, from.type.width, expr.type.width), !isOld_ && inner.isSigned, true};
    }
    if (from.type.isSigned) {
        const std::string value =
            inner.isSigned && isName(from) ? inner.text : "$signed(" + inner.text + ")";
        if (!isOld_) return {fmt::format("{}'({})", expr.type.width, value), true, true};
        const Change change{from.type.width, expr.type.width, true};
        changes_.insert(change);
        return {fmt::format("{}({})", change.name(), inner.text), true, true};
    }
    // not every tool evaluates what stands in a cast on its own, but all do in a concatenation
    if (isOld_ || !isName(from))
        return {fmt::format("{{{}'d0, {}}}", expr.type.width - from.type.width, inner.text), false,
                true};
    const std::string value = inner.isSigned ? "$unsigned(" + inner.text + ")" : inner.text;
    return {fmt::format("{}'({})", expr.type.width, value), false, true};
}

ExpressionPrinter::Text ExpressionPrinter::shift(const Expr& expr, const Text& a,
                                                 const Text& b) const {
    if (expr.op == Op::Shl) return {operand(a) + " << " + alone(b), a.isSigned, false};
    if (!module_[expr.args[0]].type.isSigned)
        return {asUnsigned(a) + " >> " + alone(b), false, false};
    return {"$unsigned(" + asSigned(a) + " >>> " + alone(b) + ")", false, true};
}

/// Both as numbers with or without a sign.
std::string ExpressionPrinter::inSign(const Type& type, Op op, const Text& a, const Text& b) {
    return type.isSigned ? infix(op, asSigned(a), asSigned(b))
                         : infix(op, asUnsigned(a), asUnsigned(b));
}

ExpressionPrinter::Text ExpressionPrinter::choose(const Text& condition, const Text& yes,
                                                  const Text& no) {
    return {operand(condition) + " ? " + operand(yes) + " : " + operand(no),
            yes.isSigned && no.isSigned, false};
}

ExpressionPrinter::Text ExpressionPrinter::divide(const Expr& expr, const Text& a,
                                                  const Text& b) const {
    const Type from = module_[expr.args[0]].type;
    const Division division{from.width, from.isSigned, expr.op == Op::Rem};
    if (division.isWide())
        return {fmt::format("{}({}, {})", division.name(), a.text, b.text), from.isSigned, true};
    const std::string text = inSign(from, expr.op, a, b);
    if (!from.isSigned) return {text, false, false};
    return {"$unsigned(" + text + ")", false, true};
}

ExpressionPrinter::Text ExpressionPrinter::operation(const Expr& expr) const {
    Text args[3];
    for (std::size_t i = 0; i < 3; ++i)
        if (expr.args[i].valid()) args[i] = print(expr.args[i]);
    const auto& [a, b, c] = args;
    const Type from = module_[expr.args[0]].type;
    switch (expr.op) {
    case Op::Negate:
    case Op::Complement: return {symbolOf(expr.op) + afterSign(a), a.isSigned, false};
    case Op::LogicalNot:
    case Op::Parity: return {symbolOf(expr.op) + afterSign(a), false, false};
    case Op::Popcount: return {popcount(from, expr.type, a.text), false, true};
    case Op::Div:
    case Op::Rem: return divide(expr, a, b);
    case Op::Shl:
    case Op::Shr: return shift(expr, a, b);
    case Op::Lt:
    case Op::Le: return {inSign(from, expr.op, a, b), false, false};
    case Op::Eq:
    case Op::Ne:
    case Op::LogicalAnd:
    case Op::LogicalOr: return {infix(expr.op, operand(a), operand(b)), false, false};
    case Op::Choose: return choose(a, b, c);
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::And:
    case Op::Or:
    case Op::Xor: return {infix(expr.op, operand(a), operand(b)), a.isSigned && b.isSigned, false};
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

std::string ExpressionPrinter::place(SignalId id, ExprId index) const {
    const Signal& signal = module_[id];
    if (!index.valid() || (signal.isPacked && signal.length == 1)) return signal.name;
    if (!signal.isPacked) return fmt::format("{}[{}]", signal.name, subscript(index));
    const Expr& at = module_[index];
    const std::uint32_t width = signal.type.width;
    if (at.op == Op::Const) {
        const Integer low = at.value * width;
        if (width == 1) return fmt::format("{}[{}]", signal.name, low.str());
        return fmt::format("{}[{}:{}]", signal.name, Integer(low + width - 1).str(), low.str());
    }
    if (width == 1) return fmt::format("{}[{}]", signal.name, subscript(index));
    return fmt::format("{}[{} +: {}]", signal.name, offset(signal, index, 0), width);
}

std::string ExpressionPrinter::place(const Assign& node) const {
    const std::string whole = place(node.to, node.index);
    return node.low ? selected(whole, *node.low, module_[node.value].type.width) : whole;
}

}  // namespace smec::codegen::verilog
