#include "driver/options.h"

#include <array>
#include <cstdio>
#include <string_view>

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "driver/exit_status.h"
#include "driver/version.h"

// `smec run` takes the compile options and those of the simulator on one command line. Ours are
// declared to CLI11; the simulator's are moved aside first by a table of their names, so that
// `--cycles 8 x.sme` does not take 8 for the file.

namespace smec::driver {
namespace {

struct RunOption {
    std::string_view name;
    int values;
};

constexpr std::array kRunOptions{
    RunOption{"--cycles", 1},
    RunOption{"--seed", 1},
    RunOption{"--timeout", 1},
    RunOption{"--threads", 1},
    RunOption{"--model", 1},
    RunOption{"--chunk", 1},
    RunOption{"--orchestrate", 1},
    RunOption{"--adapt", 1},
    RunOption{"--queues", 1},
    RunOption{"--groups", 1},
    RunOption{"--assign", 1},
    RunOption{"--prepartition", 0},
    RunOption{"--victim", 1},
    RunOption{"--foreman", 0},
    RunOption{"--costs", 1},
    RunOption{"--superstep", 1},
    RunOption{"--loop-limit", 1},
    RunOption{"--steal", 1},
    RunOption{"--min-chunk", 1},
    RunOption{"--wait", 1},
    RunOption{"--bind", 1},
    RunOption{"--numa", 1},
    RunOption{"--input", 1},
    RunOption{"--expect", 1},
    RunOption{"--trace", 1},
    RunOption{"--trace-filter", 1},
    RunOption{"--trace-all", 0},
    RunOption{"--trace-start", 1},
    RunOption{"--trace-stop", 1},
    RunOption{"--flight-recorder", 2},
    RunOption{"--checkpoint", 1},
    RunOption{"--resume", 1},
    RunOption{"--report", 1},
    RunOption{"--schedule-trace", 1},
    RunOption{"--schedule-window", 1},
    RunOption{"--checksum", 0},
    RunOption{"--print", 1},
    RunOption{"--list", 0},
    RunOption{"--watch", 1},
    RunOption{"--progress", 0},
    RunOption{"--quiet", 0},
};

const RunOption* findRunOption(std::string_view argument) {
    const std::string_view name = argument.substr(0, argument.find('='));
    for (const RunOption& option : kRunOptions) {
        if (option.name == name) return &option;
    }
    return nullptr;
}

/// Moves the simulator's options (and everything behind `--`) from `arguments` to `runArguments`.
void splitRunArguments(std::vector<std::string>& arguments,
                       std::vector<std::string>& runArguments) {
    std::vector<std::string> ours;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i] == "--") {
            runArguments.insert(runArguments.end(),
                                arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                arguments.end());
            break;
        }
        const RunOption* option = findRunOption(arguments[i]);
        if (!option) {
            ours.push_back(arguments[i]);
            continue;
        }
        const bool attached = arguments[i].find('=') != std::string::npos;
        runArguments.push_back(arguments[i]);
        for (int k = attached ? 1 : 0; k < option->values && i + 1 < arguments.size(); ++k)
            runArguments.push_back(arguments[++i]);
    }
    arguments = std::move(ours);
}

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

bool isWarning(const std::string& name) {
    for (std::uint16_t i = 0; i < static_cast<std::uint16_t>(DiagId::Count); ++i) {
        const DiagInfo& entry = info(static_cast<DiagId>(i));
        if (entry.severity == Severity::Warning && entry.name == name) return true;
    }
    return false;
}

std::string applyWarnings(CompileOptions& options) {
    for (const std::string& word : options.warningWords) {
        const std::string name = warningName(word);
        if (!name.empty() && !isWarning(name)) return fmt::format("unknown warning '{}'", name);
        addWarningWord(options.warnings, word);
    }
    return {};
}

struct RawChoices {
    std::string optimisation = "2";
    std::string unwritten = "reset";
    std::string diagnostics = "text";
    bool noBuild = false;
    bool noSimd = false;
    bool lib = false;
};

void addStructureOptions(CLI::App& app, CompileOptions& o, RawChoices& raw) {
    app.add_option("--top", o.top, "top network (default: the one nobody instantiates)")
        ->group("Design");
    app.add_option("-G", o.parameters, "set a const parameter of the top: name=value")
        ->group("Design")
        ->expected(1)
        ->take_all();
    app.add_option("-I", o.includeDirs, "folder to look for imports in")
        ->group("Design")
        ->expected(1)
        ->take_all();
    app.add_flag("--unchecked", o.unchecked, "drop run-time checks")->group("Design");
    app.add_option("--unwritten", raw.unwritten, "what unwritten clocked fields do")
        ->check(CLI::IsMember({"reset", "hold"}))
        ->group("Design");
    app.add_option("--max-instances", o.maxInstances, "refuse larger designs")->group("Design");
}

