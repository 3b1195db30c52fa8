#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <system_error>

#include "cli/cli.h"
#include "cli/exit_status.h"
#include "cli/ranks.h"
#include "values/printf_text.h"

namespace sme {
namespace {

std::string baseName(const char* path) {
    const char* slash = std::strrchr(path, '/');
    return slash ? slash + 1 : path;
}

std::string versionText(const Model& model) {
    return std::string(model.name)
           + printfText(" (design %016" PRIx64 "), simulator made by ", model.hash) + model.compiler
           + printfText(", model version %u\n", static_cast<unsigned>(model.version));
}

int tellAbout(const Model& model, const Options& options, const std::string& program, TextSink& out,
              TextSink& err) {
    out.write(options.help ? helpText(program.c_str()) : versionText(model));
    out.flush();
    if (out.problem() == 0) return 0;
    if (out.problem() == EPIPE) return kNobodyReads;
    err.write(program + ": error: cannot write standard output: " + std::strerror(out.problem())
              + "\n");
    return kFiles;
}

/// In one process or several.
int runOnRanks(const Model& model, const std::string& program,
               const std::vector<std::string>& arguments, const Options& options,
               const Launcher& launcher, TextSink& out, TextSink& err) {
    const bool isOfSeveral = launcher.size > 1;
    if (isOfSeveral && options.ranks > 0)
        wrongUsage("--ranks " + std::to_string(options.ranks)
                   + " is for one process, but a launcher of " + launcher.name + " started "
                   + std::to_string(launcher.size) + "; leave it out");
    if (isOfSeveral || options.ranksByMpi)
        return runRankOfMpi(model, options, launcher, program, arguments, out, err);
    if (options.ranks > 1) return runRanksInProcess(model, options, program, out, err);
    return Cli(model, options, program, out, err).run();
}

int runLaunched(const Model& model, const std::string& program,
                const std::vector<std::string>& arguments, const Launcher& launcher, TextSink& out,
                TextSink& err) {
    Options options;
    std::string error;
    if (!parseOptions(arguments, options, error)) {
        err.write(program + ": error: " + error + "\n");
        return 2;
    }
    if (options.help || options.version) return tellAbout(model, options, program, out, err);
    if (const char* why = whyNotRunnable(model)) {
        err.write(program + ": internal error: " + why + "; please report\n");
        return kInternalError;
    }
    try {
        return runOnRanks(model, program, arguments, options, launcher, out, err);
    } catch (const Error& problem) {
        err.write(program + ": error: " + problem.what() + "\n");
        return 2;
    }
}

}  // namespace

int runCommand(const Model& model, const std::string& program,
               const std::vector<std::string>& arguments, TextSink& out, TextSink& err) {
    const Launcher launcher = findLauncher();
    if (launcher.rank == 0) return runLaunched(model, program, arguments, launcher, out, err);
    NoSink nowhere;
    return runLaunched(model, program, arguments, launcher, nowhere, nowhere);
}

int run(const Model& model, int argc, char** argv) {
    FileSink out(STDOUT_FILENO, isatty(STDOUT_FILENO) != 0);
    FileSink err(STDERR_FILENO);
    const std::string program = argc > 0 ? baseName(argv[0]) : model.name;
    try {
        return runCommand(model, program, {argv + (argc > 0 ? 1 : 0), argv + argc}, out, err);
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "%s: error: out of memory\n", program.c_str());
        return 4;
    } catch (const std::system_error& problem) {
        std::fprintf(stderr, "%s: error: cannot start a thread: %s\n", program.c_str(),
                     problem.what());
        return 4;
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "%s: internal error: %s; please report\n", program.c_str(),
                     problem.what());
        return kInternalError;
    }
}

}  // namespace sme
