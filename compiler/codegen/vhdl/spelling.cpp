#include "codegen/vhdl/spelling.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

#include "hdl/module_builder.h"
#include "ir/arithmetic.h"

namespace smec::codegen::vhdl {

using namespace hdl;

namespace {

// hdl::Names keeps away from the words of the language and of its packages.
constexpr std::array<std::string_view, 17> kSupport{
    "choose",      "copied",      "count_ones", "element",  "image",      "low_bits",
    "padded",      "parity",      "part",       "safe_div", "safe_index", "safe_rem",
    "shift_count", "sign_extend", "to_bits",    "to_logic", "zero_extend"};

}  // namespace

Form formOf(const Type& type) {
    if (type.isBool) return Form::Logic;
    return type.isSigned ? Form::Signed : Form::Unsigned;
}

Form formOf(const Signal& signal) {
    return signal.length != 0 ? Form::Unsigned : formOf(signal.type);
}

std::string identifier(const std::string& name) {
    std::string small = name;
    std::transform(small.begin(), small.end(), small.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const bool isTaken = std::find(kSupport.begin(), kSupport.end(), small) != kSupport.end();
    return isTaken ? "\\" + name + "\\" : name;
}

/// GHDL 2 takes some decimal numbers close to 2^31 for too large.
bool isSmall(const Integer& value) {
    return value > -ir::powerOfTwo(30) && value < ir::powerOfTwo(30);
}

std::string literal(const Integer& value, const Type& type) {
    if (type.isBool) return value == 0 ? "'0'" : "'1'";
    const char* name = type.isSigned ? "signed" : "unsigned";
    const Integer exact = ir::wrapInteger(value, type.width, type.isSigned);
    if (isSmall(exact)) return fmt::format("to_{}({}, {})", name, exact.str(), type.width);
    return fmt::format("{}'({}x\"{}\")", name, type.width,
                       hex(ir::wrapInteger(value, type.width, false)));
}

std::string declared(const Type& type) {
    if (type.isBool) return "std_logic";
    return fmt::format("{}({} downto 0)", type.isSigned ? "signed" : "unsigned", type.width - 1);
}

std::string declared(const Signal& signal) {
    if (signal.length == 0) return declared(signal.type);
    return declared(Type{widthOf(signal), false, false});
}

std::string converted(const std::string& value, Form from, Form to) {
    if (from == to) return value;
    switch (to) {
    case Form::Logic: return "to_logic(" + value + ")";
    case Form::Boolean: return from == Form::Logic ? value + " = '1'" : value + " /= 0";
    case Form::Unsigned:
        return from == Form::Signed ? "unsigned(" + value + ")" : "to_bits(" + value + ", 1)";
    case Form::Signed:
        return from == Form::Unsigned ? "signed(" + value + ")"
                                      : "signed(to_bits(" + value + ", 1))";
    }
    return value;
}

std::string initialOf(const Module& module, const Signal& signal) {
    if (signal.initialFrom)
        return converted(identifier(module[*signal.initialFrom].name), Form::Unsigned,
                         formOf(signal));
    if (signal.length == 0)
        return literal(signal.initial.empty() ? Integer(0) : signal.initial.front(), signal.type);
    Integer all = 0;
    for (std::size_t i = signal.initial.empty() ? 0 : signal.elements(); i-- > 0;) {
        const Integer& value = signal.initial[signal.initial.size() == 1 ? 0 : i];
        all = (all << signal.type.width) | ir::wrapInteger(value, signal.type.width, false);
    }
    return literal(all, Type{widthOf(signal), false, false});
}

}  // namespace smec::codegen::vhdl
