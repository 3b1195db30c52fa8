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

/// Parameters are those of a module that is known by name.
std::string hierarchy(const VerilogInput& input) {
    std::string text;
    const std::string top = input.top.empty() ? " -auto-top" : " -top " + input.top;
    if (!input.parameters.empty()) {
        text = "hierarchy" + top + "\n";
        for (const std::string& parameter : input.parameters) {
            const std::size_t equals = parameter.find('=');
            text += fmt::format("chparam -set {} {} A:top\n", parameter.substr(0, equals),
                                parameter.substr(equals + 1));
        }
    }
    return text + "hierarchy -check" + top;
}

std::string script(const VerilogInput& input, const fs::path& scratch, const fs::path& json) {
    std::string text;
    for (const std::string& file : input.files) {
        text += "read_verilog";
        if (file.ends_with(".sv")) text += " -sv";
        for (std::size_t i = 0; i < input.includeFolders.size(); ++i)
            text += " -I " + includeLink(scratch, i).string();
        for (const std::string& define : input.defines)
            text += " -D" + define;
        text += " " + quoted(file) + "\n";
    }
    text += hierarchy(input);
    // x must stay x until the registers are found, so no opt -full
    return text
           + fmt::format("\nproc\nopt\nwreduce\nopt\nmemory -nomap -nordff "
                         "-nowiden\nopt_clean\nwrite_json {}\n",
                         quoted(json.string()));
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
    diagnostics.report(DiagId::VerilogSource, range, "Yosys: " + message);
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

}  // namespace

std::optional<Elaborated> elaborateVerilog(const VerilogInput& input, SourceManager& sources,
                                           Diagnostics& diagnostics) {
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
    writeIfChanged(commands, script(input, scratch.path(), json));
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

}  // namespace smec::driver
