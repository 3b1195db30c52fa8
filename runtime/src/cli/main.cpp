#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <optional>
#include <system_error>

#include <sme/code.h>

#include "cli/cli.h"
#include "cli/exit_status.h"
#include "cli/host.h"
#include "cli/processor.h"
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

/// What is wrong with a command line, or nothing.
std::string problemOf(const std::vector<std::string>& arguments, const Launcher& launcher,
                      Options& options) {
    std::string problem;
    if (!parseOptions(arguments, options, problem)) return problem;
    if (launcher.size == 1 || options.ranks == 0 || options.help || options.version) return "";
    return "--ranks " + std::to_string(options.ranks) + " is for one process, but a launcher of "
           + launcher.name + " started " + std::to_string(launcher.size) + "; leave it out";
}

/// In one process or several.
int runOnRanks(const Model& model, const Options& options, const CommandLine& line,
               const Launcher& launcher, TextSink& out, TextSink& err) {
    if (launcher.size == 1 && options.reportRanks > 0) return reportRank(model, options, out);
    if (launcher.size > 1 || options.ranksByMpi)
        return runRankOfMpi(model, options, line, launcher, out, err);
    if (options.ranks > 1) return runRanksInProcess(model, options, line.program, out, err);
    return Cli(model, options, line.program, out, err).run();
}

/// Where a launcher has started several: once. Where they cannot meet, each knows no better than that
/// all were called alike.
int tellOnRanks(const Model& model, const Options& options, const CommandLine& line,
                const Launcher& launcher, TextSink& out, TextSink& err) {
    try {
        return runRankOfMpi(model, options, line, launcher, out, err);
    } catch (const NoMpi&) {
        return line.tells();
    }
}

/// A file that is opened must not become standard output because that was closed.
void openStandardStreams() {
    for (int stream = 0; stream <= STDERR_FILENO; ++stream)
        if (fcntl(stream, F_GETFD) < 0) open("/dev/null", O_RDWR);
}

/// Throws what is wrong before ranks know each other.
int runLaunched(const Model& model, CommandLine line, const Launcher& launcher, TextSink& out,
                TextSink& err) {
    Options options;
    line.problem = problemOf(line.arguments, launcher, options);
    if (!line.problem.empty()) {
        if (launcher.size == 1) wrongUsage(line.problem);
        // other ranks may have other arguments: the first one tells it
        return runRankOfMpi(model, {}, line, launcher, out, err);
    }
    if (options.help || options.version)
        line.tells = [&] { return tellAbout(model, options, line.program, out, err); };
    else if (options.list)
        line.tells = [&] { return Cli(model, options, line.program, out, err).run(); };
    if (line.tells && launcher.size == 1) return line.tells();
    if (line.tells) return tellOnRanks(model, options, line, launcher, out, err);
    if (const char* why = whyNotRunnable(model)) throw Error(ErrorKind::Internal, why);
    return runOnRanks(model, options, line, launcher, out, err);
}

/// Who speaks where ranks do not know each other yet.
std::string speaker(const Launcher& launcher) {
    return launcher.rank == 0 ? "" : "rank " + std::to_string(launcher.rank) + ": ";
}

}  // namespace

int runCommand(const Model& model, const std::string& program,
               const std::vector<std::string>& arguments, TextSink& out, TextSink& err) {
    if (const MissingFeature missing = missingFeature(model.processor); missing.length != 0) {
        err.write(program + ": error: " + kMissingStart + std::string(missing.name, missing.length)
                  + kMissingEnd + "\n");
        err.flush();
        return kFiles;
    }
    const Launcher launcher = findLauncher();
    const bool isFirst = launcher.rank == 0;
    NoSink nowhere;
    const auto complain = [&](const Error& problem) {
        const bool isInternal = problem.kind() == ErrorKind::Internal;
        err.write(program + (isInternal ? ": internal error: " : ": error: ") + speaker(launcher)
                  + problem.what() + (isInternal ? "; please report\n" : "\n"));
        err.flush();
        return isInternal ? kInternalError : 2;
    };
    try {
        return runLaunched(model, {program, arguments, "", {}}, launcher, isFirst ? out : nowhere,
                           isFirst ? err : nowhere);
    } catch (const NoMpi& problem) {
        const int status = complain(problem);
        endLaunched(status);
        return status;
    } catch (const Error& problem) {
        return complain(problem);
    }
}

namespace {

/// `model` may throw what is wrong with it.
template <typename ModelOf>
int runProgram(const char* name, int argc, char** argv, const ModelOf& model) {
    openStandardStreams();
    std::signal(SIGXFSZ,
                SIG_IGN);  // a file that grows beyond `ulimit -f` is one that cannot be written
    FileSink out(STDOUT_FILENO, isatty(STDOUT_FILENO) != 0);
    FileSink err(STDERR_FILENO);
    const std::string program = argc > 0 ? baseName(argv[0]) : name;
    try {
        return runCommand(model(), program, {argv + (argc > 0 ? 1 : 0), argv + argc}, out, err);
    } catch (const Error& problem) {  // before there is a model
        std::fprintf(stderr, "%s: error: %s\n", program.c_str(), problem.what());
        return 2;
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

}  // namespace

int run(const Model& model, int argc, char** argv) {
    return runProgram(model.name, argc, argv, [&]() -> const Model& { return model; });
}

int runFiles(int argc, char** argv) {
    if (argc < 3) {
        std::fprintf(stderr, "usage: %s DESIGN.so MODEL.bin [option...]\n",
                     argc > 0 ? argv[0] : "host");
        return 2;
    }
    std::vector<char*> words{argv[0]};
    words.insert(words.end(), argv + 3, argv + argc);
    const int count = static_cast<int>(words.size());
    words.push_back(nullptr);
    std::optional<HostedModel> hosted;
    return runProgram("host", count, words.data(),
                      [&]() -> const Model& { return hosted.emplace(argv[1], argv[2]).model(); });
}

int run(const Code& code, int argc, char** argv) {
    return runProgram(code.name, argc, argv, [&]() -> const Model& { return modelOf(code); });
}

}  // namespace sme
