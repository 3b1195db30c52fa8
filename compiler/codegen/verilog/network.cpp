#include "codegen/verilog/network.h"

#include <algorithm>
#include <vector>

#include "codegen/verilog/expression.h"
#include "hdl/linear_place.h"
#include "ir/arithmetic.h"

namespace smec::codegen::verilog {

using namespace hdl;

namespace {

class NetworkPrinter {
public:
    NetworkPrinter(const hdl::Design& design, const Module& module, const Options& options,
                   Writer& out)
        : design_(design), module_(module), options_(options), out_(out) {}

    void run() {
        std::size_t depth = 0;
        for (const Instance& instance : module_.instances)
            depth = std::max(depth, instance.loops.size());
        for (std::size_t i = 0; i < depth; ++i)
            out_.line("genvar {};", loopVariable(i));
        for (const Instance& instance : module_.instances) {
            if (!instance.loops.empty()) out_.line("generate");
            for (std::size_t i = 0; i < instance.loops.size(); ++i) {
                const Loop& loop = instance.loops[i];
                out_.line("for ({0} = {1}; {0} < {2}; {0} = {0} + 1) begin : {3}", loopVariable(i),
                          loop.first, loop.first + loop.count, i == 0 ? instance.name : kInnerLoop);
                out_.in();
            }
            print(instance);
            for (std::size_t i = 0; i < instance.loops.size(); ++i) {
                out_.out();
                out_.line("end");
            }
            if (!instance.loops.empty()) out_.line("endgenerate");
        }
    }

private:
    void print(const Instance& instance) {
        const Module& inner = design_.modules[instance.module.index];
        std::vector<std::string> parameters, ports;
        for (const Argument& argument : instance.arguments) {
            parameters.push_back(
                fmt::format(".{}({})", argument.parameter, textOf(instance, argument, inner)));
            const LinearPlace place(instance, argument.value, argument.steps);
            if (options_.isVerilog2005() && !place.isConstant() && inner.kind != Kind::Foreign)
                out_.line("localparam [31:0] {} = {};", wide(argument), place.text());
        }
        if (inner.hasClock) {
            ports.emplace_back(".clk(clk)");
            ports.push_back(fmt::format(".{0}({0})", options_.reset.name()));
        }
        for (const Actual& actual : instance.actuals)
            ports.push_back(fmt::format(".{}({})", actual.port, textOf(instance, actual)));
        std::string head = inner.name;
        if (!parameters.empty()) head += fmt::format(" #({})", fmt::join(parameters, ", "));
        const std::string name = instance.loops.empty() ? instance.name : kElement;
        if (ports.empty()) return out_.line("{} {} ();", head, name);
        out_.line("{} {} (", head, name);
        out_.in();
        for (std::size_t i = 0; i < ports.size(); ++i)
            out_.line("{}{}", ports[i], i + 1 < ports.size() ? "," : "");
        out_.out();
        out_.line(");");
    }

    /// A number of the loop that Verilog-2005 has no cast for.
    static std::string wide(const Argument& argument) { return argument.parameter + "_wide"; }

    std::string textOf(const Instance& instance, const Argument& argument,
                       const Module& inner) const {
        const LinearPlace place(instance, argument.value, argument.steps);
        if (!place.isConstant() && inner.kind == Kind::Foreign) return place.text();
        if (!place.isConstant() && options_.isVerilog2005())
            return fmt::format("{}[{}:0]", wide(argument), argument.width - 1);
        if (!place.isConstant()) return fmt::format("{}'({})", argument.width, place.text());
        const Type type{argument.width, argument.value < 0, false};
        // a parameter written by hand has no width, mostly
        const bool isPlain = inner.kind == Kind::Foreign && isIntegerOfAll(argument.value);
        return isPlain ? argument.value.str() : literal(argument.value, type);
    }

    /// Element 0 in the low bits.
    std::string textOf(const Instance& instance, const Actual& actual) const {
        std::vector<std::string> parts;
        for (const Actual::Part& part : actual.parts) {
            if (part.signal.valid() && module_[part.signal].perNet != 0) {
                nets(instance, part, parts);
                continue;
            }
            if (part.signal.valid()) {
                parts.push_back(textOf(instance, part));
                continue;
            }
            for (const Integer& value : part.values)
                parts.push_back(literal(ir::wrapInteger(value, part.type.width, false),
                                        {part.type.width, false, part.type.isBool}));
        }
        if (parts.size() == 1) return parts.front();
        std::reverse(parts.begin(), parts.end());
        return fmt::format("{{{}}}", fmt::join(parts, ", "));
    }

    /// Those of an array of nets that the part is.
    void nets(const Instance& instance, const Actual::Part& part,
              std::vector<std::string>& parts) const {
        const Signal& signal = module_[part.signal];
        const std::uint32_t count = part.count == 0 ? signal.length : part.count;
        std::vector<std::int64_t> steps = part.steps;
        for (std::int64_t& step : steps)
            step /= signal.perNet;
        for (std::uint32_t i = 0; i < count; i += signal.perNet) {
            const std::int64_t first = (part.first + i) / signal.perNet;
            const LinearPlace place(instance, first, steps);
            const std::string at = place.isConstant() ? std::to_string(first) : place.text();
            parts.push_back(fmt::format("{}[{}]", signal.name, at));
        }
    }

    std::string textOf(const Instance& instance, const Actual::Part& part) const {
        const Signal& signal = module_[part.signal];
        if (part.count == 0) return signal.name;
        const std::uint32_t width = part.count * signal.type.width;
        const LinearPlace place(instance, part.first, part.steps);
        if (place.isConstant()) {
            const std::int64_t low = part.first * signal.type.width;
            if (width == 1) return fmt::format("{}[{}]", signal.name, low);
            return fmt::format("{}[{}:{}]", signal.name, low + width - 1, low);
        }
        if (signal.type.width == 1 && width == 1)
            return fmt::format("{}[{}]", signal.name, place.text());
        return fmt::format("{}[{} * {} +: {}]", signal.name, place.operand(), signal.type.width,
                           width);
    }

    const hdl::Design& design_;
    const Module& module_;
    const Options& options_;
    Writer& out_;
};

}  // namespace

void printNetwork(const hdl::Design& design, const Module& module, const Options& options,
                  Writer& out) {
    NetworkPrinter(design, module, options, out).run();
}

}  // namespace smec::codegen::verilog
