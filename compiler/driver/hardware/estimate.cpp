#include "driver/hardware/estimate.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "driver/hardware/estimate_table.h"
#include "driver/hardware/hardware_files.h"
#include "driver/hardware/hardware_names.h"
#include "driver/hardware/target.h"
#include "driver/system/exit_status.h"
#include "driver/system/files.h"
#include "driver/system/process.h"
#include "driver/system/scratch_folder.h"
#include "driver/verilog/yosys_words.h"

// Yosys synthesises twice: with the hierarchy, since only that tells what a class costs, and in one
// piece, as for place and route, which shares and leaves out more.

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

bool hasOutput(const hdl::Module& module) {
    return std::any_of(module.signals.begin(), module.signals.end(),
                       [](const hdl::Signal& signal) { return signal.role == hdl::Role::Output; });
}

/// Makes Yosys take for read what registers hold, in the module or all of them.
YosysScript keepRegisters(const YosysScript& module) {
    return yosysScript("select -set registers {0}t:$*dff* %co1:+[Q] {0}w:* %i\n"
                       "setattr -set keep 1 @registers\n",
                       module);
}

/// A class costs something even where nothing reads it, or it has nothing to be read.
YosysScript keepClasses(const hdl::Design& design) {
    YosysScript script = yosysScript("setattr -mod -set keep 1\nproc\n");
    for (const hdl::Module& module : design.modules)
        if (!hasOutput(module))
            script.add("{}", keepRegisters(yosysScript("{}/", YosysWord(module.name))));
    return script;
}

/// For a design that nobody could look into from outside.
YosysScript keepAll(const hdl::Design& design) {
    return keepClasses(design)
        .add("opt_expr\nopt_clean\n")
        .add("{}", keepRegisters({}))
        .add("setattr -mod -unset keep\nflatten\n");
}

YosysScript script(const hdl::Design& design, const HardwareOptions& hardware,
                   const fs::path& folder) {
    const YosysWord top(design.modules.back().name);
    const bool isIce40 = hardware.estimate == "ice40";
    // buffers of pins and clocks are none of the design's
    const YosysScript synth =
        isIce40 ? yosysScript("synth_ice40") : yosysScript("synth_xilinx -noiopad -noclkbuf");
    YosysScript script = yosysScript("read_verilog -sv");
    for (const std::string& name : verilogFiles(design, hardware))
        script.add(" {}", YosysWord(folder / name));
    script.add("\nhierarchy -check -top {}\ndesign -save read\n{}{}", top, keepClasses(design),
               synth);
    if (isIce40) script.add(" -noflatten");
    script.add(" -top {}\nwrite_json {}\ndesign -load read\n", top,
               YosysWord(folder / "classes.json"));
    if (!hasOutput(design.modules.back())) script.add("{}", keepAll(design));
    script.add("{}", synth);
    if (!isIce40) script.add(" -flatten");
    return script.add(" -top {}\nwrite_json {}\n", top, YosysWord(folder / "whole.json"));
}

Netlist netlistIn(const fs::path& file) {
    const auto text = readFile(file);
    if (!text) throw FileError{fmt::format("cannot read '{}'", file.string())};
    return readNetlist(*text);
}

/// What went wrong, in Yosys's words.
int complain(const ProcessResult& result) {
    if (result.signal != 0) {
        fmt::print(stderr, "smec: error: Yosys was ended by signal {}\n", result.signal);
        return exit_status::kEnvironment;
    }
    fmt::print(stderr, "{}smec: internal error: Yosys does not take the design; please report it\n",
               result.errors);
    return exit_status::kInternal;
}

}  // namespace

int estimate(const hdl::Design& design, const SourceManager& sources, const CompileOptions& options,
             const HardwareOptions& asked) {
    const std::string& family = asked.estimate;
    if (findProgram("yosys").empty()) {
        fmt::print(stderr,
                   "smec: error: --estimate needs Yosys, and there is no 'yosys' on PATH\n");
        return exit_status::kEnvironment;
    }
    const InterruptScope interrupts;
    const ScratchFolder folder("smec-estimate");
    HardwareOptions hardware = asked;
    hardware.isVerilog = true;
    hardware.isVhdl = false;
    writeHardware(folder.path(), hardwareFiles(design, sources, std::nullopt, hardware));
    const fs::path commands = folder.path() / "estimate.ys";
    writeIfChanged(commands, script(design, hardware, folder.path()).text());
    const std::vector<std::string> command{"yosys", "-q", "-s", commands.string()};
    if (options.verbose)
        fmt::print(stderr, "{}", readFile(commands).value_or(""));
    else if (!options.quiet)
        fmt::print(stderr, "smec: Yosys synthesises {} modules for {}\n", design.modules.size(),
                   family);
    const ProcessResult result = runProcessApart(command, target::kMostYosysOutput);
    if (interrupts.signal() != 0) return 128 + interrupts.signal();
    endAtMemoryLimit(result, "Yosys");
    if (!result.started || result.status != 0) return complain(result);
    const Synthesis synthesis{netlistIn(folder.path() / "classes.json"),
                              netlistIn(folder.path() / "whole.json")};
    if (!hasOutput(design.modules.back()) && !options.quiet)
        fmt::print(stderr,
                   "smec: note: no bus of the top's is exposed, so nothing would be left in "
                   "one piece; its registers are kept, as if somebody read them\n");
    fmt::print("{}", estimateTable(synthesis, design, sources, options.verbose));
    return exit_status::kGood;
}

}  // namespace smec::driver
