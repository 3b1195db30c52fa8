#include "driver/hardware_files.h"

#include <fmt/format.h>

#include "codegen/verilog/testbench.h"
#include "codegen/verilog/verilog.h"
#include "codegen/vhdl/testbench.h"
#include "codegen/vhdl/vhdl.h"
#include "driver/hardware_tools.h"

namespace smec::driver {

std::vector<std::string> verilogFiles(const hdl::Design& design) {
    std::vector<std::string> names;
    for (const hdl::Module& module : design.modules)
        names.push_back(module.name + ".sv");
    return names;
}

std::vector<std::string> vhdlFiles(const hdl::Design& design) {
    std::vector<std::string> names{codegen::vhdl::supportName(design) + ".vhd"};
    for (const hdl::Module& module : design.modules)
        names.push_back(module.name + ".vhd");
    return names;
}

namespace {

std::string listed(const std::vector<std::string>& names,
                   fmt::format_string<const std::string&> format) {
    std::string text;
    for (const std::string& name : names)
        text += fmt::format(format, name);
    return text;
}

/// A goal that runs the test bench.
std::string benchRule(const BenchTool& tool, const std::string& top) {
    std::string text =
        fmt::format("{0}: $({1}) tb_{2}.{3} tb_{2}.hex\n", tool.name,
                    tool.isVhdl ? "VHDL" : "SOURCES", top, tool.isVhdl ? "vhd" : "sv");
    for (const std::vector<std::string>& command : tool.commands)
        text += fmt::format("\t{}\n", fmt::join(command, " "));
    return text + "\n";
}

std::string lintRule(const std::string& top) {
    return fmt::format(
        "lint: $(SOURCES)\n"
        "\tverilator --lint-only -Wall --top-module {0} $(SOURCES)\n"
        "\tiverilog -g2012 -Wall -o /dev/null -s {0} $(SOURCES)\n"
        "\tyosys -q -p \"read_verilog -sv $(SOURCES); synth -top {0}; check -assert\"\n\n",
        top);
}

std::string synthRule(const std::string& top) {
    return fmt::format("synth: $(VHDL)\n"
                       "\tghdl -a --std=08 $(VHDL)\n"
                       "\tghdl --synth --std=08 {} > /dev/null\n\n",
                       top);
}

std::string makefile(const hdl::Design& design, const HardwareOptions& hardware) {
    const std::string& top = design.modules.back().name;
    std::string text, rules, goals, made;
    if (hardware.isVerilog) {
        text += "# make icarus, make verilator: the test bench; make lint: all linters\n";
        rules += fmt::format("SOURCES ={}\n\n", listed(verilogFiles(design), " {}"));
    }
    if (hardware.isVhdl) {
        text += "# make ghdl: the test bench; make synth: GHDL's synthesis\n";
        rules += fmt::format("VHDL ={}\n\n", listed(vhdlFiles(design), " {}"));
    }
    for (const BenchTool& tool : benchTools(top, {"$(SOURCES)"}, {"$(VHDL)"})) {
        if (!(tool.isVhdl ? hardware.isVhdl : hardware.isVerilog)) continue;
        rules += benchRule(tool, top);
        goals += " " + tool.name;
        made += listed(tool.made, " {}");
    }
    if (hardware.isVerilog) {
        rules += lintRule(top);
        goals += " lint";
    }
    if (hardware.isVhdl) {
        rules += synthRule(top);
        goals += " synth";
    }
    return text + rules + fmt::format("clean:\n\trm -rf{}\n\n.PHONY:{} clean\n", made, goals);
}

std::string core(const hdl::Design& design) {
    return fmt::format(
        "CAPI=2:\nname: ::{0}:0\nfilesets:\n  rtl:\n    files:\n{1}    file_type: "
        "systemVerilogSource\n  bench:\n    files:\n      - tb_{0}.sv\n    file_type: "
        "systemVerilogSource\ntargets:\n  default:\n    filesets: [rtl]\n    toplevel: {0}\n"
        "  sim:\n    default_tool: icarus\n    filesets: [rtl, bench]\n    toplevel: tb_{0}\n",
        design.modules.back().name, listed(verilogFiles(design), "      - {}\n"));
}

using Files = std::map<std::string, std::string>;

void addVerilog(const HardwareOptions& hardware, const hdl::Design& design,
                const SourceManager& sources, const std::optional<hdl::Recording>& recording,
                Files& files) {
    const codegen::verilog::Options printing{.isAsync = hardware.isAsync,
                                             .isActiveLow = hardware.isActiveLow};
    files.merge(codegen::verilog::print(design, sources, printing));
    files["files.f"] = listed(verilogFiles(design), "{}\n");
    if (!recording) return;
    files.merge(codegen::verilog::testBench(design, *recording, printing));
    files[design.modules.back().name + ".core"] = core(design);
}

void addVhdl(const HardwareOptions& hardware, const hdl::Design& design,
             const SourceManager& sources, const std::optional<hdl::Recording>& recording,
             Files& files) {
    const codegen::vhdl::Options printing{.isAsync = hardware.isAsync,
                                          .isActiveLow = hardware.isActiveLow};
    files.merge(codegen::vhdl::print(design, sources, printing));
    files["files_vhdl.f"] = listed(vhdlFiles(design), "{}\n");
    if (recording) files.merge(codegen::vhdl::testBench(design, sources, *recording, printing));
}

}  // namespace

std::map<std::string, std::string> hardwareFiles(const hdl::Design& design,
                                                 const SourceManager& sources,
                                                 const std::optional<hdl::Recording>& recording,
                                                 const HardwareOptions& hardware) {
    Files files;
    if (hardware.isVerilog) addVerilog(hardware, design, sources, recording, files);
    if (hardware.isVhdl) addVhdl(hardware, design, sources, recording, files);
    if (recording) files["Makefile"] = makefile(design, hardware);
    return files;
}

}  // namespace smec::driver
