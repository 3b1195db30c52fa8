#include "codegen/vhdl/places.h"

#include <algorithm>

#include <fmt/format.h>

#include "codegen/vhdl/expression.h"
#include "hdl/walk.h"
#include "ir/arithmetic.h"

// An index after the end, which nobody chooses, goes through a function of the support package.

namespace smec::codegen::vhdl {

using namespace hdl;

namespace {

std::string offset(const std::string& index, std::uint64_t factor, std::uint64_t low) {
    std::string text = factor == 1 ? index : fmt::format("{} * {}", factor, index);
    return low == 0 ? text : fmt::format("{} + {}", text, low);
}

}  // namespace

/// The value of a loop's counter in a type that holds it.
Text PlacePrinter::counter(SignalId id, const Type& type) const {
    const bool isSigned = module_[id].type.isSigned;
    return {fmt::format("to_{}({}, {})", isSigned ? "signed" : "unsigned", names_[id], type.width),
            isSigned ? Form::Signed : Form::Unsigned};
}

bool PlacePrinter::isCounted(ExprId id, std::uint64_t length) const {
    const auto counter = counterOf(module_, id);
    if (!counter) return false;
    const auto& bounds = module_[*counter].initial;
    return std::max(bounds[0], bounds[1]) < length;
}

std::string PlacePrinter::index(ExprId id, std::uint64_t length) const {
    const Expr& expr = module_[id];
    if (expr.op == Op::Const) return expr.value.str();
    if (isCounted(id, length)) return names_[*counterOf(module_, id)];
    const std::string number = expressions_.text(id, Form::Unsigned);
    if (ir::powerOfTwo(expr.type.width) <= length) return fmt::format("to_integer({})", number);
    return fmt::format("safe_index({}, {})", number, length);
}

PlacePrinter::Bits PlacePrinter::bitsOf(const Signal& signal, ExprId id) const {
    const std::uint64_t width = signal.type.width;
    if (!id.valid() || signal.length == 1) return {};
    const Expr& at = module_[id];
    if (at.op == Op::Const) return {{}, 1, static_cast<std::uint64_t>(at.value) * width};
    return {index(id, signal.length), width, 0, isCounted(id, signal.length)};
}

/// Bits of a vector that is read. Where the place varies, a function makes sure that it is computed
/// once only.
Text PlacePrinter::cut(const std::string& vector, Form form, const Bits& bits, const Type& type) {
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
Text PlacePrinter::written(const std::string& vector, Form form, const Bits& bits,
                           const Type& type) {
    const std::uint64_t high = bits.low + type.width - 1;
    const auto at = [&](std::uint64_t low) {
        return bits.index.empty() ? std::to_string(low) : offset(bits.index, bits.factor, low);
    };
    if (type.isBool) return {fmt::format("{}({})", vector, at(bits.low)), Form::Logic};
    return {fmt::format("{}({} downto {})", vector, at(high), at(bits.low)), form};
}

Text PlacePrinter::element(const Expr& expr) const {
    const Signal& signal = module_[expr.signal];
    const Form wanted = formOf(signal.type);
    if (signal.isPacked)
        return as(
            cut(names_[expr.signal], Form::Unsigned, bitsOf(signal, expr.args[0]), signal.type),
            wanted);
    return {fmt::format("{}({})", names_[expr.signal], index(expr.args[0], signal.length)), wanted};
}

PlacePrinter::Place PlacePrinter::place(SignalId id, ExprId at) const {
    const Signal& signal = module_[id];
    if (!at.valid()) return {names_[id], formOf(signal)};
    if (!signal.isPacked)
        return {fmt::format("{}({})", names_[id], index(at, signal.length)), formOf(signal.type)};
    const Text found = written(names_[id], Form::Unsigned, bitsOf(signal, at), signal.type);
    return {found.text, found.form};
}

PlacePrinter::Place PlacePrinter::bitsOf(const Place& place, std::uint32_t low,
                                         std::uint32_t width) {
    return {fmt::format("{}({} downto {})", place.text, low + width - 1, low), place.form};
}

PlacePrinter::Place PlacePrinter::each(SignalId id, const std::string& k) const {
    const Signal& signal = module_[id];
    if (!signal.isPacked) return {fmt::format("{}({})", names_[id], k), formOf(signal.type)};
    const Text found = written(names_[id], Form::Unsigned, {k, signal.type.width, 0}, signal.type);
    return {found.text, found.form};
}

bool PlacePrinter::isSafe(SignalId id, ExprId at) const {
    const Signal& signal = module_[id];
    if (!at.valid()) return true;
    const Expr& expr = module_[at];
    if (expr.op == Op::Const || isCounted(at, signal.length)) return true;
    // GHDL 2 makes memories of variables, and fails where branches set them
    if (signal.isBlocking && !signal.isMemory) return false;
    if (ir::powerOfTwo(expr.type.width) > signal.length) return false;
    // nor does it set a part from a place on that it knows, and that is in a variable
    return !signal.isPacked || signal.type.isBool || (expr.op == Op::Ref && names_.isVarying(at));
}

Text PlacePrinter::sliceOfCounter(const Expr& expr) const {
    const Signal& signal = module_[expr.signal];
    const Form wanted = formOf(expr.type);
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

Text PlacePrinter::slice(const Expr& expr) const {
    const Signal& signal = module_[expr.signal];
    const Form wanted = formOf(expr.type);
    if (signal.role == Role::Counter) return sliceOfCounter(expr);
    if (signal.isPacked) {
        Bits bits = bitsOf(signal, expr.args[0]);
        bits.low += expr.low;
        return as(cut(names_[expr.signal], Form::Unsigned, bits, expr.type), wanted);
    }
    std::string whole = names_[expr.signal];
    if (expr.args[0].valid())
        whole = fmt::format("{}({})", whole, index(expr.args[0], signal.length));
    if (signal.type.isBool) return as({whole, Form::Logic}, wanted);
    if (expr.type.width == signal.type.width && !expr.type.isBool)
        return as({whole, formOf(signal.type)}, wanted);
    return as(cut(whole, formOf(signal.type), {{}, 1, expr.low}, expr.type), wanted);
}

/// Not as a slice from there on: tools that know the place cannot use that.
Text PlacePrinter::part(const Expr& expr) const {
    Expr all = expr;
    all.op = expr.args[0].valid() ? Op::Element : Op::Ref;
    const Signal& signal = module_[expr.signal];
    const std::string whole = expr.args[0].valid() ? element(all).text : names_[expr.signal];
    const std::string from = fmt::format("shift_right({}, to_integer({}))",
                                         converted(whole, formOf(signal.type), Form::Unsigned),
                                         expressions_.text(expr.args[1], Form::Unsigned));
    return {fmt::format("low_bits({}, {})", from, expr.type.width), Form::Unsigned};
}

}  // namespace smec::codegen::vhdl
