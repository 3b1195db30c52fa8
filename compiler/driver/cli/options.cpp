#include "driver/compile/options.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "driver/bench/bench.h"
#include "driver/cli/command_entry.h"
#include "driver/cli/command_table.h"
#include "driver/cli/usage.h"
#include "driver/compile/run_options.h"
#include "driver/system/exit_status.h"
#include "driver/system/version.h"
#include "driver/verify/verify.h"

// The commands and their options are declared to CLI11 once; --help, the completion scripts and the
// man page are made from that declaration (commandTable).

namespace smec::driver {
namespace {

constexpr std::uint64_t kFormalCycles = 20;

/// GCC's words of one dash and several letters, which no option library knows.
std::vector<std::string> normalise(int argc, char** argv) {
    std::vector<std::string> result;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "-MMD") {
            result.emplace_back("--MMD");
        } else if (word == "-MF") {
            result.emplace_back("--MF");
        } else {
            result.push_back(word);
        }
    }
    return result;
}

/// `smec explain -Wunused`: what people copy from a command line, without what makes it an option.
void bareWarnings(std::vector<std::string>& arguments) {
    for (std::string& word : arguments) {
        if (word.size() > 2 && word.starts_with("-W")) word.erase(0, 2);
    }
}

void addWarningWord(WarningOptions& warnings, const std::string& word) {
    if (word == "error") {
        warnings.allErrors = true;
    } else if (word.rfind("error=", 0) == 0) {
        warnings.errors.insert(word.substr(6));
        warnings.disabled.erase(word.substr(6));
    } else if (word.rfind("no-error=", 0) == 0) {
        warnings.errors.erase(word.substr(9));
    } else if (word.rfind("no-", 0) == 0) {
        warnings.disabled.insert(word.substr(3));
    } else {
        warnings.disabled.erase(word);
    }
}

/// The name behind -W, without no- and error=; empty for `error` alone and `all`.
std::string warningName(std::string word) {
    if (word == "error" || word == "all") return {};
    for (const std::string_view prefix : {"no-error=", "error=", "no-"}) {
        if (word.rfind(prefix, 0) == 0) return word.substr(prefix.size());
    }
    return word;
}

std::vector<std::string> warningNames() {
    std::vector<std::string> names;
    for (std::uint16_t i = 0; i < static_cast<std::uint16_t>(DiagId::Count); ++i) {
        const DiagInfo& entry = info(static_cast<DiagId>(i));
        if (entry.severity == Severity::Warning) names.emplace_back(entry.name);
    }
    return names;
}

