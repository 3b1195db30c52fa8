#include "driver/export_command.h"

#include <algorithm>
#include <sstream>
#include <unordered_map>

#include <unistd.h>

#include <fmt/format.h>

#include "codegen/verilog/testbench.h"
#include "codegen/verilog/verilog.h"
#include "driver/compile.h"
#include "driver/exit_status.h"
#include "driver/files.h"
#include "driver/process.h"
#include "hdl/build.h"
#include "lower/aliases.h"
#include "lower/lower.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

/// A run of the reference interpreter, as columns of a CSV file.
struct Trace {
    std::vector<std::string> names;
    std::vector<std::vector<std::string>> rows;
};

std::vector<std::string> cells(const std::string& line) {
    std::vector<std::string> result(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            result.emplace_back();
        else
            result.back() += c;
    }
    return result;
}

class Exporter {
public:
    explicit Exporter(const Invocation& invocation)
        : options_(invocation.compile), hardware_(invocation.hardware) {}

    int run() {
        Stats stats;
        FrontEnd front(options_.warnings);
        runFrontEnd(front, options_.files[0], options_, false, stats, true);
        if (!front.design) {
            printDiagnostics(front, options_);
            return exit_status::kSource;
        }
        const std::optional<hdl::Design> design = build(front);
        printDiagnostics(front, options_);
        if (!design) return exit_status::kSource;
        const codegen::verilog::Options printing{.isAsync = hardware_.isAsync,
                                                 .isActiveLow = hardware_.isActiveLow};
        std::map<std::string, std::string> files =
            codegen::verilog::print(*design, front.sources, printing);
        list(*design, files);
        if (hardware_.cycles != 0) {
            const auto recording = record(*design);
            if (!recording) return exit_status::kSource;
            files.merge(codegen::verilog::testBench(*design, *recording, printing));
            helpers(*design, files);
        }
        const fs::path folder = options_.output.empty()
                                    ? fs::path(options_.files[0]).stem().string() + "_rtl"
                                    : options_.output;
        makeDirectories(folder);
        for (const auto& [name, text] : files)
            writeIfChanged(folder / name, text);
        if (!options_.quiet)
            fmt::print("{} modules in {}, top {}\n", design->modules.size(), folder.string(),
                       design->modules.back().name);
        return exit_status::kGood;
    }

private:
    std::optional<hdl::Design> build(FrontEnd& front) const {
        std::optional<hir::Design> plain = lower::withoutAliases(*front.design);
        const hir::Design& from = plain ? *plain : *front.design;
        const lower::Options lowering{
            .unchecked = true, .levels = false, .sources = &front.sources};
        ir::Design lowered = lower::lower(from, lowering, front.diagnostics);
        if (front.diagnostics.hasErrors()) return std::nullopt;
        std::vector<hdl::Complaint> complaints;
        hdl::Design design = hdl::build(from, std::move(lowered), complaints);
        for (const hdl::Complaint& complaint : complaints)
            front.diagnostics.report(complaint.isLeftOut ? DiagId::LeftOut : DiagId::NotHardware,
                                     complaint.range, complaint.what);
        if (front.diagnostics.hasErrors()) return std::nullopt;
        return design;
    }

    // ------------------------------------------------------------ the recorded run

