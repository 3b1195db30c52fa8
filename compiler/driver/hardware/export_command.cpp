#include "driver/hardware/export_command.h"

#include <fmt/format.h>

#include "driver/compile/cache.h"
#include "driver/compile/compile.h"
#include "driver/hardware/estimate.h"
#include "driver/hardware/hardware.h"
#include "driver/hardware/hardware_files.h"
#include "driver/system/exit_status.h"
#include "driver/system/files.h"
#include "hdl/memory_process.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

/// The files of the languages that the options ask for. Returns the exit status.
int write(const hdl::Design& design, const SourceManager& sources, const Invocation& invocation,
          const InputFiles& inputs) {
    const CompileOptions& options = invocation.compile;
    const HardwareOptions& hardware = invocation.hardware;
    std::optional<hdl::Recording> recording;
    if (hardware.cycles != 0) {
        recording = recordRun(design, options, hardware);
        if (!recording) return exit_status::kSource;
        if (recording->rows.empty()) recording.reset();
    }
    const fs::path folder = options.output.empty()
                                ? fs::path(options.files[0]).stem().string() + "_rtl"
                                : options.output;
    makeDirectories(folder);
    for (const auto& [name, text] : hardwareFiles(design, sources, recording, hardware))
        writeIfChanged(folder / name, text, inputs);
    if (options.quiet) return exit_status::kGood;
    const auto counted = [](std::size_t number, const char* what) {
        return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
    };
    fmt::print("{} in {}, top {}\n", counted(design.modules.size(), "module"), folder.string(),
               design.modules.back().name);
    if (recording)
        fmt::print("test bench of {}; the design {}\n", counted(recording->rows.size(), "cycle"),
                   recording->ending);
    return exit_status::kGood;
}

/// A memory has no reset, but the process that sets it has: where that acts at once, and what sets
/// the memory cannot have a process of its own, synthesis makes registers of it.
void warnOfReset(const hdl::Design& design, Diagnostics& diagnostics) {
    for (const hdl::Module& module : design.modules) {
        const bool isSplit = hdl::memoryProcess(module).has_value();
        for (std::uint32_t i = 0; i < module.signals.size(); ++i) {
            const hdl::Signal& signal = module.signals[i];
            if (!signal.isMemory || signal.isFixed) continue;
            if (isSplit && !hdl::isChosenAgainst(module, {i})) continue;
            diagnostics.report(DiagId::MemoryRegisters, signal.range, signal.source,
                               "the reset of its process is asynchronous; take --reset sync");
        }
    }
}

}  // namespace

int exportHardware(const Invocation& invocation) {
    const CompileOptions& options = invocation.compile;
    const HardwareOptions& hardware = invocation.hardware;
    Stats stats;
    FrontEnd front(options.warnings);
    runFrontEnd(front, options.files[0], options, false, stats, true);
    std::optional<hdl::Design> design;
    if (front.design) design = buildHardware(front, hardware);
    if (design && hardware.isAsync) warnOfReset(*design, front.diagnostics);
    printDiagnostics(front, options);
    if (!design || front.diagnostics.hasErrors()) return exit_status::kSource;
    if (hardware.isVerilog || hardware.isVhdl) {
        InputFiles inputs =
            filesRead(makeStamp(front.program, front.sources, *front.design, options), options);
        inputs.add(hardware.input);
        const int status = write(*design, front.sources, invocation, inputs);
        if (status != exit_status::kGood) return status;
    }
    if (!hardware.estimate.empty()) return estimate(*design, front.sources, invocation);
    return exit_status::kGood;
}

}  // namespace smec::driver
