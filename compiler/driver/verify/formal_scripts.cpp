#include "driver/verify/formal_scripts.h"
#include "driver/verify/target.h"

#include <fmt/format.h>

namespace smec::driver {

namespace {

constexpr const char* kClock = "clk";

YosysScript listed(const std::vector<YosysWord>& files) {
    YosysScript list;
    for (const YosysWord& file : files)
        list.add(" {}", file);
    return list;
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

YosysScript listScript(const FormalSide& side) {
    return yosysScript("read_verilog -sv -DSYNTHESIS{}\nproc\nwrite_json list.json\n",
                       listed(side.files));
}

YosysScript prepareScript(const FormalSide& side) {
    YosysScript script =
        yosysScript("read_verilog -defer -sv -DSYNTHESIS{}\nhierarchy -check -top {}",
                    listed(side.files), YosysWord(side.module));
    for (const auto& [name, value] : side.parameters)
        script.add(" -chparam {} {}", YosysWord(name), YosysWord(value));
    return script.add("\nproc\nflatten\nmemory\nopt -full\nasync2sync\ndffunmap\nopt_clean\n"
                      "rename -top {0}\nwrite_rtlil {0}.il\nwrite_json {0}.json\n",
                      YosysWord(side.name));
}

YosysScript equivalenceScript(const FormalPorts& ports, const std::string& reset, bool isActiveLow,
                              const std::vector<std::pair<std::string, std::string>>& pairs,
                              bool onlyRegisters) {
    YosysScript script = yosysScript(kReadBoth);
    if (onlyRegisters)
        script.add("select -set kept t:$dff %co1:+[Q] x:*\nrename -hide w:* @kept %d\n"
                   "select -clear\n");
    script.add("equiv_make gold gate equiv\nhierarchy -top equiv\ncd equiv\n");
    for (const auto& [gold, gate] : pairs)
        if (YosysWord::fits(gold) && YosysWord::fits(gate))  // else a proof has a hint less
            script.add("equiv_add -try {}_gold {}_gate\n", YosysWord(gold), YosysWord(gate));
    script.add("cd ..\nequiv_miter -assert start equiv\n");
    // equiv_simple looks at one signal after the other, which helps where there are many on the
    // way.
    if (!onlyRegisters) script.add("equiv_simple equiv\n");
    script.add("equiv_induct -seq {} equiv\nequiv_status -assert equiv\n", target::kInductionSteps);
    if (!ports.contains(reset)) return script;
    return script.add("sat -tempinduct-baseonly -seq 1 -maxsteps {} -prove-asserts -verify "
                      "-set-at 1 {} {} start\n",
                      target::kInductionSteps + 2, YosysWord(reset), isActiveLow ? 0 : 1);
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

YosysScript satScript(bool isInduction, std::uint64_t cycles, bool isResetOnce) {
    YosysScript script = yosysScript(kReadBoth);
    script.add("read_verilog -sv -formal");
    if (isResetOnce) script.add(" -DRESET_ONCE");
    script.add(" miter.sv\n").add(kReadMiter).add("opt_clean\nsat ");
    isInduction ? script.add("-tempinduct") : script.add("-tempinduct-baseonly");
    return script.add(" -prove-asserts -set-assumes -maxsteps {} -show-ports miter\n", cycles + 1);
}

}  // namespace

YosysScript searchScript(std::uint64_t cycles) { return satScript(true, cycles, false); }

YosysScript boundedSearchScript(std::uint64_t cycles, bool isResetOnce) {
    return satScript(false, cycles, isResetOnce);
}

YosysScript aigerScript() {
    return yosysScript(kReadBoth)
        .add("read_verilog -sv -formal miter.sv\n")
        .add(kReadMiter)
        .add("opt -full\nasync2sync\n"
             "setundef -undriven -anyseq\ntechmap\ndffunmap\nsimplemap\nopt_clean\n"
             "abc -g AND -fast\nopt_clean\nwrite_aiger -zinit miter.aig\n");
}

}  // namespace smec::driver
