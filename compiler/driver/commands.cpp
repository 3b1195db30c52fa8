#include "driver/commands.h"

#include <cerrno>
#include <cstring>
#include <new>

#include <unistd.h>

#include <fmt/format.h>

#include "driver/bench_command.h"
#include "driver/cache.h"
#include "driver/command_table.h"
#include "driver/compile.h"
#include "driver/completion.h"
#include "driver/exit_status.h"
#include "driver/explain.h"
#include "driver/export_command.h"
#include "driver/files.h"
#include "driver/foreign.h"
#include "driver/format_command.h"
#include "driver/manual.h"
#include "driver/run_options.h"
#include "driver/verify_command.h"
#include "interp/interpreter.h"
#include "lower/lower.h"
#include "source/internal_error.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

int check(const CompileOptions& options) {
    int status = exit_status::kGood;
    for (const std::string& file : options.files) {
        Stats stats;
        FrontEnd front(options.warnings);
        runFrontEnd(front, file, options, true, stats);
        printDiagnostics(front, options);
        if (front.diagnostics.hasErrors()) status = exit_status::kSource;
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

int execute(const Invocation& invocation) {
    try {
        return dispatch(invocation);
    } catch (const FileError& error) {
        fmt::print(stderr, "smec: error: {}\n", error.message);
        return error.isMisuse ? exit_status::kUsage : exit_status::kEnvironment;
    } catch (const InternalError& error) {
        fmt::print(stderr, "smec: internal error: {}; please report it\n", error.what());
        return exit_status::kInternal;
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "smec: error: out of memory\n");
        return exit_status::kLimit;
    } catch (const std::exception& error) {
        fmt::print(stderr, "smec: internal error: {}; please report it\n", error.what());
        return exit_status::kInternal;
    }
}

}  // namespace smec::driver
