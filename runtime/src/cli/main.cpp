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

}  // namespace

int runCommand(const Model& model, const std::string& program,
               const std::vector<std::string>& arguments, TextSink& out, TextSink& err) {
    Options options;
    std::string error;
    if (!parseOptions(arguments, options, error)) {
        err.write(program + ": error: " + error + "\n");
        return 2;
    }
    if (options.help || options.version) {
        out.write(options.help ? helpText(program.c_str()) : versionText(model));
        out.flush();
        if (out.problem() == 0) return 0;
        if (out.problem() == EPIPE) return kNobodyReads;
        err.write(program + ": error: cannot write standard output: " + std::strerror(out.problem())
                  + "\n");
        return 3;
    }
    if (const char* why = whyNotRunnable(model)) {
        err.write(program + ": internal error: " + why + "; please report\n");
        return kInternalError;
    }
    return Cli(model, std::move(options), program, out, err).run();
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
