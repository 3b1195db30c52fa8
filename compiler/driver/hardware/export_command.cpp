#include "driver/hardware/export_command.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "driver/compile/cache.h"
#include "driver/compile/compile.h"
#include "driver/compile/compile_arguments.h"
#include "driver/compile/shown_phases.h"
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
int write(const hdl::Design& design, const SourceManager& sources, const CompileOptions& options,
          const HardwareOptions& hardware, const InputFiles& inputs) {
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
    writeHardware(folder, hardwareFiles(design, sources, recording, hardware), inputs);
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
            diagnostics.report(DiagId::MemoryRegisters, signal.range, signal.source)
                .note(DiagId::MemoryReset, {});
        }
    }
}

class ExportCommand final : public Command {
public:
    const char* name() const override { return "export"; }
    const char* help() const override { return "write the design as hardware, with a test bench"; }

    void declare(CLI::App& app) override {
        arguments_.declare(app);
        removeStages(app);
        app.add_flag("--verilog", hardware_.isVerilog, "write SystemVerilog")->group("Hardware");
        app.add_flag("--vhdl", hardware_.isVhdl, "write VHDL-2008")->group("Hardware");
        declareHardware(app, hardware_);
        app.add_option(
               "--cycles", hardware_.cycles,
               "cycles of the recorded run for the test bench (default: until the design stops "
               "or --input ends, at most 10,000); 0: no test bench")
            ->type_name("N")
            ->group("Hardware");
        app.add_option("--input", hardware_.input,
                       "drive the exposed inputs of that run from a CSV file")
            ->type_name("FILE")
            ->group("Hardware");
        app.add_option("--estimate", hardware_.estimate,
                       "print what each class costs on an FPGA: ice40 or xilinx; needs Yosys")
            ->type_name("FAMILY")
            ->check(CLI::IsMember({"ice40", "xilinx"}))
            ->group("Hardware");
    }

    CompileArguments* compileArguments() override { return &arguments_; }
    std::string finish(const CLI::App&) override {
        if (std::string problem = arguments_.finish(); !problem.empty()) return problem;
        if (!hardware_.isVerilog && !hardware_.isVhdl && hardware_.estimate.empty())
            return "smec export takes --verilog, --vhdl or --estimate";
        return problemOfStream(arguments_.options);
    }

    int execute() override {
        const CompileOptions& options = arguments_.options;
        FrontEnd front(options.warnings);
        std::optional<hdl::Design> design = translate(front, options);
        if (design && hardware_.isAsync) warnOfReset(*design, front.diagnostics);
        printDiagnostics(front, options);
        if (!design || front.diagnostics.hasErrors()) return exit_status::kSource;
        if (hardware_.isVerilog || hardware_.isVhdl) {
            InputFiles inputs =
                filesRead(makeStamp(front.program, front.sources, *front.design, options), options);
            inputs.add(hardware_.input);
            for (const hdl::CopiedFile& file : design->copied)
                inputs.add(file.from);
            const int status = write(*design, front.sources, options, hardware_, inputs);
            if (status != exit_status::kGood) return status;
        }
        if (!hardware_.estimate.empty())
            return estimate(*design, front.sources, options, hardware_);
        return exit_status::kGood;
    }

private:
    std::optional<hdl::Design> translate(FrontEnd& front, const CompileOptions& options) const {
        Stats stats;
        const ShownPhases shown(stats, options, "exporting " + options.files[0]);
        runFrontEnd(front, options.files[0], options, false, stats, true);
        if (!front.design) return std::nullopt;
        stats.phase("hardware");
        return buildHardware(front, hardware_, options.verilog);
    }

    CompileArguments arguments_;
    HardwareOptions hardware_;
};

}  // namespace

std::unique_ptr<Command> makeExportCommand() { return std::make_unique<ExportCommand>(); }

}  // namespace smec::driver
