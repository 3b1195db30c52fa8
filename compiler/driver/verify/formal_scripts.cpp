#include "driver/verify/formal_scripts.h"
#include "driver/verify/target.h"

#include <fmt/format.h>

namespace smec::driver {

namespace {

constexpr const char* kClock = "clk";

std::string quoted(const std::vector<std::string>& files) {
    std::string text;
    for (const std::string& file : files)
        text += fmt::format(" \"{}\"", file);
    return text;
}

/// An escaped identifier of Verilog.
std::string escaped(const char* prefix, const std::string& name) {
    return fmt::format("\\{}{} ", prefix, name);
}

std::string connections(const FormalPorts& ports, const char* outputs) {
    std::string text;
    for (const auto& [name, port] : ports)
        text += fmt::format("{}.\\{} ({})", text.empty() ? "" : ", ", name,
                            escaped(port.isInput ? "in_" : outputs, name));
    return text;
}

std::string declaration(const char* direction, const char* prefix, const std::string& name,
                        std::size_t width) {
    return fmt::format("    {} wire [{}:0] {}", direction, width - 1, escaped(prefix, name));
}

constexpr const char* kReadBoth = "read_rtlil gold.il\nread_rtlil gate.il\n";
constexpr const char* kReadMiter = "hierarchy -check -top miter\nproc\nflatten\n";

}  // namespace

std::string listScript(const FormalSide& side, const std::string& json) {
    return fmt::format("read_verilog -sv -DSYNTHESIS{}\nproc\nwrite_json {}\n", quoted(side.files),
                       json);
}

std::string prepareScript(const FormalSide& side) {
    std::string text =
        fmt::format("read_verilog -defer -sv -DSYNTHESIS{}\nhierarchy -check -top {}",
                    quoted(side.files), side.module);
    for (const auto& [name, value] : side.parameters)
        text += fmt::format(" -chparam {} {}", name, value);
    return text
           + fmt::format("\nproc\nflatten\nmemory\nopt -full\nasync2sync\ndffunmap\nopt_clean\n"
                         "rename -top {0}\nwrite_rtlil {0}.il\nwrite_json {0}.json\n",
                         side.name);
}

std::string equivalenceScript(const FormalPorts& ports, const std::string& reset, bool isActiveLow,
                              const std::vector<std::pair<std::string, std::string>>& pairs,
                              bool onlyRegisters) {
    std::string text = kReadBoth;
    if (onlyRegisters)
        text += "select -set kept t:$dff %co1:+[Q] x:*\nrename -hide w:* @kept %d\n"
                "select -clear\n";
    text += "equiv_make gold gate equiv\nhierarchy -top equiv\ncd equiv\n";
    for (const auto& [gold, gate] : pairs)
        text += fmt::format("equiv_add -try {}_gold {}_gate\n", gold, gate);
    // equiv_simple looks at one signal after the other, which helps where there are many on the
    // way.
    text += fmt::format("cd ..\nequiv_miter -assert start equiv\n{}"
                        "equiv_induct -seq {} equiv\nequiv_status -assert equiv\n",
                        onlyRegisters ? "" : "equiv_simple equiv\n", target::kInductionSteps);
    if (!ports.contains(reset)) return text;
    return text
           + fmt::format("sat -tempinduct-baseonly -seq 1 -maxsteps {} -prove-asserts -verify "
                         "-set-at 1 {} {} start\n",
                         target::kInductionSteps + 2, reset, isActiveLow ? 0 : 1);
}

std::string miterText(const FormalPorts& ports, const std::string& reset, bool isActiveLow) {
    const bool hasClock = ports.contains(kClock) && ports.contains(reset);
    std::string list, asserts;
    for (const auto& [name, port] : ports) {
        const std::string comma = list.empty() ? "" : ",\n";
        if (port.isInput) {
            list += comma + declaration("input", "in_", name, port.width);
            continue;
        }
        list += comma + declaration("output", "gold_", name, port.width) + ",\n"
                + declaration("output", "gate_", name, port.width);
        asserts +=
            fmt::format("    always @* assert ({}{}== {});\n", hasClock ? "!is_live || " : "",
                        escaped("gold_", name), escaped("gate_", name));
    }
    std::string text = fmt::format("module miter (\n{});\n    gold gold_design ({});\n"
                                   "    gate gate_design ({});\n",
                                   list, connections(ports, "gold_"), connections(ports, "gate_"));
    if (hasClock) {
        const std::string active =
            fmt::format("{}{}", isActiveLow ? "!" : "", escaped("in_", reset));
        text += fmt::format("    reg is_live = 1'b0;\n"
                            "    always @(posedge {}) is_live <= 1'b1;\n"
                            "`ifdef RESET_ONCE\n    always @* assume (is_live != {});\n"
                            "`else\n    always @* assume (is_live || {});\n`endif\n",
                            escaped("in_", kClock), active, active);
    }
    return text + asserts + "endmodule\n";
}

namespace {

std::string satScript(const char* kind, std::uint64_t cycles, bool isResetOnce) {
    return fmt::format("{}read_verilog -sv -formal{} miter.sv\n{}opt_clean\n"
                       "sat {} -prove-asserts -set-assumes -maxsteps {} -show-ports miter\n",
                       kReadBoth, isResetOnce ? " -DRESET_ONCE" : "", kReadMiter, kind, cycles + 1);
}

}  // namespace

std::string searchScript(std::uint64_t cycles) { return satScript("-tempinduct", cycles, false); }

std::string boundedSearchScript(std::uint64_t cycles, bool isResetOnce) {
    return satScript("-tempinduct-baseonly", cycles, isResetOnce);
}

std::string aigerScript() {
    return fmt::format("{}read_verilog -sv -formal miter.sv\n{}opt -full\nasync2sync\n"
                       "setundef -undriven -anyseq\ntechmap\ndffunmap\nsimplemap\nopt_clean\n"
                       "abc -g AND -fast\nopt_clean\nwrite_aiger -zinit miter.aig\n",
                       kReadBoth, kReadMiter);
}

}  // namespace smec::driver
