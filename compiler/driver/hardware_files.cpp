#include "driver/hardware_files.h"

#include <fmt/format.h>

#include "codegen/verilog/testbench.h"
#include "codegen/verilog/verilog.h"
#include "codegen/vhdl/testbench.h"
#include "codegen/vhdl/vhdl.h"

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

std::string verilogRules(const hdl::Design& design, const std::string& top) {
    return fmt::format(
        "SOURCES ={0}\n"
        "BENCH = tb_{1}.sv\n\n"
        "icarus: $(SOURCES) $(BENCH) tb_{1}.hex\n"
        "\tiverilog -g2012 -o tb_{1}.vvp -s tb_{1} $(SOURCES) $(BENCH)\n"
        "\tvvp -N tb_{1}.vvp\n\n"
        "verilator: $(SOURCES) $(BENCH) tb_{1}.hex\n"
        "\tverilator --binary --timing -Wno-fatal -Wno-lint --top-module tb_{1} -Mdir "
        "obj_dir $(SOURCES) $(BENCH)\n"
        "\t./obj_dir/Vtb_{1}\n\n"
        "lint: $(SOURCES)\n"
        "\tverilator --lint-only -Wall --top-module {1} $(SOURCES)\n"
        "\tiverilog -g2012 -Wall -o /dev/null -s {1} $(SOURCES)\n"
        "\tyosys -q -p \"read_verilog -sv $(SOURCES); synth -top {1}; check -assert\"\n\n",
        listed(verilogFiles(design), " {}"), top);
}

std::string vhdlRules(const hdl::Design& design, const std::string& top) {
    return fmt::format("VHDL ={0}\n\n"
                       "ghdl: $(VHDL) tb_{1}.vhd tb_{1}.hex\n"
                       "\tghdl -a --std=08 $(VHDL) tb_{1}.vhd\n"
                       "\tghdl -e --std=08 tb_{1}\n"
                       "\tghdl -r --std=08 tb_{1}\n\n"
                       "synth: $(VHDL)\n"
                       "\tghdl -a --std=08 $(VHDL)\n"
                       "\tghdl --synth --std=08 {1} > /dev/null\n\n",
                       listed(vhdlFiles(design), " {}"), top);
}

std::string makefile(const hdl::Design& design, const HardwareOptions& hardware) {
    const std::string& top = design.modules.back().name;
    std::string text, goals, made;
    if (hardware.isVerilog) {
        text += "# make icarus, make verilator: the test bench; make lint: all linters\n";
        goals += " icarus verilator lint";
        made += fmt::format(" obj_dir tb_{}.vvp", top);
    }
    if (hardware.isVhdl) {
        text += "# make ghdl: the test bench; make synth: GHDL's synthesis\n";
        goals += " ghdl synth";
        made += " work-obj08.cf";
    }
    if (hardware.isVerilog) text += verilogRules(design, top);
    if (hardware.isVhdl) text += vhdlRules(design, top);
    return text + fmt::format("clean:\n\trm -rf{}\n\n.PHONY:{} clean\n", made, goals);
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
