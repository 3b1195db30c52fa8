#include "codegen/verilog/testbench.h"

#include <fmt/format.h>

#include "codegen/verilog/expression.h"
#include "ir/arithmetic.h"

namespace smec::codegen::verilog {

using namespace hdl;

namespace {

class BenchPrinter {
public:
    BenchPrinter(const hdl::Design& design, const Recording& recording, const Options& options)
        : design_(design),
          recording_(recording),
          options_(options),
          top_(design.modules.back()),
          name_(design.bench) {
        for (const std::uint32_t probe : recording.probes) {
            lows_.push_back(width_);
            width_ += design.probes[probe].type.width;
        }
    }

    std::map<std::string, std::string> run() {
        head();
        instance();
        compare();
        main();
        return {{name_ + ".sv", std::move(out_)}, {name_ + ".hex", hexLines(design_, recording_)}};
    }

private:
    template <typename... Args>
    void line(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
        out_ += '\n';
    }

    void head() {
        line("// Compares {} with a recorded run of {} cycles.", top_.name, recording_.rows.size());
        line("`timescale 1ns / 1ps");
        line("module {};", name_);
        line("    localparam integer CYCLES = {};", recording_.rows.size());
        line("    logic clk = 1'b0;");
        line("    logic {} = 1'b{};", options_.reset.name(), options_.reset.isActiveLow ? 0 : 1);
        for (const Signal& signal : top_.signals) {
            if (signal.role == Role::Input)
                line("    {} {};", declared(signal.type, signal.elements()), signal.name);
            if (signal.role == Role::Output)
                line("    {} {};", declared(signal.type, signal.elements(), "wire"), signal.name);
        }
        line("    logic [{}:0] rows [0:CYCLES-1];", std::max<std::uint64_t>(width_, 1) - 1);
        line("    logic [{}:0] row;", std::max<std::uint64_t>(width_, 1) - 1);
        line("    integer cycle;");
        line("    integer failures = 0;");
        line("");
    }

    void instance() {
        std::string ports;
        if (top_.hasClock) ports = fmt::format(".clk(clk), .{0}({0})", options_.reset.name());
        for (const Signal& signal : top_.signals)
            if (signal.role == Role::Input || signal.role == Role::Output)
                ports +=
                    fmt::format("{}.{}({})", ports.empty() ? "" : ", ", signal.name, signal.name);
        line("    {} dut ({});", top_.name, ports);
        line("");
    }

    /// "s", and in loops "s[3].inner[2].element".
    static std::string pathOf(const Step& step) {
        std::string path = step.instance;
        for (std::size_t i = 0; i < step.indices.size(); ++i)
            path +=
                fmt::format("{}[{}]", i == 0 ? "" : std::string(".") + kInnerLoop, step.indices[i]);
        if (!step.indices.empty()) path += std::string(".") + kElement;
        return path;
    }

    std::string pathOf(const Probe& probe) const {
        std::string path = probe.isPort ? "" : "dut.";
        for (const Step& step : probe.path)
            path += pathOf(step) + ".";
        path += probe.signal;
        if (probe.isWhole) return path;
        if (probe.type.width == 1) return fmt::format("{}[{}]", path, probe.low);
        return fmt::format("{}[{}:{}]", path, probe.low + probe.type.width - 1, probe.low);
    }

    std::string ofRow(std::size_t column) const {
        const Type type = design_.probes[recording_.probes[column]].type;
        if (type.width == 1) return fmt::format("row[{}]", lows_[column]);
        return fmt::format("row[{}:{}]", lows_[column] + type.width - 1, lows_[column]);
    }

    void compare() {
        line("    task compare;");
        for (const bool ports : {true, false}) {
            if (!ports) line("`ifndef ONLY_PORTS");
            for (std::size_t i = 0; i < recording_.probes.size(); ++i) {
                const Probe& probe = design_.probes[recording_.probes[i]];
                if (probe.isInput || probe.isPort != ports) continue;
                const std::string path = pathOf(probe), wanted = ofRow(i);
                const char* sign = probe.type.isSigned ? "$signed" : "";
                line("        if ({} !== {}) begin", path, wanted);
                line("            $display(\"cycle %0d: {}: expected %0d, got %0d\", cycle, "
                     "{}({}), {}({}));",
                     probe.name, sign, wanted, sign, path);
                line("            failures = failures + 1;");
                line("        end");
            }
            if (!ports) line("`endif");
        }
        line("    endtask");
        line("");
    }

    void main() {
        const int active = options_.reset.isActiveLow ? 0 : 1;
        line("    initial begin");
        line("        $readmemh(\"{}.hex\", rows);", name_);
        for (std::size_t i = 0; i < recording_.probes.size(); ++i) {
            const Probe& probe = design_.probes[recording_.probes[i]];
            if (probe.isInput)
                line("        {} = {};", pathOf(probe),
                     literal(ir::wrapInteger(probe.initial, probe.type.width, false),
                             {probe.type.width, false, probe.type.isBool}));
        }
        line("        {} = 1'b{};", options_.reset.name(), active);
        line("        repeat (2) begin");
        line("            #5 clk = 1'b1;");
        line("            #5 clk = 1'b0;");
        line("        end");
        line("        {} = 1'b{};", options_.reset.name(), 1 - active);
        line("        for (cycle = 0; cycle < CYCLES; cycle = cycle + 1) begin");
        line("            row = rows[cycle];");
        for (std::size_t i = 0; i < recording_.probes.size(); ++i) {
            const Probe& probe = design_.probes[recording_.probes[i]];
            if (probe.isInput) line("            {} = {};", pathOf(probe), ofRow(i));
        }
        line("            #4 compare;");
        line("            if (failures != 0) begin");
        line("                $display(\"FAILED in cycle %0d\", cycle);");
        line("                $fatal(1);");
        line("            end");
        line("            #1 clk = 1'b1;");
        line("            #5 clk = 1'b0;");
        line("        end");
        line("        $display(\"PASSED: %0d cycles\", CYCLES);");
        line("        $finish;");
        line("    end");
        line("endmodule");
    }

    const hdl::Design& design_;
    const Recording& recording_;
    const Options& options_;
    const Module& top_;
    std::string name_;
    std::vector<std::uint64_t> lows_;  ///< first bit of each column in a row
    std::uint64_t width_ = 0;
    std::string out_;
};

}  // namespace

std::map<std::string, std::string>
testBench(const hdl::Design& design, const hdl::Recording& recording, const Options& options) {
    return BenchPrinter(design, recording, options).run();
}

}  // namespace smec::codegen::verilog
