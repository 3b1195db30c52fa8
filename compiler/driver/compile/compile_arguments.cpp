#include "driver/compile/compile_arguments.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <vector>

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "driver/compile/explanation.h"
#include "driver/compile/numbers.h"
#include "driver/compile/stages.h"
#include "driver/compile/verilog_reader.h"
#include "driver/system/ended.h"
#include "driver/system/exit_status.h"
#include "driver/system/suggestion.h"

namespace smec::driver {
namespace {

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

/// The name after -W, without no- and error=; empty for `error` alone and `all`.
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

/// Takes one value each time that it is named, and never the file that stands after it.
CLI::Option* repeatable(CLI::Option* option) {
    return option->expected(1)->take_all()->allow_extra_args(false);
}

std::vector<std::string> ruleNames() {
    std::vector<std::string> names{"help"};
    for (const rules::Rule rule : rules::all())
        names.emplace_back(rules::nameOf(rule));
    return names;
}

/// For completion; what is none of them is told in our words.
CLI::Validator anyOf(const std::vector<std::string>& names) {
    return {[](const std::string&) { return std::string(); },
            fmt::format("{{{}}}", fmt::join(names, ","))};
}

/// "help" lists all, and nothing else is done. Of an unknown name it is told before of a missing
/// FILE, which it may be.
void switchOff(const std::vector<std::string>& names, CompileOptions& options) {
    for (const std::string& name : names) {
        if (const auto rule = rules::ruleOf(name)) {
            options.without.add(*rule);
            continue;
        }
        if (name != "help")
            throw CLI::ValidationError(
                fmt::format("unknown rule '{}'{}", name,
                            didYouMean(name, ruleNames(), "'--without help' lists them")));
        std::string list;
        for (const rules::Rule rule : rules::all())
            list += fmt::format("{:20}{}\n", rules::nameOf(rule), rules::textOf(rule));
        list.pop_back();
        throw CLI::CallForVersion(list, 0);
    }
    if (!options.without.allows(rules::Rule::Lanes)) options.simd = false;
    options.withoutWords.insert(options.withoutWords.end(), names.begin(), names.end());
}

/// As switchOff().
void changeNumbers(const std::vector<std::string>& words, CompileOptions& options) {
    for (const std::string& word : words) {
        if (word == "help") throw CLI::CallForVersion(numberList(), 0);
        if (const std::string problem = setNumber(word); !problem.empty())
            throw CLI::ValidationError(problem);
        options.numbers.push_back(word);
    }
}

/// "help" lists all, and nothing else is done.
void chooseStage(const std::string& stage, CompileOptions& options) {
    if (stage == "help") throw CLI::CallForVersion(stageList(), 0);
    options.emit = stage;
}

}  // namespace

void declareWarnings(CLI::App& app, std::vector<std::string>& words) {
    repeatable(app.add_option("-W", words, "-WNAME, -Wno-NAME, -Werror, -Werror=NAME"))
        ->type_name("WARNING")
        ->group("Messages");
}

std::string applyWarnings(const std::vector<std::string>& words, WarningOptions& warnings) {
    for (const std::string& word : words) {
        const std::string name = warningName(word);
        if (!name.empty() && !isWarning(name))
            return fmt::format("unknown warning '{}'{}", name,
                               didYouMean(name, warningNames(), "'smec explain' lists them"));
        addWarningWord(warnings, word);
    }
    return {};
}

void declareVerilog(CLI::App& app, VerilogInput& input, bool isAlone) {
    app.add_option_function<std::string>(  // withFileLists() puts the words in its place
           "-f,-F", [](const std::string&) {},
           "a list of files and options, as other simulators take it; -F: names in it are relative "
           "to it")
        ->type_name("LIST")
        ->group("Verilog");
    repeatable(app.add_option("-y,--library", input.libraries,
                              "a folder with modules, in files of their names"))
        ->type_name("FOLDER")
        ->group("Verilog");
    repeatable(app.add_option(isAlone ? "-I,--include" : "--include", input.includeFolders,
                              "a folder for `include"))
        ->type_name("FOLDER")
        ->group("Verilog");
    repeatable(app.add_option("-D,--define", input.defines, "define a macro"))
        ->type_name("NAME[=VALUE]")
        ->group("Verilog");
    repeatable(app.add_option(isAlone ? "-G,--parameter" : "--parameter", input.parameters,
                              "set a parameter of the top module"))
        ->type_name("NAME=VALUE")
        ->group("Verilog");
    app.add_option("--clock", input.clock, "the clock of the top module")
        ->type_name("NAME")
        ->group("Verilog");
    app.add_option("--after-reset", input.reset,
                   "a reset of the top module, by what it is while it is on (1): registers start "
                   "as it leaves them, then it is off")
        ->type_name("NAME[=0|1]")
        ->group("Verilog");
    app.add_flag("--reset-as-sync", input.isResetSync,
                 "asynchronous resets act at the clock's edge alone")
        ->group("Verilog");
    repeatable(app.add_option("--tie", input.ties, "hold a port of the top module"))
        ->type_name("NAME=VALUE")
        ->group("Verilog");
    app.add_option("--reading", input.reading,
                   "what Verilog means: simulation (the default), where what a reader is known to "
                   "get wrong is refused, or synthesis, where it is taken as it is read")
        ->type_name("HOW")
        ->group("Verilog");
    app.add_option("--x-initial", input.initial,
                   "what bits are at first that the source leaves x (0): 0, 1, random or "
                   "random:SEED")
        ->type_name("VALUE")
        ->group("Verilog");
}

void declareRendering(CLI::App& app, RenderOptions& rendering) {
    app.add_option("--error-limit", rendering.errorLimit, "errors shown at most")
        ->type_name("N")
        ->group("Messages");
    app.add_option_function<std::string>(
           "--diagnostics",
           [&rendering](const std::string& form) { rendering.json = form == "json"; },
           "form of the messages: text or json")
        ->type_name("FORM")
        ->check(CLI::IsMember({"text", "json"}))
        ->group("Messages");
}

void finishRendering(RenderOptions& rendering) {
    rendering.colour = !rendering.json && isatty(2) && !std::getenv("NO_COLOR");
}

void CompileArguments::declareStructure(CLI::App& app) {
    CompileOptions& o = options;
    app.add_option("--top", o.top, "top network (default: the one nobody instantiates)")
        ->type_name("NAME")
        ->group("Design");
    repeatable(app.add_option("-G", o.parameters, "set a const parameter of the top: name=value"))
        ->type_name("NAME=VALUE")
        ->group("Design");
    repeatable(app.add_option("-I", o.includeDirs, "folder to look for imports in"))
        ->type_name("DIR")
        ->group("Design");
    app.add_flag("--unchecked", o.unchecked, "drop run-time checks")->group("Design");
    app.add_flag("--smeil", o.smeil,
                 "take programs written for libsme: fields hold, stores that narrow wrap")
        ->group("Design");
    app.add_option("--unwritten", unwritten_, "what unwritten clocked fields do")
        ->type_name("WHAT")
        ->check(CLI::IsMember({"reset", "hold"}))
        ->group("Design");
    app.add_option("--max-instances", o.maxInstances, "refuse larger designs")
        ->type_name("N")
        ->group("Design");
}

void CompileArguments::declareBuild(CLI::App& app) {
    CompileOptions& o = options;
    app.add_option("-o", o.output, "simulator to write (default: the file's stem)")
        ->type_name("FILE")
        ->group("Build");
    app.add_option("--build-dir", o.buildDir,
                   "folder for generated C++ (default: <stem>-<hash> in the cache)")
        ->type_name("DIR")
        ->group("Build");
    app.add_option_function<std::string>(
           "-O", [&o](const std::string& level) { o.optimisation = level[0]; },
           "optimisation of the C++: 0 ... 3")
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
    app.add_flag_callback(
           "--no-simd", [&o] { o.simd = false; }, "do not vectorise")
        ->group("Build");
    repeatable(app.add_option_function<std::vector<std::string>>(
                   "--without", [&o](const auto& names) { switchOff(names, o); },
                   "leave a rule of the optimiser out; help: list them"))
        ->type_name("RULE")
        ->check(anyOf(ruleNames()))
        ->group("Build");
    repeatable(app.add_option_function<std::vector<std::string>>(
                   "--number", [&o](const auto& words) { changeNumbers(words, o); },
                   "give a number of the optimiser another value; help: list them"))
        ->type_name("NAME=VALUE")
        ->group("Build");
}

void CompileArguments::declareToolchain(CLI::App& app) {
    CompileOptions& o = options;
    repeatable(app.add_option("--cxxflag", o.cxxFlags, "flag for the C++ compiler"))
        ->type_name("FLAG")
        ->group("Build");
    repeatable(app.add_option("--link", o.links, "object, library or flag for the linker"))
        ->type_name("FILE")
        ->group("Build");
}

/// What removeStages() removes.
void CompileArguments::declareStages(CLI::App& app) {
    CompileOptions& o = options;
    app.add_option_function<std::string>(
           "--emit", [&o](const std::string& stage) { chooseStage(stage, o); },
           "print a stage and stop: ast, hir, graph, ir, ir-after=PASS, plan, cpp; help: list them")
        ->type_name("STAGE")
        ->check(anyOf(stageNames()))
        ->group("Build");
    app.add_option("--explain", o.explained,
                   "tell what was decided for which processes, and why; repeatable")
        ->type_name("GLOB")
        ->expected(0, 1)
        ->take_all()
        ->allow_extra_args(false)
        ->group("Build");
    app.add_option("--explain-json", o.explanation, "the same to a file; -: standard output")
        ->type_name("FILE")
        ->group("Build");
    app.add_flag_callback(
           "--no-build", [&o] { o.build = false; }, "generate C++ only")
        ->group("Build");
    app.add_flag("--MMD", o.writeDepfile, "-MMD: write the files read as make dependencies")
        ->group("Build");
    app.add_option("--MF", o.depfile, "-MF FILE: where to write them")
        ->type_name("FILE")
        ->group("Build");
}

void CompileArguments::declareMessages(CLI::App& app) {
    CompileOptions& o = options;
    declareWarnings(app, o.warningWords);
    declareRendering(app, o.rendering);
    app.add_option("--stats", o.stats,
                   "time and memory of each phase, share of each module: text or json")
        ->type_name("FORM")
        ->expected(0, 1)
        ->default_str("text")
        ->check(CLI::IsMember({"text", "json"}))
        ->group("Messages");
    app.add_flag("-v", o.verbose, "show the commands run")->group("Messages");
    app.add_flag("-q", o.quiet, "no progress")->group("Messages");
}

void CompileArguments::declare(CLI::App& app, bool severalFiles) {
    app.add_option("FILE", options.files, severalFiles ? "source files" : "source file")
        ->type_name("")
        ->required()
        ->expected(1, -1);
    declareStructure(app);
    declareVerilog(app, options.verilog, false);
    declareBuild(app);
    declareToolchain(app);
    declareStages(app);
    declareMessages(app);
}

std::string CompileArguments::finish(bool severalFiles) {
    CompileOptions& o = options;
    o.unwrittenHold = unwritten_ == "hold" || (unwritten_.empty() && o.smeil);
    finishRendering(o.rendering);
    for (std::string& file : o.files)
        if (file.starts_with("-")) file = "./" + file;  // no option, to whom it may be given on
    std::ranges::copy_if(o.files, std::back_inserter(o.verilog.files), isVerilogFile);
    // beside a `.sme`, Verilog is what its extern processes are made of
    const bool isBeside = o.files.size() > o.verilog.files.size();
    if (isBeside) std::erase_if(o.files, isVerilogFile);
    if (!severalFiles && isBeside && o.files.size() != 1) return "expected one source file";
    if (std::string problem = problemOfStage(o.emit); !problem.empty()) return problem;
    if (isExplained(o)
        && (o.emit == "ast" || o.emit == "hir" || o.emit == "graph" || passRunOf(o.emit)))
        return fmt::format(
            "--explain tells what is decided behind '--emit {}'; give ir, plan or cpp", o.emit);
    if (std::string problem = applyWarnings(o.warningWords, o.warnings); !problem.empty())
        return problem;
    if (isBeside) return problemOfVerilog(o.verilog);
    o.verilog.includeFolders.insert(o.verilog.includeFolders.end(), o.includeDirs.begin(),
                                    o.includeDirs.end());
    o.verilog.top = o.top;
    std::ranges::move(o.parameters, std::back_inserter(o.verilog.parameters));
    o.parameters.clear();
    o.reader->addLibraryFiles(o.verilog);
    return problemOfVerilog(o.verilog);
}

void CompileArguments::findCache() {
    options.cache = findCacheFolders();
    options.cache.tells = options.verbose;
    options.verilog.cache = options.cache;
    for (const std::string& warning : options.cache.warnings)
        fmt::print(stderr, "smec: warning: {}\n", warning);
}

void CompileArguments::importVerilog() {
    CompileOptions& o = options;
    if (!std::ranges::any_of(o.files, isVerilogFile)) return;
    SourceManager sources;
    Diagnostics diagnostics(o.warnings);
    const std::optional<ImportedFile> imported = o.reader->import(o.verilog, sources, diagnostics);
    fmt::print(stderr, "{}", render(diagnostics, sources, o.rendering));
    if (!imported) throw Ended{exit_status::kSource};
    for (const std::string& name : warningNames())
        o.warnings.disabled.insert(name);  // what the Verilog does not use is its own affair
    o.files = {imported->path.string()};
    o.verilogRead = imported->inputs;
    o.top.clear();  // there is one in the file
}

void removeStages(CLI::App& app) {
    for (const char* name : {"--emit", "--no-build", "--MMD", "--MF"})
        app.remove_option(app.get_option(name));
    removeExplanation(app);
}

void removeExplanation(CLI::App& app) {
    for (const char* name : {"--explain", "--explain-json"})
        app.remove_option(app.get_option(name));
}

}  // namespace smec::driver