bool isWarning(const std::string& name) {
    const std::vector<std::string> names = warningNames();
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::string applyWarnings(CompileOptions& options) {
    for (const std::string& word : options.warningWords) {
        const std::string name = warningName(word);
        if (!name.empty() && !isWarning(name))
            return fmt::format("unknown warning '{}'{}", name,
                               didYouMean(name, warningNames(), "'smec explain' lists them"));
        addWarningWord(options.warnings, word);
    }
    return {};
}

struct RawChoices {
    std::string optimisation = "2";
    std::string unwritten;  ///< empty: what the rules say
    std::string diagnostics = "text";
    bool noBuild = false;
    bool noSimd = false;
    std::string threads;
    std::string models = "m1,m2,m3";
    std::string reset = "sync";
    std::string standard = "sv";
    std::string resetPolarity = "high";
    std::string tools;
    std::string report = "text";
};

void addStructureOptions(CLI::App& app, CompileOptions& o, RawChoices& raw) {
    app.add_option("--top", o.top, "top network (default: the one nobody instantiates)")
        ->type_name("NAME")
        ->group("Design");
    app.add_option("-G", o.parameters, "set a const parameter of the top: name=value")
        ->type_name("NAME=VALUE")
        ->group("Design")
        ->expected(1)
        ->take_all();
    app.add_option("-I", o.includeDirs, "folder to look for imports in")
        ->type_name("DIR")
        ->group("Design")
        ->expected(1)
        ->take_all();
    app.add_flag("--unchecked", o.unchecked, "drop run-time checks")->group("Design");
    app.add_flag("--smeil", o.smeil,
                 "take programs written for libsme: fields hold, stores that narrow wrap")
        ->group("Design");
    app.add_option("--unwritten", raw.unwritten, "what unwritten clocked fields do")
        ->type_name("WHAT")
        ->check(CLI::IsMember({"reset", "hold"}))
        ->group("Design");
    app.add_option("--max-instances", o.maxInstances, "refuse larger designs")
        ->type_name("N")
        ->group("Design");
}

void addBuildOptions(CLI::App& app, CompileOptions& o, RawChoices& raw) {
    app.add_option("-o", o.output, "simulator to write (default: the file's stem)")
        ->type_name("FILE")
        ->group("Build");
    app.add_option("--build-dir", o.buildDir,
                   "folder for generated C++ (default: .smec/<stem>-<hash>)")
        ->type_name("DIR")
        ->group("Build");
    app.add_option("-O", raw.optimisation, "optimisation of the C++: 0 ... 3")
        ->type_name("LEVEL")
        ->check(CLI::IsMember({"0", "1", "2", "3"}))
        ->group("Build");
    app.add_option("--march", o.march, "processor: native, generic or a name of the compiler's")
        ->type_name("NAME")
        ->group("Build");
    app.add_option("--cxx", o.cxx, "C++ compiler")->type_name("COMPILER")->group("Build");
    app.add_option("-j", o.jobs, "C++ compilations at once")->type_name("N")->group("Build");
    app.add_option("--partition-size", o.partitionSize, "statements per translation unit")
        ->type_name("N")
        ->check(CLI::Range(1U, 10'000'000U))
        ->group("Build");
    app.add_flag("--no-simd", raw.noSimd, "do not vectorise")->group("Build");
    app.add_option("--cxxflag", o.cxxFlags, "flag for the C++ compiler")
        ->type_name("FLAG")
        ->expected(1)
        ->take_all()
        ->group("Build");
    app.add_option("--link", o.links, "object, library or flag for the linker")
        ->type_name("FILE")
        ->expected(1)
        ->take_all()
        ->group("Build");
    app.add_option("--emit", o.emit, "print a stage and stop: ast, hir, ir, graph, plan, cpp")
        ->type_name("STAGE")
        ->check(CLI::IsMember({"ast", "hir", "ir", "graph", "plan", "cpp"}))
        ->group("Build");
    app.add_flag("--no-build", raw.noBuild, "generate C++ only")->group("Build");
    app.add_flag("--MMD", o.writeDepfile, "-MMD: write the files read as make dependencies")
        ->group("Build");
    app.add_option("--MF", o.depfile, "-MF FILE: where to write them")
        ->type_name("FILE")
        ->group("Build");
}

void addOutputOptions(CLI::App& app, CompileOptions& o, RawChoices& raw) {
    app.add_option("-W", o.warningWords, "-WNAME, -Wno-NAME, -Werror, -Werror=NAME")
        ->type_name("WARNING")
        ->expected(1)
        ->take_all()
        ->group("Messages");
    app.add_option("--error-limit", o.rendering.errorLimit, "errors shown at most")
        ->type_name("N")
        ->group("Messages");
    app.add_option("--diagnostics", raw.diagnostics, "form of the messages: text or json")
        ->type_name("FORM")
        ->check(CLI::IsMember({"text", "json"}))
        ->group("Messages");
    app.add_option("--stats", o.stats, "time and memory of each phase: text or json")
        ->type_name("FORM")
        ->expected(0, 1)
        ->default_str("text")
        ->check(CLI::IsMember({"text", "json"}))
        ->group("Messages");
    app.add_flag("-v", o.verbose, "show the commands run")->group("Messages");
    app.add_flag("-q", o.quiet, "no progress")->group("Messages");
}

void declareOptions(CLI::App& app, CompileOptions& o, RawChoices& raw, bool severalFiles) {
    app.add_option("FILE", o.files, severalFiles ? "source files" : "source file")
        ->type_name("")
        ->required()
        ->expected(1, -1);
    addStructureOptions(app, o, raw);
    addBuildOptions(app, o, raw);
    addOutputOptions(app, o, raw);
}

void declareBench(CLI::App& app, BenchOptions& o, RawChoices& raw) {
    app.add_option("--threads", raw.threads,
                   "numbers of threads to measure (default: 1,2,4,... up to the processors)")
        ->type_name("LIST")
        ->group("Measurement");
    app.add_option("--models", raw.models, "models to measure (default: m1,m2,m3)")
        ->type_name("LIST")
        ->group("Measurement");
    app.add_option("--repeat", o.repeats, "runs of each kind (default: 5)")
        ->type_name("N")
        ->check(CLI::Range(1U, 1000U))
        ->group("Measurement");
    app.add_option("--cycles", o.cycles,
                   "cycles of a run (default: the end of --input, or about 0.3 seconds' worth)")
        ->type_name("N")
        ->check(CLI::PositiveNumber)
        ->group("Measurement");
    app.add_option("--json", o.json, "write all that was measured")
        ->type_name("FILE")
        ->group("Measurement");
    app.add_option("--picture", o.picture, "draw the speedups (.svg); needs gnuplot")
        ->type_name("FILE")
        ->group("Measurement");
}

void declareHardware(CLI::App& app, RawChoices& raw) {
    app.add_option("--reset", raw.reset, "how the reset acts: sync or async (default: sync)")
        ->type_name("KIND")
        ->check(CLI::IsMember({"sync", "async"}))
        ->group("Hardware");
    app.add_option("--std", raw.standard,
                   "dialect of --verilog: sv (SystemVerilog that Icarus, Yosys and Verilator read "
                   "alike) or v2005 (default: sv)")
        ->type_name("DIALECT")
        ->check(CLI::IsMember({"sv", "v2005"}))
        ->group("Hardware");
    app.add_option("--reset-polarity", raw.resetPolarity,
                   "level at which it acts: high or low (default: high)")
        ->type_name("LEVEL")
        ->check(CLI::IsMember({"high", "low"}))
        ->group("Hardware");
}

void declareExport(CLI::App& app, HardwareOptions& o, RawChoices& raw) {
    app.add_flag("--verilog", o.isVerilog, "write SystemVerilog")->group("Hardware");
    app.add_flag("--vhdl", o.isVhdl, "write VHDL-2008")->group("Hardware");
    declareHardware(app, raw);
    app.add_option("--cycles", o.cycles,
                   "cycles of the recorded run for the test bench (default: until the design stops "
                   "or --input ends, at most 10,000); 0: no test bench")
        ->type_name("N")
        ->group("Hardware");
    app.add_option("--input", o.input, "drive the exposed inputs of that run from a CSV file")
        ->type_name("FILE")
        ->group("Hardware");
    app.add_option("--estimate", o.estimate,
                   "print what each class costs on an FPGA: ice40 or xilinx; needs Yosys")
        ->type_name("FAMILY")
        ->check(CLI::IsMember({"ice40", "xilinx"}))
        ->group("Hardware");
}

void declareVerify(CLI::App& app, Invocation& result, RawChoices& raw) {
    VerifyOptions& o = result.verify;
    app.get_option("-o")->description("folder for all that is made (default: none is kept)");
    app.get_option("-j")->description("engines and C++ compilations at once");
    app.add_option(
           "--cycles", result.hardware.cycles,
           "cycles to compare (default: until the design stops or --input ends, at most 10,000); "
           "with --formal those behind the reset that are searched (default: 20)")
        ->type_name("N")
        ->check(CLI::PositiveNumber)
        ->group("Comparison");
    app.add_option("--input", result.hardware.input, "drive the exposed inputs from a CSV file")
        ->type_name("FILE")
        ->group("Comparison");
    app.add_option("--engines", raw.tools,
                   "what to compare with the interpreter (default: cpp,icarus,verilator,ghdl)")
        ->type_name("LIST")
        ->group("Comparison");
    app.add_option("--models", raw.models, "models of the C++ simulator (default: m1,m2,m3)")
        ->type_name("LIST")
        ->group("Comparison");
    app.add_option("--threads", raw.threads, "numbers of threads (default: 1,2,4)")
        ->type_name("LIST")
        ->group("Comparison");
    app.add_option("--timeout", o.seconds, "end an engine after this time (default: 600)")
        ->type_name("SECONDS")
        ->check(CLI::Range(1U, 1'000'000U))
        ->group("Comparison");
    app.add_option("--report", raw.report, "form of the result: text or json")
        ->type_name("FORM")
        ->check(CLI::IsMember({"text", "json"}))
        ->group("Comparison");
    app.add_option(
           "--formal", o.formal,
           "prove equal to another revision (.sme) or to a Verilog module (.v, .sv) by Yosys")
        ->type_name("FILE")
        ->group("Proof");
    app.add_option("--process", o.process, "the process to prove (default: the whole design)")
        ->type_name("NAME")
        ->group("Proof");
    app.add_option("--reference-module", o.referenceModule,
                   "the module of FILE (default: the only one, or that of the same name)")
        ->type_name("NAME")
        ->group("Proof");
    declareHardware(app, raw);
}

void declareFormat(CLI::App& app, Invocation& result, RawChoices& raw) {
    app.add_option("FILE", result.words,
                   "source files; '-' formats standard input to standard output")
        ->type_name("")
        ->required()
        ->expected(1, -1);
    app.add_flag("--check", result.checkOnly,
                 "write nothing; show what would change, and end with status 1 if anything would");
    app.add_option("--error-limit", result.compile.rendering.errorLimit, "errors shown at most")
        ->type_name("N")
        ->group("Messages");
    app.add_option("--diagnostics", raw.diagnostics, "form of the messages: text or json")
        ->type_name("FORM")
        ->check(CLI::IsMember({"text", "json"}))
        ->group("Messages");
}

bool takesRunOption(Command command, const RunOption& option) {
    switch (command) {
    case Command::Run: return true;
    case Command::Bench: return isForBench(option);
    case Command::Verify: return isForVerify(option);
    default: return false;
    }
}

CommandEntry describeWithSimulator(const CLI::App& app, Command command) {
    CommandEntry entry = describe(app);
    for (const RunOption& option : runOptions())
        if (takesRunOption(command, option)) entry.simulatorOptions.push_back(describe(option));
    return entry;
}

/// A command makes no simulator to keep, or only looks: what would have no effect is not offered.
void removeOptions(CLI::App& app, std::initializer_list<const char*> names) {
    for (const char* name : names)
        app.remove_option(app.get_option(name));
}

/// What CLI11 parses into, and the commands declared to it.
struct CommandLine {
    CLI::App app{"smec: compiles networks of processes (.sme) into simulators", "smec"};
    Invocation result;
    RawChoices raw;
    std::vector<std::pair<CLI::App*, Command>> commands;

    CommandLine() {
        app.set_version_flag("--version", std::string("smec ") + kVersion);
        app.require_subcommand(1);
        CLI::App& compile = add(Command::Compile, "compile", "compile a file to a simulator");
        CLI::App& run = add(Command::Run, "run",
                            "compile (cached) and run; options of the simulator may follow");
        CLI::App& check = add(Command::Check, "check", "diagnostics only, of one file or several");
        declareOptions(compile, result.compile, raw, false);
        declareOptions(run, result.compile, raw, false);
        declareOptions(check, result.compile, raw, true);
        CLI::App& bench = add(Command::Bench, "bench",
                              "measure speedups and tell why they are not larger; options of the "
                              "simulator may follow");
        declareOptions(bench, result.compile, raw, false);
        declareBench(bench, result.bench, raw);
        run.add_flag("--interpret", result.interpret,
                     "use the reference interpreter; needs no C++ compiler");
        CLI::App& exporting =
            add(Command::Export, "export", "write the design as hardware, with a test bench");
        declareOptions(exporting, result.compile, raw, false);
        declareExport(exporting, result.hardware, raw);
        CLI::App& verifying = add(Command::Verify, "verify",
                                  "compare all simulators of a design with the interpreter, or "
                                  "prove it equal to another; options of the simulator may follow");
        declareOptions(verifying, result.compile, raw, false);
        declareVerify(verifying, result, raw);
        declareFormat(add(Command::Format, "fmt", "format source files in place"), result, raw);
        add(Command::Explain, "explain", "explain messages, or list all of them")
            .add_option("ID", result.words, "what stands in [brackets] behind a message")
            ->type_name("")
            ->expected(0, -1);
        add(Command::Completion, "completion", "print a completion script for a shell")
            .add_option("SHELL", result.words, "bash, zsh or fish")
            ->type_name("")
            ->required()
            ->expected(1)
            ->check(CLI::IsMember({"bash", "zsh", "fish"}));
        add(Command::Manual, "man", "print the manual page, for 'smec man | man -l -'");
        for (CLI::App* each : {&bench, &exporting, &verifying})
            removeOptions(*each, {"--emit", "--no-build", "--MMD", "--MF"});
        for (const auto& [each, command] : commands)
            each->footer(simulatorHelp(describeWithSimulator(*each, command)));
    }

private:
    CLI::App& add(Command command, const char* name, const char* help) {
        CLI::App* added = app.add_subcommand(name, help);
        commands.emplace_back(added, command);
        return *added;
    }
};

std::string finishBench(Invocation& result, const RawChoices& raw) {
    BenchOptions& o = result.bench;
    const std::string refused = refusedByBench(result.runArguments);
    if (refused == "--model") return "smec bench takes --models with a list, not --model";
    if (!refused.empty()) return fmt::format("smec bench does not take {}", refused);
    if (std::string problem = parseThreadList(raw.threads, o.threads); !problem.empty())
        return problem;
    if (!o.picture.empty() && !o.picture.ends_with(".svg"))
        return fmt::format("--picture takes a file name that ends in .svg, not '{}'", o.picture);
    return parseModelList(raw.models, o.models);
}

std::string finishFormal(Invocation& result, const CLI::App& app) {
    const VerifyOptions& o = result.verify;
    if (o.formal.empty()) {
        for (const char* name : {"--process", "--reference-module"})
            if (app.count(name) != 0) return fmt::format("{} is for --formal", name);
        return {};
    }
    for (const char* name : {"--input", "--engines", "--models", "--threads"})
        if (app.count(name) != 0) return fmt::format("--formal does not take {}", name);
    if (!result.runArguments.empty())
        return fmt::format("--formal does not take {}", result.runArguments[0]);
    if (app.count("--cycles") == 0) result.hardware.cycles = kFormalCycles;
    return {};
}

std::string finishVerify(Invocation& result, const RawChoices& raw, const CLI::App& app) {
    VerifyOptions& o = result.verify;
    const std::string refused = refusedByVerify(result.runArguments);
    if (refused == "--model") return "smec verify takes --models with a list, not --model";
    if (!refused.empty()) return fmt::format("smec verify does not take {}", refused);
    o.json = raw.report == "json";
    for (std::string problem :
         {parseThreadList(raw.threads, o.threads), parseModelList(raw.models, o.models),
          parseEngineList(raw.tools, o.tools), finishFormal(result, app)})
        if (!problem.empty()) return problem;
    return {};
}

void finishHardware(HardwareOptions& o, const RawChoices& raw) {
    o.isAsync = raw.reset == "async";
    o.isActiveLow = raw.resetPolarity == "low";
    o.isVerilog2005 = raw.standard == "v2005";
}

std::string finish(Invocation& result, const RawChoices& raw, const CLI::App& app) {
    CompileOptions& o = result.compile;
    o.optimisation = raw.optimisation[0];
    o.unwrittenHold = raw.unwritten == "hold" || (raw.unwritten.empty() && o.smeil);
    o.build = !raw.noBuild;
    o.simd = !raw.noSimd;
    o.rendering.json = raw.diagnostics == "json";
    o.rendering.colour = !o.rendering.json && isatty(2) && !std::getenv("NO_COLOR");
    const bool oneFile = result.command == Command::Compile || result.command == Command::Run
                         || result.command == Command::Bench || result.command == Command::Export
                         || result.command == Command::Verify;
    if (oneFile && o.files.size() != 1) return "expected one source file";
    for (std::string& file : o.files)
        if (file.starts_with("-")) file = "./" + file;  // no option, to whom it may be given on
    const bool readsAgain = result.command == Command::Export || result.command == Command::Verify;
    if (readsAgain && isStream(o.files[0]))
        return fmt::format("smec export and verify read the source several times; give a file, not "
                           "'{}'",
                           o.files[0]);
    if (result.command == Command::Bench) {
        if (std::string problem = finishBench(result, raw); !problem.empty()) return problem;
    }
    if (result.command == Command::Export) {
        const HardwareOptions& hardware = result.hardware;
        if (!hardware.isVerilog && !hardware.isVhdl && hardware.estimate.empty())
            return "smec export takes --verilog, --vhdl or --estimate";
    }
    finishHardware(result.hardware, raw);
    if (result.command == Command::Verify) {
        if (std::string problem = finishVerify(result, raw, app); !problem.empty()) return problem;
    }
    return applyWarnings(o);
}

/// What is wrong with a command line, in our words where we have better ones than CLI11.
std::string problemOf(const CLI::ParseError& error, const CommandLine& line,
                      const std::vector<std::string>& arguments) {
    if (arguments.empty()) return "smec takes a command";
    std::vector<std::string> commands;
    for (const auto& [app, command] : line.commands)
        commands.push_back(app->get_name());
    const auto found = std::find(commands.begin(), commands.end(), arguments[0]);
    if (found == commands.end()) return problemOfFirstWord(arguments[0], commands);
    const CLI::App& app = *line.commands[static_cast<std::size_t>(found - commands.begin())].first;
    return problemOfCommand(error, *found, commandTable(), app.remaining());
}

int usageError(const std::string& message) {
    fmt::print(stderr, "smec: error: {}\nTry 'smec --help'.\n", message);
    return exit_status::kUsage;
}

}  // namespace