    std::optional<Trace> interpret() const {
        const fs::path file = fs::temp_directory_path() / fmt::format("smec-{}.csv", getpid());
        std::vector<std::string> command{fs::read_symlink("/proc/self/exe").string(), "run",
                                         "--interpret", options_.files[0]};
        const auto add = [&](const std::string& option, const std::string& value) {
            command.push_back(option);
            command.push_back(value);
        };
        if (!options_.top.empty()) add("--top", options_.top);
        for (const std::string& parameter : options_.parameters)
            add("-G", parameter);
        for (const std::string& folder : options_.includeDirs)
            add("-I", folder);
        if (options_.unwrittenHold) add("--unwritten", "hold");
        if (options_.unchecked) command.emplace_back("--unchecked");
        add("--cycles", std::to_string(hardware_.cycles));
        if (!hardware_.input.empty()) add("--input", hardware_.input);
        add("--trace", file.string());
        command.emplace_back("--trace-all");
        command.emplace_back("--quiet");
        const ProcessResult result = runProcessApart(command, 0);
        const auto text = readFile(file);
        std::error_code error;
        fs::remove(file, error);
        if (result.status != 0 && (!text || text->empty())) {
            fmt::print(stderr, "{}", result.errors);
            return std::nullopt;
        }
        if (result.status != 0)
            fmt::print(stderr,
                       "smec: warning: the recorded run ended with status {}; the test bench goes "
                       "as far\n",
                       result.status);
        Trace trace;
        std::istringstream stream(text.value_or(""));
        for (std::string row; std::getline(stream, row);) {
            if (trace.names.empty())
                trace.names = cells(row);
            else
                trace.rows.push_back(cells(row));
        }
        return trace;
    }

    std::optional<codegen::verilog::Recording> record(const hdl::Design& design) const {
        const auto trace = interpret();
        if (!trace) return std::nullopt;
        std::unordered_map<std::string, std::size_t> columns;
        for (std::size_t i = 0; i < trace->names.size(); ++i)
            columns[trace->names[i]] = i;
        codegen::verilog::Recording recording;
        std::vector<std::size_t> from;
        for (std::uint32_t i = 0; i < design.probes.size(); ++i) {
            const auto at = columns.find(design.probes[i].name);
            if (at == columns.end()) continue;
            recording.probes.push_back(i);
            from.push_back(at->second);
        }
        for (const std::vector<std::string>& row : trace->rows) {
            auto& values = recording.rows.emplace_back();
            for (std::size_t i = 0; i < from.size(); ++i)
                values.push_back(number(design, design.probes[recording.probes[i]], row[from[i]]));
        }
        return recording;
    }

    static hdl::Integer number(const hdl::Design& design, const hdl::Probe& probe,
                               const std::string& text) {
        if (probe.enumeration)
            for (const auto& [name, value] : design.enumerations[*probe.enumeration])
                if (name == text) return value;
        if (text == "true") return 1;
        if (text == "false" || text.empty()) return 0;
        return hdl::Integer(text);
    }

    // ------------------------------------------------------------ for the tools

    static void list(const hdl::Design& design, std::map<std::string, std::string>& files) {
        std::string text;
        for (const hdl::Module& module : design.modules)
            text += module.name + ".sv\n";
        files["files.f"] = text;
    }

    static void helpers(const hdl::Design& design, std::map<std::string, std::string>& files) {
        const std::string& top = design.modules.back().name;
        std::string sources;
        for (const hdl::Module& module : design.modules)
            sources += " " + module.name + ".sv";
        files["Makefile"] = fmt::format(
            "# make icarus, make verilator: the test bench; make lint: all linters\n"
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
            "\tyosys -q -p \"read_verilog -sv $(SOURCES); synth -top {1}; check -assert\"\n\n"
            "clean:\n"
            "\trm -rf obj_dir tb_{1}.vvp\n\n"
            ".PHONY: icarus verilator lint clean\n",
            sources, top);
        std::string listed;
        for (const hdl::Module& module : design.modules)
            listed += fmt::format("      - {}.sv\n", module.name);
        files[top + ".core"] = fmt::format(
            "CAPI=2:\nname: ::{0}:0\nfilesets:\n  rtl:\n    files:\n{1}    file_type: "
            "systemVerilogSource\n  bench:\n    files:\n      - tb_{0}.sv\n    file_type: "
            "systemVerilogSource\ntargets:\n  default:\n    filesets: [rtl]\n    toplevel: {0}\n"
            "  sim:\n    default_tool: icarus\n    filesets: [rtl, bench]\n    toplevel: tb_{0}\n",
            top, listed);
    }

    const CompileOptions& options_;
    const HardwareOptions& hardware_;
};

}  // namespace

int exportHardware(const Invocation& invocation) { return Exporter(invocation).run(); }

}  // namespace smec::driver
