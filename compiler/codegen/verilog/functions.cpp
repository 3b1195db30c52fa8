#include "codegen/verilog/functions.h"

#include "hdl/module_builder.h"

namespace smec::codegen::verilog {

using namespace hdl;

namespace {

/// No name of the source ends like that, so that it hides none.
constexpr const char* kArgument = "value_";

}  // namespace

/// Its first line. `name` gives the result.
void FunctionPrinter::open(const std::string& name, const Type& result,
                           const Type& argument) const {
    out_.line("function automatic {}(input {});", named(declared(result, 1, keyword()), name),
              named(declared(argument, 1, keyword()), kArgument));
    out_.in();
}

void FunctionPrinter::close() const {
    out_.out();
    out_.line("endfunction");
}

void FunctionPrinter::table(const Signal& signal) const {
    const std::uint32_t width = indexWidth(signal.length);
    open(signal.name, signal.type, unsignedType(width));
    out_.line("case ({})", kArgument);
    out_.in();
    for (std::size_t i = 0; i < signal.initial.size(); ++i)
        out_.line("{}'d{}: {} = {};", width, i, signal.name,
                  literal(signal.initial[i], signal.type));
    out_.line("default: {} = {};", signal.name, literal(0, signal.type));
    out_.out();
    out_.line("endcase");
    close();
}

void FunctionPrinter::popcount(std::uint32_t width, std::uint32_t result) const {
    const std::string name = fmt::format("popcount_{}_{}", width, result);
    open(name, unsignedType(result), unsignedType(width));
    out_.line("integer k;");
    out_.line("begin");
    out_.line("    {} = {}'d0;", name, result);
    out_.line("    for (k = 0; k < {}; k = k + 1)", width);
    out_.line("        if ({3}{2}) {0} = {0} + {1}'d1;", name, result, width == 1 ? "" : "[k]",
              kArgument);
    out_.line("end");
    close();
}

void FunctionPrinter::change(const ExpressionPrinter::Change& change) const {
    const bool isCut = change.toWidth < change.fromWidth;
    if (isCut) out_.line("/* verilator lint_off UNUSEDSIGNAL */");
    open(change.name(), change.to(), change.from());
    if (isCut) out_.line("/* verilator lint_on UNUSEDSIGNAL */");
    const std::string sign =
        change.fromWidth == 1 ? kArgument : fmt::format("{}[{}]", kArgument, change.fromWidth - 1);
    if (change.isSigned)
        out_.line("{} = {{{{{}{{{}}}}}, {}}};", change.name(), change.toWidth - change.fromWidth,
                  sign, kArgument);
    else
        out_.line("{} = {}[{}:0];", change.name(), kArgument, change.toWidth - 1);
    close();
}

void FunctionPrinter::divide(const Division& division) const {
    const std::string type = declared({division.width, division.isSigned, false}, 1, keyword());
    const std::string name = division.name();
    out_.line("function automatic {}(input {}, input {});", named(type, name), named(type, "a_"),
              named(type, "b_"));
    out_.in();
    out_.margin("`ifdef __ICARUS__");
    divideBitByBit(division);
    out_.margin("`else");
    out_.line("{} = a_ {} b_;", name, division.isRemainder ? "%" : "/");
    out_.margin("`endif");
    close();
}

void FunctionPrinter::divideBitByBit(const Division& division) const {
    const std::uint32_t top = division.width - 1;
    const auto amount = [&](const char* of) {
        return division.isSigned ? fmt::format("{0}[{1}] ? -{0} : {0}", of, top) : std::string(of);
    };
    out_.line("reg [{}:0] q_, d_;", top);
    out_.line("reg [{}:0] rest_;", division.width);
    out_.line("integer k;");
    out_.line("begin");
    out_.in();
    out_.line("q_ = {};", amount("a_"));
    out_.line("d_ = {};", amount("b_"));
    out_.line("rest_ = {}'d0;", division.width + 1);
    out_.line("for (k = 0; k < {}; k = k + 1) begin", division.width);
    out_.line("    rest_ = {{rest_[{}:0], q_[{}]}};", top, top);
    out_.line("    q_ = {{q_[{}:0], rest_ >= {{1'b0, d_}}}};", top - 1);
    out_.line("    if (q_[0]) rest_ = rest_ - {{1'b0, d_}};");
    out_.line("end");
    const std::string result = division.isRemainder ? fmt::format("rest_[{}:0]", top) : "q_";
    const std::string isNegative =
        division.isRemainder ? fmt::format("a_[{}]", top) : fmt::format("a_[{0}] ^ b_[{0}]", top);
    if (division.isSigned)
        out_.line("{0} = {1} ? -{2} : {2};", division.name(), isNegative, result);
    else
        out_.line("{} = {};", division.name(), result);
    out_.out();
    out_.line("end");
}

}  // namespace smec::codegen::verilog