void addBuildOptions(CLI::App& app, CompileOptions& o, RawChoices& raw) {
    app.add_option("-o", o.output, "simulator to write (default: the file's stem)")->group("Build");
    app.add_option("--build-dir", o.buildDir,
                   "folder for generated C++ (default: .smec/<stem>-<hash>)")
        ->group("Build");
    app.add_option("-O", raw.optimisation, "optimisation of the C++: 0 … 3")
        ->check(CLI::IsMember({"0", "1", "2", "3"}))
        ->group("Build");
    app.add_option("--march", o.march, "processor: native, generic or a name of the compiler's")
        ->group("Build");
    app.add_option("--cxx", o.cxx, "C++ compiler")->group("Build");
    app.add_option("-j", o.jobs, "C++ compilations at once")->group("Build");
    app.add_option("--partition-size", o.partitionSize, "statements per translation unit")
        ->check(CLI::Range(1U, 10'000'000U))
        ->group("Build");
    app.add_flag("--no-simd", raw.noSimd, "do not vectorise")->group("Build");
    app.add_option("--cxxflag", o.cxxFlags, "flag for the C++ compiler")
        ->expected(1)
        ->take_all()
        ->group("Build");
    app.add_option("--link", o.links, "object, library or flag for the linker")
        ->expected(1)
        ->take_all()
        ->group("Build");
    app.add_option("--emit", o.emit, "print a stage and stop: ast, hir, ir, graph, plan, cpp")
        ->check(CLI::IsMember({"ast", "hir", "ir", "graph", "plan", "cpp"}))
        ->group("Build");
    app.add_flag("--no-build", raw.noBuild, "generate C++ only")->group("Build");
    app.add_flag("--lib", raw.lib, "build a library with a C interface")->group("Build");
    app.add_flag("--MMD", o.writeDepfile, "-MMD: write the files read as make dependencies")
        ->group("Build");
    app.add_option("--MF", o.depfile, "-MF FILE: where to write them")->group("Build");
}

void addOutputOptions(CLI::App& app, CompileOptions& o, RawChoices& raw) {
    app.add_option("-W", o.warningWords, "-WNAME, -Wno-NAME, -Werror, -Werror=NAME")
        ->expected(1)
        ->take_all()
        ->group("Messages");
    app.add_option("--error-limit", o.rendering.errorLimit, "errors shown at most")
        ->group("Messages");
    app.add_option("--diagnostics", raw.diagnostics, "text or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->group("Messages");
    app.add_option("--stats", o.stats, "time and memory of each phase: text or json")
        ->expected(0, 1)
        ->default_str("text")
        ->check(CLI::IsMember({"text", "json"}))
        ->group("Messages");
    app.add_flag("-v", o.verbose, "show the commands run")->group("Messages");
    app.add_flag("-q", o.quiet, "no progress")->group("Messages");
}

void declareOptions(CLI::App& app, CompileOptions& o, RawChoices& raw) {
    app.add_option("FILE", o.files, "source file")->required()->expected(1, -1);
    addStructureOptions(app, o, raw);
    addBuildOptions(app, o, raw);
    addOutputOptions(app, o, raw);
}

std::string finish(Invocation& result, const RawChoices& raw) {
    CompileOptions& o = result.compile;
    o.optimisation = raw.optimisation[0];
    o.unwrittenHold = raw.unwritten == "hold";
    o.build = !raw.noBuild;
    o.simd = !raw.noSimd;
    o.rendering.json = raw.diagnostics == "json";
    o.rendering.colour = !o.rendering.json && isatty(2) && !std::getenv("NO_COLOR");
    if (raw.lib) return "--lib is not supported yet";
    if (result.command != Command::Check && o.files.size() != 1) return "expected one source file";
    return applyWarnings(o);
}

int usageError(const std::string& message) {
    fmt::print(stderr, "smec: error: {}\nTry 'smec --help'.\n", message);
    return exit_status::kUsage;
}

}  // namespace

ParsedCommandLine parseCommandLine(int argc, char** argv) {
    CLI::App app{"smec: compiles networks of processes (.sme) into simulators", "smec"};
    app.set_version_flag("--version", std::string("smec ") + kVersion);
    app.require_subcommand(1);
    Invocation result;
    RawChoices raw;
    CLI::App* compile = app.add_subcommand("compile", "compile a file to a simulator");
    CLI::App* run = app.add_subcommand(
        "run", "compile (cached) and run in one go; options of the simulator may follow");
    CLI::App* check = app.add_subcommand("check", "diagnostics only");
    for (CLI::App* command : {compile, run, check})
        declareOptions(*command, result.compile, raw);
    run->add_flag("--interpret", result.interpret,
                  "use the reference interpreter; needs no C++ compiler");

    std::vector<std::string> arguments = normalise(argc, argv);
    if (!arguments.empty() && arguments[0] == "run")
        splitRunArguments(arguments, result.runArguments);
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    try {
        app.parse(reversed);
    } catch (const CLI::Success& success) {
        app.exit(success);
        return {std::nullopt, exit_status::kGood};
    } catch (const CLI::ParseError& error) {
        return {std::nullopt, usageError(error.what())};
    }
    result.command = *run ? Command::Run : *check ? Command::Check : Command::Compile;
    const std::string problem = finish(result, raw);
    if (!problem.empty()) return {std::nullopt, usageError(problem)};
    return {std::move(result), 0};
}

}  // namespace smec::driver
