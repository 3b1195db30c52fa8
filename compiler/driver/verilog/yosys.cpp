#include "driver/verilog/yosys.h"

#include <fstream>

#include <fmt/format.h>

#include "driver/system/ended.h"
#include "driver/system/scratch_folder.h"
#include "driver/verilog/yosys_failure.h"
#include "driver/verilog/yosys_program.h"
#include "driver/verilog/yosys_script.h"
#include "netlist/read_json.h"
#include "source/read_text.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

std::string topOf(const netlist::Design& design) {
    for (const netlist::Module& module : design.modules) {
        if (!netlist::valueOf(module.attributes, "top").empty()) return module.name;
    }
    return {};
}

void restorePlaces(const YosysProgram& yosys, netlist::Design& design) {
    if (!yosys.isWebAssembly) return;
    const auto restore = [&](netlist::Values& attributes) {
        if (const auto place = attributes.find("src"); place != attributes.end())
            yosys.restoreNames(place->second);
    };
    for (netlist::Module& module : design.modules) {
        restore(module.attributes);
        for (netlist::Cell& cell : module.cells)
            restore(cell.attributes);
        for (netlist::Net& net : module.nets)
            restore(net.attributes);
    }
}

/// By the names that clocks have.
std::string clockPort(const Elaborated& made) {
    for (const netlist::Module& module : made.design.modules) {
        if (module.name != made.top) continue;
        for (const char* name : {"clk", "clock", "clk_i", "i_clk"}) {
            if (module.port(name)) return name;
        }
    }
    return {};
}

std::optional<Elaborated> readVerilog(const VerilogInput& input, SourceManager& sources,
                                      Diagnostics& diagnostics, bool portsOnly) {
    for (const std::string& file : input.files) {
        if (const std::string_view problem = whyNoFile(file); !problem.empty())
            diagnostics.report(DiagId::CannotRead, {}, file, problem);
    }
    if (diagnostics.hasErrors()) return std::nullopt;
    const YosysProgram yosys = findYosys(input);
    const ScratchFolder scratch("smec-verilog");
    const YosysTask task{scratch.path(), scratch.path() / "netlist.json", portsOnly};
    ProcessResult result = runYosys(yosys.command(writeScript(input, yosys, task)), scratch.path());
    if (result.signal != 0)
        endWithoutYosys(fmt::format("Yosys was ended by signal {}", result.signal));
    if (result.status != 0) {
        yosys.restoreNames(result.output);
        reportFailure(result.output, input, yosys, sources, diagnostics);
        return std::nullopt;
    }
    std::ifstream in(task.json, std::ios::binary);
    try {
        Elaborated made;
        made.design = netlist::readJson(in);
        restorePlaces(yosys, made.design);
        made.top = topOf(made.design);
        return made;
    } catch (const netlist::BadNetlist& bad) {
        endWithoutYosys(fmt::format("the netlist of Yosys cannot be read: {}", bad.what()));
    }
}

}  // namespace

std::optional<Elaborated> elaborateVerilog(const VerilogInput& input, SourceManager& sources,
                                           Diagnostics& diagnostics) {
    const bool isTopWanted = !input.parameters.empty() && input.top.empty();
    const bool isClockWanted = !input.reset.empty() && input.clock.empty();
    if (!isTopWanted && !isClockWanted) return readVerilog(input, sources, diagnostics, false);
    VerilogInput whole = input;
    whole.parameters.clear();
    std::optional<Elaborated> made = readVerilog(whole, sources, diagnostics, true);
    if (!made || made->top.empty()) return made;
    whole.parameters = input.parameters;
    whole.top = made->top;
    if (isClockWanted) whole.clock = clockPort(*made);
    if (whole.clock.empty() && isClockWanted) {
        diagnostics.report(DiagId::VerilogSource, {},
                           "--after-reset needs the clock's name, too, where it is none of clk, "
                           "clock, clk_i and i_clk; "
                           "give it with --clock");
        return std::nullopt;
    }
    return readVerilog(whole, sources, diagnostics, false);
}

std::optional<std::vector<netlist::Port>>
portsOfTop(const VerilogInput& input, SourceManager& sources, Diagnostics& diagnostics) {
    std::optional<Elaborated> made = readVerilog(input, sources, diagnostics, true);
    if (!made) return std::nullopt;
    for (netlist::Module& module : made->design.modules) {
        if (module.name == made->top) return std::move(module.ports);
    }
    diagnostics.report(DiagId::ImportNoTop, {});
    return std::nullopt;
}

}  // namespace smec::driver
