#include "driver/export_command.h"

#include <algorithm>
#include <sstream>
#include <unordered_map>

#include <unistd.h>

#include <fmt/format.h>

#include "codegen/verilog/testbench.h"
#include "codegen/verilog/verilog.h"
#include "codegen/vhdl/testbench.h"
#include "codegen/vhdl/vhdl.h"
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
        std::optional<hdl::Recording> recording;
        if (hardware_.cycles != 0) {
            recording = record(*design);
            if (!recording) return exit_status::kSource;
        }
        std::map<std::string, std::string> files;
        if (hardware_.isVerilog) addVerilog(*design, front.sources, recording, files);
        if (hardware_.isVhdl) addVhdl(*design, front.sources, recording, files);
        if (recording) files["Makefile"] = makefile(*design);
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
                       "smec: warning: the recorded run ended with status {}; the test bench ends "
                       "in front of that cycle\n",
                       result.status);
        Trace trace;
        std::istringstream stream(text.value_or(""));
        for (std::string row; std::getline(stream, row);) {
            if (trace.names.empty())
                trace.names = cells(row);
            else
                trace.rows.push_back(cells(row));
        }
        // what failed did not finish the cycle
        if (result.status != 0 && !trace.rows.empty()) trace.rows.pop_back();
        return trace;
    }

    std::optional<hdl::Recording> record(const hdl::Design& design) const {
        const auto trace = interpret();
        if (!trace) return std::nullopt;
        std::unordered_map<std::string, std::size_t> columns;
        for (std::size_t i = 0; i < trace->names.size(); ++i)
            columns[trace->names[i]] = i;
        hdl::Recording recording;
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

    // ------------------------------------------------------------ files of a language

    using Files = std::map<std::string, std::string>;

    void addVerilog(const hdl::Design& design, const SourceManager& sources,
                    const std::optional<hdl::Recording>& recording, Files& files) const {
        const codegen::verilog::Options printing{.isAsync = hardware_.isAsync,
                                                 .isActiveLow = hardware_.isActiveLow};
        files.merge(codegen::verilog::print(design, sources, printing));
        files["files.f"] = listed(verilogFiles(design), "{}\n");
        if (!recording) return;
        files.merge(codegen::verilog::testBench(design, *recording, printing));
        files[design.modules.back().name + ".core"] = core(design);
    }

    void addVhdl(const hdl::Design& design, const SourceManager& sources,
                 const std::optional<hdl::Recording>& recording, Files& files) const {
        const codegen::vhdl::Options printing{.isAsync = hardware_.isAsync,
                                              .isActiveLow = hardware_.isActiveLow};
        files.merge(codegen::vhdl::print(design, sources, printing));
        files["files_vhdl.f"] = listed(vhdlFiles(design), "{}\n");
        if (recording) files.merge(codegen::vhdl::testBench(design, sources, *recording, printing));
    }

    // ------------------------------------------------------------ for the tools

    /// In an order in which modules stand before those that use them.
    static std::vector<std::string> verilogFiles(const hdl::Design& design) {
        std::vector<std::string> names;
        for (const hdl::Module& module : design.modules)
            names.push_back(module.name + ".sv");
        return names;
    }

    static std::vector<std::string> vhdlFiles(const hdl::Design& design) {
        std::vector<std::string> names{codegen::vhdl::supportName(design) + ".vhd"};
        for (const hdl::Module& module : design.modules)
            names.push_back(module.name + ".vhd");
        return names;
    }

    static std::string listed(const std::vector<std::string>& names,
                              fmt::format_string<const std::string&> format) {
        std::string text;
        for (const std::string& name : names)
            text += fmt::format(format, name);
        return text;
    }

    std::string makefile(const hdl::Design& design) const {
        const std::string& top = design.modules.back().name;
        std::string text, goals, made;
        if (hardware_.isVerilog) {
            text += "# make icarus, make verilator: the test bench; make lint: all linters\n";
            goals += " icarus verilator lint";
            made += fmt::format(" obj_dir tb_{}.vvp", top);
        }
        if (hardware_.isVhdl) {
            text += "# make ghdl: the test bench; make synth: GHDL's synthesis\n";
            goals += " ghdl synth";
            made += " work-obj08.cf";
        }
        if (hardware_.isVerilog) text += verilogRules(design, top);
        if (hardware_.isVhdl) text += vhdlRules(design, top);
        return text + fmt::format("clean:\n\trm -rf{}\n\n.PHONY:{} clean\n", made, goals);
    }

    static std::string verilogRules(const hdl::Design& design, const std::string& top) {
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

    static std::string vhdlRules(const hdl::Design& design, const std::string& top) {
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

    static std::string core(const hdl::Design& design) {
        return fmt::format(
            "CAPI=2:\nname: ::{0}:0\nfilesets:\n  rtl:\n    files:\n{1}    file_type: "
            "systemVerilogSource\n  bench:\n    files:\n      - tb_{0}.sv\n    file_type: "
            "systemVerilogSource\ntargets:\n  default:\n    filesets: [rtl]\n    toplevel: {0}\n"
            "  sim:\n    default_tool: icarus\n    filesets: [rtl, bench]\n    toplevel: tb_{0}\n",
            design.modules.back().name, listed(verilogFiles(design), "      - {}\n"));
    }

    const CompileOptions& options_;
    const HardwareOptions& hardware_;
};

}  // namespace

int exportHardware(const Invocation& invocation) { return Exporter(invocation).run(); }

}  // namespace smec::driver
