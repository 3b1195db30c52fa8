#include "driver/verilog/yosys.h"

#include <fstream>

#include <fmt/format.h>

#include "driver/system/ended.h"
#include "driver/system/exit_status.h"
#include "driver/system/files.h"
#include "driver/system/guarded_process.h"
#include "driver/system/scratch_folder.h"
#include "netlist/read_json.h"
#include "rtl/places.h"
#include "source/read_text.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

/// For Yosys, whose words end at blanks.
std::string quoted(const std::string& word) { return "\"" + word + "\""; }

/// Yosys takes no blanks in the names of these folders, so they get others.
fs::path includeLink(const fs::path& scratch, std::size_t number) {
    return scratch / fmt::format("include_{}", number);
}

/// A module around the top one that gives it its parameters, for Yosys' `chparam` forgets that
/// numbers have signs.
constexpr const char* kParameters = "smec_parameters";
constexpr const char* kParametersFile = "parameters.v";

std::string parametersModule(const VerilogInput& input) {
    std::string list;
    for (const std::string& parameter : input.parameters) {
        const std::size_t equals = parameter.find('=');
        list += fmt::format("{}.{}({})", list.empty() ? "" : ", ", parameter.substr(0, equals),
                            parameter.substr(equals + 1));
    }
    return fmt::format("module {}; {} #({}) top(); endmodule\n", kParameters, input.top, list);
}

std::string hierarchy(const VerilogInput& input) {
    if (input.top.empty()) return "hierarchy -check -auto-top";
    if (input.parameters.empty()) return "hierarchy -check -top " + input.top;
    return fmt::format("hierarchy -check -top {0}\ndelete {0}\nhierarchy -check -auto-top\n"
                       "rename -top {1}",
                       kParameters, input.top);
}

/// What the registers hold after so many cycles of the reset becomes their initial value.
constexpr int kResetCycles = 8;

std::string startAfterReset(const VerilogInput& input) {
    if (input.clock.empty() || input.reset.empty()) return {};
    const ResetPort reset = resetOf(input);
    return fmt::format("opt\nsim -clock {} -reset{} {} -rstlen {} -n {} -w A:top\n", input.clock,
                       reset.isLow ? "n" : "", reset.name, kResetCycles + 1, kResetCycles);
}

/// Ports of the top module that become constants.
std::string tiedPorts(const VerilogInput& input) {
    std::vector<std::string> ties = input.ties;
    const ResetPort reset = resetOf(input);
    if (!reset.name.empty()) ties.push_back(reset.name + (reset.isLow ? "=1" : "=0"));
    if (ties.empty()) return {};
    std::string text = "select A:top\n";
    for (const std::string& tie : ties) {
        const std::size_t equals = tie.find('=');
        const std::string port = tie.substr(0, equals);
        text += fmt::format("delete -input w:{}\nconnect -set {} {}\n", port, port,
                            tie.substr(equals + 1));
    }
    return text + "select -clear\n";
}

std::string script(const VerilogInput& input, const fs::path& scratch, const fs::path& json,
                   bool portsOnly) {
    std::string text;
    for (const std::string& file : input.files) {
        text += "read_verilog -icells";
        if (file.ends_with(".sv")) text += " -sv";
        for (std::size_t i = 0; i < input.includeFolders.size(); ++i)
            text += " -I " + includeLink(scratch, i).string();
        for (const std::string& define : input.defines)
            text += " -D" + define;
        text += " " + quoted(file) + "\n";
    }
    if (!input.parameters.empty())
        text += "read_verilog " + quoted((scratch / kParametersFile).string()) + "\n";
    text += hierarchy(input) + "\nproc\n";
    if (portsOnly) return text + fmt::format("write_json {}\n", quoted(json.string()));
    // x must stay x until the registers are found, so no opt -full
    return text + startAfterReset(input) + tiedPorts(input)
           + fmt::format("opt\nwreduce\nopt\nmemory -nomap -nordff "
                         "-nowiden\nopt_clean\nwrite_json {}\n",
                         quoted(json.string()));
}

/// The first word of Yosys' that stands between ` and '.
std::string namedIn(const std::string& message) {
    const std::size_t begin = message.find('`') + 1;
    return message.substr(begin, message.find('\'', begin) - begin);
}

/// Yosys' words about what its commands were given, in ours.
std::string inOurWords(const std::string& message) {
    if (message.find("lhs expression") != std::string::npos)
        return fmt::format("the top module has no port '{}'", namedIn(message));
    return "Yosys: " + message;
}

/// "cpu.v:12: ERROR: syntax error, …" as a place and a message.
void reportFailure(const std::string& output, SourceManager& sources, Diagnostics& diagnostics) {
    const std::size_t error = output.find("ERROR: ");
    std::string message = error == std::string::npos ? output : output.substr(error + 7);
    message = message.substr(0, message.find('\n'));
    if (!message.empty() && message.back() == '.') message.pop_back();
    SourceRange range;
    if (error != std::string::npos) {
        const std::size_t line = output.rfind('\n', error) + 1;  // npos + 1 is 0
        std::string place = output.substr(line, error - line);
        if (place.ends_with(": ")) {
            place.resize(place.size() - 2);
            range = rtl::Places(sources).of(
                {{"src", place + ".1-" + place.substr(place.rfind(':') + 1) + ".1"}});
        }
    }
    diagnostics.report(DiagId::VerilogSource, range, inOurWords(message));
}

[[noreturn]] void fail(std::string_view message) {
    fmt::print(stderr, "smec: error: {}\n", message);
    throw Ended{exit_status::kEnvironment};
}

std::string topOf(const netlist::Design& design) {
    for (const netlist::Module& module : design.modules) {
        if (!netlist::valueOf(module.attributes, "top").empty()) return module.name;
    }
    return {};
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
    if (findProgram("yosys").empty())
        fail("Verilog is read through Yosys, and there is no 'yosys' on PATH; install it (on "
             "Debian: "
             "apt-get install yosys)");
    const ScratchFolder scratch("smec-verilog");
    const fs::path json = scratch.path() / "netlist.json";
    const fs::path commands = scratch.path() / "import.ys";
    for (std::size_t i = 0; i < input.includeFolders.size(); ++i)
        fs::create_directory_symlink(fs::absolute(input.includeFolders[i]),
                                     includeLink(scratch.path(), i));
    if (!input.parameters.empty())
        writeIfChanged(scratch.path() / kParametersFile, parametersModule(input));
    writeIfChanged(commands, script(input, scratch.path(), json, portsOnly));
    const InterruptScope interrupts;
    GuardedCommand command;
    command.words = {"yosys", "-q", "-Q", "-T", "-s", commands.string()};
    command.scratch = scratch.path();
    const ProcessResult result = runGuarded(command, interrupts);
    if (interrupts.signal() != 0) throw Interrupted{interrupts.signal()};
    if (result.signal != 0) fail(fmt::format("Yosys was ended by signal {}", result.signal));
    if (result.status != 0) {
        reportFailure(result.output, sources, diagnostics);
        return std::nullopt;
    }
    std::ifstream in(json, std::ios::binary);
    try {
        Elaborated made;
        made.design = netlist::readJson(in);
        made.top = topOf(made.design);
        return made;
    } catch (const netlist::BadNetlist& bad) {
        fail(fmt::format("the netlist of Yosys cannot be read: {}", bad.what()));
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
