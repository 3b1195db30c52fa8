#include "driver/cli/commands.h"

#include <cerrno>
#include <cstring>
#include <new>
#include <set>
#include <system_error>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

#include "driver/bench/bench_command.h"
#include "driver/cli/command_table.h"
#include "driver/cli/completion.h"
#include "driver/cli/explain.h"
#include "driver/cli/format_command.h"
#include "driver/cli/manual.h"
#include "driver/compile/cache.h"
#include "driver/compile/compile.h"
#include "driver/compile/foreign.h"
#include "driver/compile/run_options.h"
#include "driver/hardware/export_command.h"
#include "driver/system/exit_status.h"
#include "driver/system/files.h"
#include "driver/system/process.h"
#include "driver/verify/verify_command.h"
#include "interp/interpreter.h"
#include "lower/lower.h"
#include "source/internal_error.h"
#include "source/one_line.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

/// Leaves out what was shown before: files that are checked together may import the same ones.
void dropKnown(FrontEnd& front, std::set<std::string>& known, const CompileOptions& options) {
    Diagnostics fresh(options.warnings);
    for (const Diagnostic& found : front.diagnostics.all()) {
        const std::string path =
            found.range.valid() ? front.sources.path(found.range.file) : std::string();
        if (known.insert(fmt::format("{}:{}:{}", path, found.range.begin, found.message)).second)
            fresh.repeat(found);
    }
    front.diagnostics = std::move(fresh);
}

int check(const CompileOptions& options) {
    int status = exit_status::kGood;
    std::set<std::string> known;
    for (const std::string& file : options.files) {
        Stats stats;
        FrontEnd front(options.warnings);
        runFrontEnd(front, file, options, true, stats);
        if (front.diagnostics.hasErrors()) status = exit_status::kSource;
        dropKnown(front, known, options);
        printDiagnostics(front, options);
    }
    return status;
}

int interpret(const Invocation& invocation) {
    Stats stats;
    const CompileOptions& options = invocation.compile;
    FrontEnd front(options.warnings);
    runFrontEnd(front, options.files[0], options, false, stats);
    printDiagnostics(front, options);
    if (!front.design) return exit_status::kSource;
    const Stamp stamp = makeStamp(front.program, front.sources, *front.design, options);
    checkRunOutputs(invocation.runArguments, filesRead(stamp, options));
    std::vector<std::string> arguments = invocation.runArguments;
    if (options.unchecked) arguments.emplace_back("--unchecked");
    LoadedForeign foreign;
    if (const int status = foreign.load(front, options, findInstallation()); status != 0)
        return status;
    return interp::run(*front.design, front.sources, arguments, &foreign.code());
}

/// Becomes the simulator, so that its status, output and signals are those of `smec run`.
int becomeSimulator(const fs::path& simulator, const std::vector<std::string>& arguments) {
    std::vector<std::string> words{simulator.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    std::fflush(nullptr);
    execv(argv[0], argv.data());
    fmt::print(stderr, "smec: error: cannot start '{}': {}\n", simulator.string(),
               std::strerror(errno));
    return exit_status::kEnvironment;
}

int run(const Invocation& invocation) {
    if (invocation.interpret) return interpret(invocation);
    const CompileOptions& options = invocation.compile;
    const Compiled compiled = compile(options, findInstallation(), options.output);
    if (compiled.status != exit_status::kGood) return compiled.status;
    if (!options.emit.empty() || !options.build) return exit_status::kGood;
    checkRunOutputs(invocation.runArguments, compiled.inputs);
    return becomeSimulator(fs::absolute(buildFolder(options) / "simulator"),
                           invocation.runArguments);
}

int print(const std::string& text) {
    fmt::print("{}", text);
    return exit_status::kGood;
}

int dispatch(const Invocation& invocation) {
    switch (invocation.command) {
    case Command::Compile:
        return compile(invocation.compile, findInstallation(), outputName(invocation.compile))
            .status;
    case Command::Run: return run(invocation);
    case Command::Check: return check(invocation.compile);
    case Command::Bench: return bench(invocation);
    case Command::Export: return exportHardware(invocation);
    case Command::Verify: return verify(invocation);
    case Command::Format: return formatFiles(invocation);
    case Command::Explain: return explain(invocation.words);
    case Command::Completion: return print(completionScript(invocation.words[0], commandTable()));
    case Command::Manual: return print(manualPage(commandTable()));
    }
    return exit_status::kInternal;
}

}  // namespace

namespace {

/// Does not throw where standard error cannot be written either.
int fail(const std::string& message, int status) {
    std::fputs(("smec: " + onOneLine(message) + "\n").c_str(), stderr);
    return status;
}

int standardOutputFailed(int reason) {
    if (reason == EPIPE) return exit_status::kNobodyReads;
    return fail(fmt::format("error: cannot write standard output: {}", std::strerror(reason)),
                exit_status::kEnvironment);
}

/// fmt::print() throws where it cannot write; files and threads fail like that, too.
int systemFailed(const std::system_error& error) {
    if (std::ferror(stderr) != 0) return exit_status::kEnvironment;
    if (std::ferror(stdout) != 0) return standardOutputFailed(error.code().value());
    return fail(fmt::format("error: {}", error.what()), exit_status::kEnvironment);
}

int executeGuarded(const Invocation& invocation) {
    try {
        return dispatch(invocation);
    } catch (const FileError& error) {
        return fail("error: " + error.message,
                    error.isMisuse ? exit_status::kUsage : exit_status::kEnvironment);
    } catch (const Interrupted& interrupted) {
        return fail("interrupted", 128 + interrupted.signal);
    } catch (const InternalError& error) {
        return fail(fmt::format("internal error: {}; please report it", error.what()),
                    exit_status::kInternal);
    } catch (const std::bad_alloc&) {
        return fail("error: out of memory", exit_status::kLimit);
    } catch (const std::system_error& error) {
        return systemFailed(error);
    } catch (const std::exception& error) {
        return fail(fmt::format("internal error: {}; please report it", error.what()),
                    exit_status::kInternal);
    }
}

}  // namespace

int execute(const Invocation& invocation) {
    const int status = executeGuarded(invocation);
    const bool isKnown = std::ferror(stdout) != 0;  // and has been told
    if (std::fflush(stdout) == 0 || isKnown) return status;
    return standardOutputFailed(errno);
}

}  // namespace smec::driver