ParsedCommandLine parseCommandLine(int argc, char** argv) {
    CommandLine line;
    std::vector<std::string> arguments = normalise(argc, argv);
    if (!arguments.empty() && arguments[0] == "run")
        splitRunArguments(arguments, line.result.runArguments);
    if (!arguments.empty() && arguments[0] == "bench")
        splitRunArguments(arguments, line.result.runArguments, ownOfBench());
    if (!arguments.empty() && arguments[0] == "verify")
        splitRunArguments(arguments, line.result.runArguments, ownOfVerify());
    if (!arguments.empty() && arguments[0] == "explain") bareWarnings(arguments);
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    try {
        line.app.parse(reversed);
    } catch (const CLI::Success& success) {
        line.app.exit(success);
        return {std::nullopt, exit_status::kGood};
    } catch (const CLI::ParseError& error) {
        return {std::nullopt, usageError(problemOf(error, line, arguments))};
    }
    const CLI::App* chosen = &line.app;
    for (const auto& [app, command] : line.commands) {
        if (!*app) continue;
        line.result.command = command;
        chosen = app;
    }
    const std::string problem = finish(line.result, line.raw, *chosen);
    if (!problem.empty()) return {std::nullopt, usageError(problem)};
    return {std::move(line.result), 0};
}

std::vector<CommandEntry> commandTable() {
    const CommandLine line;
    std::vector<CommandEntry> table;
    for (const auto& [app, command] : line.commands)
        table.push_back(describeWithSimulator(*app, command));
    return table;
}

}  // namespace smec::driver
