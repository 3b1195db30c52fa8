#include "codegen/verilog/contents.h"

#include <algorithm>
#include <vector>

#include "codegen/verilog/expression.h"
#include "codegen/verilog/wide.h"
#include "ir/arithmetic.h"

namespace smec::codegen::verilog {

using namespace hdl;

std::string ContentsPrinter::text(const Signal& signal) const {
    if (signal.initialFrom) return module_[*signal.initialFrom].name;
    if (signal.length == 0) return literal(signal.initial.front(), signal.type);
    if (signal.initial.size() == 1)
        return fmt::format("{{{}{{{}}}}}", signal.length,
                           literal(ir::wrapInteger(signal.initial[0], signal.type.width, false),
                                   {signal.type.width, false, signal.type.isBool}));
    std::vector<std::string> parts;
    for (const Integer& value : signal.initial)
        parts.push_back(literal(ir::wrapInteger(value, signal.type.width, false),
                                {signal.type.width, false, signal.type.isBool}));
    std::reverse(parts.begin(), parts.end());
    return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

Integer ContentsPrinter::all(const Signal& signal) {
    Integer all = 0;
    for (std::size_t i = signal.elements(); i-- > 0;) {
        const Integer& value = signal.initial[signal.initial.size() == 1 ? 0 : i];
        all = (all << signal.type.width) | ir::wrapInteger(value, signal.type.width, false);
    }
    return all;
}

void ContentsPrinter::setWhole(const Signal& signal, const char* assign) {
    const std::uint64_t width = signal.type.width * signal.elements();
    if (signal.initialFrom) return setFrom(signal.name, assign, *signal.initialFrom);
    const Integer value = all(signal);
    if (isSpoilt(value, width)) return setParts(signal.name, 0, width, assign, value);
    out_.line("{} {} {};", signal.name, assign, text(signal));
}

void ContentsPrinter::setFrom(const std::string& name, const char* assign, SignalId from) {
    const Signal& parameter = module_[from];
    if (parameter.type.width <= kSafe) return out_.line("{} {} {};", name, assign, parameter.name);
    for (const Part& part : partsOf(parameter.type.width))
        out_.line("{0}[{1} +: {2}] {3} {4}[{1} +: {2}];", name, part.low, part.width, assign,
                  parameter.name);
}

void ContentsPrinter::setParts(const std::string& name, std::uint64_t low, std::uint64_t width,
                               const std::string& assign, const Integer& value) {
    const Integer bits = ir::wrapInteger(value, static_cast<std::uint32_t>(width), false);
    for (const Part& part : partsOf(width)) {
        const auto partWidth = static_cast<std::uint32_t>(part.width);
        const Integer piece = ir::wrapInteger(bits >> part.low, partWidth, false);
        out_.line("{}[{}:{}] {} {};", name, low + part.low + part.width - 1, low + part.low, assign,
                  literal(piece, {partWidth, false, false}));
    }
}

void ContentsPrinter::set(const Signal& signal, const char* assign) {
    if (!isUnpacked(signal)) return setWhole(signal, assign);
    if (signal.initialFrom) {
        const std::string from = module_[*signal.initialFrom].name;
        for (std::uint32_t k = 0; k < signal.length; ++k)
            out_.line("{}[{}] {} {}[{} +: {}];", signal.name, k, assign, from,
                      k * signal.type.width, signal.type.width);
    } else if (signal.initial.size() == 1) {
        out_.line("for (k = 0; k < {}; k = k + 1) {}[k] {} {};", signal.length, signal.name, assign,
                  literal(signal.initial[0], signal.type));
    } else {
        for (std::size_t k = 0; k < signal.initial.size(); ++k)
            out_.line("{}[{}] {} {};", signal.name, k, assign,
                      literal(signal.initial[k], signal.type));
    }
}

}  // namespace smec::codegen::verilog
