#include "driver/hardware/hardware_files.h"

#include <fmt/format.h>

#include "codegen/verilog/testbench.h"
#include "codegen/verilog/verilog.h"
#include "codegen/vhdl/testbench.h"
#include "codegen/vhdl/vhdl.h"
#include "driver/hardware/fusesoc.h"
#include "driver/hardware/hardware_names.h"
#include "driver/hardware/hardware_tools.h"
#include "driver/system/files.h"

namespace smec::driver {

namespace {

codegen::verilog::Options verilogOptions(const HardwareOptions& hardware) {
    return {.reset = {hardware.isAsync, hardware.isActiveLow},
            .dialect = hardware.isVerilog2005 ? codegen::verilog::Dialect::Verilog2005
                                              : codegen::verilog::Dialect::SystemVerilog};
}

std::string listed(const std::vector<std::string>& names,
                   fmt::format_string<const std::string&> format) {
    std::string text;
    for (const std::string& name : names)
        text += fmt::format(format, name);
    return text;
}

/// A goal that runs the test bench.
std::string benchRule(const BenchTool& tool, const std::string& bench) {
    std::string text =
        fmt::format("{0}: $({1}) {2}.{3} {2}.hex\n", tool.name, tool.isVhdl ? "VHDL" : "SOURCES",
                    bench, tool.isVhdl ? "vhd" : "sv");
    for (const std::vector<std::string>& command : tool.commands)
        text += fmt::format("\t{}\n", fmt::join(command, " "));
    return text + "\n";
}

std::string lintRule(const std::string& top, bool isOld) {
    return fmt::format(
        "lint: $(SOURCES)\n"
        "\tverilator --lint-only -Wall {1}--top-module {0} $(SOURCES)\n"
        "\tiverilog {2} -Wall -t null -s {0} $(SOURCES)\n"
        "\tyosys -q -p \"read_verilog {3}$(SOURCES); synth -top {0}; check -assert\"\n\n",
        top, isOld ? "--default-language 1364-2005 " : "", isOld ? "-g2005" : "-g2012",
        isOld ? "" : "-sv ");
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
        rules += fmt::format("SOURCES ={}\n\n", listed(verilogFiles(design, hardware), " {}"));
    }
    if (hardware.isVhdl) {
        text += "# make ghdl: the test bench; make synth: GHDL's synthesis\n";
        rules += fmt::format("VHDL ={}\n\n", listed(vhdlFiles(design), " {}"));
    }
    for (const BenchTool& tool : benchTools(design.bench, {"$(SOURCES)"}, {"$(VHDL)"})) {
        if (!(tool.isVhdl ? hardware.isVhdl : hardware.isVerilog)) continue;
        rules += benchRule(tool, design.bench);
        goals += " " + tool.name;
        made += listed(tool.made, " {}");
    }
    if (hardware.isVerilog) {
        rules += lintRule(top, hardware.isVerilog2005);
        goals += " lint";
    }
    if (hardware.isVhdl) {
        rules += synthRule(top);
        goals += " synth";
    }
    return text + rules + fmt::format("clean:\n\trm -rf{}\n\n.PHONY:{} clean\n", made, goals);
}

using Files = std::map<std::string, std::string>;

void addCopied(const hdl::Design& design, const std::string& language, Files& files) {
    for (const hdl::CopiedFile& file : design.copied)
        if (file.language == language) files[file.name] = file.text;
}

void addVerilog(const HardwareOptions& hardware, const hdl::Design& design,
                const SourceManager& sources, const std::optional<hdl::Recording>& recording,
                Files& files) {
    const codegen::verilog::Options printing = verilogOptions(hardware);
    files.merge(codegen::verilog::print(design, sources, printing));
    addCopied(design, "verilog", files);
    files["files.f"] = listed(verilogFiles(design, hardware), "{}\n");
    if (recording) files.merge(codegen::verilog::testBench(design, *recording, printing));
}

void addVhdl(const HardwareOptions& hardware, const hdl::Design& design,
             const SourceManager& sources, const std::optional<hdl::Recording>& recording,
             Files& files) {
    const codegen::vhdl::Options printing{.isAsync = hardware.isAsync,
                                          .isActiveLow = hardware.isActiveLow};
    files.merge(codegen::vhdl::print(design, sources, printing));
    addCopied(design, "vhdl", files);
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
    if (recording) {
        files["Makefile"] = makefile(design, hardware);
        files[design.modules.back().name + ".core"] = fusesocCore(design, hardware);
    }
    return files;
}

void writeHardware(const std::filesystem::path& folder,
                   const std::map<std::string, std::string>& files, const InputFiles& inputs) {
    for (const auto& [name, text] : files) {
        const std::filesystem::path file = folder / name;
        if (file.parent_path() != folder) makeDirectories(file.parent_path());
        writeIfChanged(file, text, inputs);
    }
}

}  // namespace smec::driver
