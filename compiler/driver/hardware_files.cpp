#include "driver/hardware_files.h"

#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "codegen/verilog/testbench.h"
#include "codegen/verilog/verilog.h"
#include "codegen/vhdl/testbench.h"
#include "codegen/vhdl/vhdl.h"
#include "driver/files.h"

namespace smec::driver {

namespace fs = std::filesystem;

namespace {

/// Those written by hand, in the order of the modules: name in the folder -> where it is.
std::vector<std::pair<std::string, std::string>> foreignFiles(const hdl::Design& design,
                                                              const std::string& language) {
    std::set<std::string> taken;
    for (const hdl::Module& module : design.modules)
        if (module.kind != hdl::Kind::Foreign)
            for (const char* suffix : {".sv", ".v", ".vhd"})
                taken.insert(module.name + suffix);
    std::map<std::string, std::string> names;
    std::vector<std::pair<std::string, std::string>> result;
    for (const hdl::Module& module : design.modules)
        for (const hdl::ForeignFile& file : module.files) {
            if (file.language != language || names.contains(file.path)) continue;
            std::string name = fs::path(file.path).filename().string();
            while (!taken.insert(name).second)
                name.insert(0, "extern_");
            names[file.path] = name;
            result.emplace_back(name, file.path);
        }
    return result;
}

std::vector<std::string> filesOf(const hdl::Design& design, const std::string& language,
                                 const std::string& suffix) {
    std::vector<std::string> names;
    for (const auto& [name, path] : foreignFiles(design, language))
        names.push_back(name);
    for (const hdl::Module& module : design.modules)
        if (module.kind != hdl::Kind::Foreign) names.push_back(module.name + suffix);
    return names;
}

codegen::verilog::Options verilogOptions(const HardwareOptions& hardware) {
    return {.reset = {hardware.isAsync, hardware.isActiveLow},
            .dialect = hardware.isVerilog2005 ? codegen::verilog::Dialect::Verilog2005
                                              : codegen::verilog::Dialect::SystemVerilog};
}

}  // namespace

std::vector<std::string> verilogFiles(const hdl::Design& design, const HardwareOptions& hardware) {
    return filesOf(design, "verilog", verilogOptions(hardware).suffix());
}

std::vector<std::string> vhdlFiles(const hdl::Design& design) {
    std::vector<std::string> names = filesOf(design, "vhdl", ".vhd");
    names.insert(names.begin(), codegen::vhdl::supportName(design) + ".vhd");
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

std::string verilogRules(const hdl::Design& design, const HardwareOptions& hardware,
                         const std::string& top) {
    const bool isOld = hardware.isVerilog2005;
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
        "\tverilator --lint-only -Wall {2}--top-module {1} $(SOURCES)\n"
        "\tiverilog {3} -Wall -o /dev/null -s {1} $(SOURCES)\n"
        "\tyosys -q -p \"read_verilog {4}$(SOURCES); synth -top {1}; check -assert\"\n\n",
        listed(verilogFiles(design, hardware), " {}"), top,
        isOld ? "--default-language 1364-2005 " : "", isOld ? "-g2005" : "-g2012",
        isOld ? "" : "-sv ");
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
    if (hardware.isVerilog) text += verilogRules(design, hardware, top);
    if (hardware.isVhdl) text += vhdlRules(design, top);
    return text + fmt::format("clean:\n\trm -rf{}\n\n.PHONY:{} clean\n", made, goals);
}

std::string core(const hdl::Design& design, const HardwareOptions& hardware) {
    return fmt::format(
        "CAPI=2:\nname: ::{0}:0\nfilesets:\n  rtl:\n    files:\n{1}    file_type: "
        "{2}\n  bench:\n    files:\n      - tb_{0}.sv\n    file_type: "
        "systemVerilogSource\ntargets:\n  default:\n    filesets: [rtl]\n    toplevel: {0}\n"
        "  sim:\n    default_tool: icarus\n    filesets: [rtl, bench]\n    toplevel: tb_{0}\n",
        design.modules.back().name, listed(verilogFiles(design, hardware), "      - {}\n"),
        hardware.isVerilog2005 ? "verilogSource" : "systemVerilogSource");
}

using Files = std::map<std::string, std::string>;

void addForeign(const hdl::Design& design, const std::string& language, Files& files) {
    for (const auto& [name, path] : foreignFiles(design, language)) {
        const auto text = readFile(path);
        if (!text) throw FileError{"cannot read '" + path + "'"};
        files[name] = *text;
    }
}

void addVerilog(const HardwareOptions& hardware, const hdl::Design& design,
                const SourceManager& sources, const std::optional<hdl::Recording>& recording,
                Files& files) {
    const codegen::verilog::Options printing = verilogOptions(hardware);
    files.merge(codegen::verilog::print(design, sources, printing));
    addForeign(design, "verilog", files);
    files["files.f"] = listed(verilogFiles(design, hardware), "{}\n");
    if (!recording) return;
    files.merge(codegen::verilog::testBench(design, *recording, printing));
    files[design.modules.back().name + ".core"] = core(design, hardware);
}

void addVhdl(const HardwareOptions& hardware, const hdl::Design& design,
             const SourceManager& sources, const std::optional<hdl::Recording>& recording,
             Files& files) {
    const codegen::vhdl::Options printing{.isAsync = hardware.isAsync,
                                          .isActiveLow = hardware.isActiveLow};
    files.merge(codegen::vhdl::print(design, sources, printing));
    addForeign(design, "vhdl", files);
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
