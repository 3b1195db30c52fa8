#include "driver/hardware/fusesoc.h"

#include <vector>

#include <fmt/format.h>

#include "driver/hardware/hardware_names.h"

namespace smec::driver {

namespace {

struct Target {
    std::string name, filesets, toplevel;
    std::string flow{}, tool{}, option{};
};

/// What the sources read, each with words of its own.
std::string filesOfCore(const hdl::Design& design) {
    using Kind = hdl::CopiedFile::Kind;
    std::string text;
    for (const std::string& file : copiedNames(design, "verilog", Kind::Include))
        text += fmt::format("      - {}: {{is_include_file: true}}\n", file);
    for (const std::string& file : copiedNames(design, "verilog", Kind::Data))
        text += fmt::format("      - {0}: {{file_type: user, copyto: {0}}}\n", file);
    return text;
}

/// `first`: lines of files with words of their own.
std::string fileset(const std::string& name, const std::vector<std::string>& files,
                    const std::string& type, const std::string& first = {}) {
    std::string text = fmt::format("  {}:\n    files:\n{}", name, first);
    for (const std::string& file : files)
        text += fmt::format("      - {}\n", file);
    return text + fmt::format("    file_type: {}\n", type);
}

/// The bench reads its data in the folder in which it runs, which is not that of the sources.
std::string dataFileset(const hdl::Design& design, const HardwareOptions& hardware) {
    std::string text = "  data:\n    files:\n";
    for (const std::string& file : benchData(design, hardware))
        text += fmt::format("      - {0}: {{copyto: {0}}}\n", file);
    return text + "    file_type: user\n";
}

std::string targetText(const Target& target) {
    std::string text = fmt::format("  {}:\n    filesets: [{}]\n    toplevel: {}\n", target.name,
                                   target.filesets, target.toplevel);
    if (target.flow.empty()) return text;
    text +=
        fmt::format("    flow: {}\n    flow_options:\n      tool: {}\n", target.flow, target.tool);
    if (!target.option.empty()) text += fmt::format("      {}\n", target.option);
    return text;
}

/// "default" is what cores that depend on this one take.
std::vector<Target> targetsOf(const hdl::Design& design, const HardwareOptions& hardware) {
    const std::string& top = design.modules.back().name;
    std::vector<Target> targets;
    if (hardware.isVerilog) {
        targets.push_back({"default", "rtl", top});
        targets.push_back({"sim", "rtl, bench, data", design.bench, "sim", "icarus",
                           "iverilog_options: [-g2012]"});
        targets.push_back({"lint", "rtl", top, "lint", "verilator", "verilator_options: [-Wall]"});
    }
    if (hardware.isVhdl) {
        const bool isAlone = targets.empty();
        if (isAlone) targets.push_back({"default", "rtl_vhdl", top});
        targets.push_back({isAlone ? "sim" : "sim_vhdl", "rtl_vhdl, bench_vhdl, data", design.bench,
                           "sim", "ghdl"});
    }
    return targets;
}

}  // namespace

std::string fusesocCore(const hdl::Design& design, const HardwareOptions& hardware) {
    const std::string system = "systemVerilogSource", vhdl = "vhdlSource-2008";
    std::string text =
        fmt::format("CAPI=2:\nname: ::{}:0\ndescription: {}, written by smec export\n"
                    "filesets:\n",
                    design.modules.back().name, design.modules.back().title);
    if (hardware.isVerilog) {
        text +=
            fileset("rtl", verilogFiles(design, hardware),
                    hardware.isVerilog2005 ? "verilogSource-2005" : system, filesOfCore(design));
        text += fileset("bench", {design.bench + ".sv"}, system);
    }
    if (hardware.isVhdl) {
        text += fileset("rtl_vhdl", vhdlFiles(design), vhdl);
        text += fileset("bench_vhdl", {design.bench + ".vhd"}, vhdl);
    }
    text += dataFileset(design, hardware) + "targets:\n";
    for (const Target& target : targetsOf(design, hardware))
        text += targetText(target);
    return text;
}

}  // namespace smec::driver
