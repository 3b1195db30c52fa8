#include "driver/compile/build.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "driver/compile/build_failure.h"
#include "driver/system/activity.h"
#include "driver/system/files.h"
#include "driver/system/guarded_process.h"
#include "source/one_line.h"

namespace smec::driver {
namespace {

/// Ninja has no way to write one.
void refuseLineEnds(const std::string& word) {
    if (word.find_first_of("\n\r") == std::string::npos) return;
    throw FileError{fmt::format("'{}' has a line end, with which Ninja cannot be told of it", word),
                    true};
}

/// As one word of a POSIX shell (Ninja runs commands through sh), with Ninja's own `$` doubled.
std::string shellWord(const std::string& word) {
    refuseLineEnds(word);
    std::string quoted = "'";
    for (const char c : word) {
        if (c == '\'') {
            quoted += "'\\''";
        } else if (c == '$') {
            quoted += "$$";
        } else {
            quoted += c;
        }
    }
    return quoted + "'";
}

std::string findFirst(std::initializer_list<const char*> names) {
    for (const char* name : names) {
        if (std::string path = findProgram(name); !path.empty()) return path;
    }
    return {};
}

std::string fileIdentity(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return path;
    return fmt::format("{}:{}:{}.{}", path, status.st_size, status.st_mtim.tv_sec,
                       status.st_mtim.tv_nsec);
}

/// Those that the compiler takes, each with a blank in front.
std::string taken(const Toolchain& toolchain, std::initializer_list<const char*> flags) {
    std::string text;
    for (const char* flag : flags)
        if (toolchain.facts.takes(flag)) text += std::string(" ") + flag;
    return text;
}

std::string compilerCommand(const Toolchain& toolchain) {
    const std::string& subcommand = toolchain.facts.subcommand;
    return shellWord(toolchain.cxx) + (subcommand.empty() ? "" : " " + subcommand);
}

std::string compileFlags(const Toolchain& toolchain, const Installation& installation,
                         const CompileOptions& options) {
    const bool clang = toolchain.facts.isClang;
    // Simulators follow IEEE 754 exactly (no contraction) and wrap where the language says so; the
    // generator writes the wraps. g++ 12 takes 0.0 - x for -x where x comes from an integer, unless
    // it must not rely on a rounding mode.
    std::string flags =
        fmt::format("-std=c++20 -O{} -ffp-contract=off -fno-math-errno -fno-trapping-math "
                    "-fPIC -I.",
                    options.optimisation);
    for (const std::filesystem::path& folder : installation.includes)
        flags += " -I" + shellWord(folder.string());
    if (!clang) flags += taken(toolchain, {"-frounding-math"});
    if (options.march != "generic") flags += " -march=" + shellWord(options.march);
    if (!options.simd) {
        flags += clang ? taken(toolchain, {"-fno-vectorize", "-fno-slp-vectorize"})
                       : taken(toolchain, {"-fno-tree-vectorize"});
    } else if (options.optimisation >= '2' && !clang) {
        flags += taken(toolchain, {"-ftree-vectorize", "-fvect-cost-model=dynamic"});
    }
    if (!installation.cxxFlags.empty()) flags += " " + installation.cxxFlags;
    for (const std::string& flag : options.cxxFlags)
        flags += " " + shellWord(flag);
    // for Ninja and ccache, to whom "native" is one word on all machines
    if (!toolchain.processor.empty()) flags += " -DSME_PROCESSOR=" + toolchain.processor;
    return flags;
}

/// What generated code needs none of, but foreign.cpp, which holds C++ of the user.
constexpr const char* kGeneratedFlags = " -fno-exceptions -fno-rtti -w";
/// Nor is straight-line code gathered into vectors: its values come from everywhere, one by one,
/// and what is stored as a vector is read apart again. ns a cycle of cores from Verilog, with and
/// without: lm32 292, 265; mor1kx 491, 430; picorv32 89, 65; vexriscv 241, 223; serv 91, 93.
constexpr const char* kNoSmallVectors = "-fno-tree-slp-vectorize";
constexpr const char* kNoSmallVectorsClang = "-fno-slp-vectorize";

/// What takes g++ long in long code and finds next to nothing there, after smec's own passes: Rocket
/// 18.6 s with it, 13.6 without; 200,000 cycles 0.455 s and 0.462. Without -fgcse it were 0.49.
constexpr std::initializer_list<const char*> kNoLongSearches = {
    "-fno-thread-jumps", "-fno-tree-vectorize", "-fno-tree-dominator-opts"};

/// What paths have in common is not computed ahead of them in long code (kLongStraight says what that gains).
constexpr const char* kNoEarlyValues = "-fno-tree-pre";

/// Of straight-line code.
std::string straightFlags(const Toolchain& toolchain, codegen::cpp::CodeShape shape) {
    using enum codegen::cpp::CodeShape;
    if (toolchain.facts.isClang) return taken(toolchain, {kNoSmallVectorsClang});
    std::string flags = taken(toolchain, {kNoSmallVectors});
    if (shape != Straight) flags += taken(toolchain, {kNoEarlyValues});
    if (shape == CutStraight) flags += taken(toolchain, kNoLongSearches);
    return flags;
}

std::string foreignFlags(const CompileOptions& options) {
    std::string flags;
    for (const std::string& folder : options.includeDirs) {
        std::error_code error;
        flags += " -I" + shellWord(std::filesystem::absolute(folder, error).string());
    }
    return flags;
}

/// g++ lets all libraries of a process share what is in one of them by rights, such as a variable of
/// an inline function: of designs that bring two headers of one name, one would have the other's.
std::string uniqueFlags(const Toolchain& toolchain) {
    return toolchain.facts.isClang ? "" : taken(toolchain, {"-fno-gnu-unique"});
}

/// As a path of a build.ninja, where `bar` is a `|`, which has no other way to be written.
std::string ninjaPath(const std::string& path) {
    refuseLineEnds(path);
    std::string result;
    for (const char c : path) {
        if (c == '|') {
            result += "${bar}";
            continue;
        }
        if (c == ' ' || c == ':' || c == '$') result += '$';
        result += c;
    }
    return result;
}

/// The words of --link. Objects and libraries among them become absolute paths, since Ninja runs in
/// the build folder, and what is linked follows them.
struct LinkWords {
    std::string flags;
    std::string files;  ///< as in a build.ninja
};

LinkWords linkWords(const CompileOptions& options) {
    LinkWords result;
    std::error_code error;
    for (const std::string& word : options.links) {
        const std::filesystem::path path = std::filesystem::absolute(word, error);
        const bool isFile = std::filesystem::is_regular_file(path, error);
        result.flags += " " + shellWord(isFile ? path.string() : word);
        if (isFile) result.files += " " + ninjaPath(path.string());
    }
    return result;
}

/// Where simulators look for the libraries that tie them to an MPI. They may come later.
std::string mpiFolder(const Installation& installation) {
    return shellWord("-Wl,-rpath," + installation.sharedRuntime.parent_path().string());
}

std::string linkerFlags(const Toolchain& toolchain, const Installation& installation) {
    std::string flags;
    const std::string linker = "-fuse-ld=" + toolchain.linker;
    if (!toolchain.linker.empty() && toolchain.facts.takes(linker)) flags += " " + linker;
    if (!installation.cxxFlags.empty()) flags += " " + installation.cxxFlags;
    return flags;
}

/// What is linked.
const std::filesystem::path& runtimeOf(const Installation& installation, bool isApart) {
    const bool isShared = isApart || installation.runtimeLibrary.empty();
    return isShared ? installation.sharedRuntime : installation.runtimeLibrary;
}

std::string linkFlags(const Toolchain& toolchain, const Installation& installation,
                      const CompileOptions& options) {
    std::string flags = linkerFlags(toolchain, installation);
    const bool isShared = installation.runtimeLibrary.empty();
    flags +=
        " " + shellWord(runtimeOf(installation, false).string()) + " " + mpiFolder(installation);
    return flags + linkWords(options).flags + (isShared ? "" : SMEC_LINK_WORDS) + " -pthread -lm";
}

/// What Zig links to code of a design. Its libraries it first builds: the C++ one for a minute, which
/// generated code needs nothing of, and another one, for half of that, which divides 128 bits.
std::string bareFlags(const codegen::cpp::SourceBundle& bundle) {
    const bool isWide = std::ranges::any_of(bundle.files, [](const auto& file) {
        return file.first.ends_with(".cpp") && file.second.find("128") != std::string::npos;
    });
    return isWide ? " -nodefaultlibs" : " -nostdlib";
}

/// Of code whose model is a file: the runtime is loaded with it, once for all designs of a process.
std::string linkFlagsApart(const codegen::cpp::SourceBundle& bundle, const Toolchain& toolchain,
                           const Installation& installation, const CompileOptions& options) {
    const bool isBare = !toolchain.facts.subcommand.empty() && options.links.empty()
                        && !bundle.files.contains(codegen::cpp::kForeignUnit);
    return linkerFlags(toolchain, installation) + " "
           + shellWord(installation.sharedRuntime.string()) + linkWords(options).flags
           + (isBare ? bareFlags(bundle) : " -lm");
}

constexpr std::string_view kLauncher = "launcher = ";  // a line of build.ninja

std::string ninjaHead(const Toolchain& toolchain, const Installation& installation,
                      const CompileOptions& options) {
    const std::string launcher = toolchain.ccache.empty() ? "" : shellWord(toolchain.ccache);
    return fmt::format(
        "ninja_required_version = 1.5\nbar = |\nflags = {}\nown = {}\n{}{}\n"
        "rule cxx\n  command = $launcher {} $flags $own -MMD -MF $out.d -c $in -o $out\n"
        "  depfile = $out.d\n  deps = gcc\n  description = C++ $in\n",
        compileFlags(toolchain, installation, options), kGeneratedFlags, kLauncher, launcher,
        compilerCommand(toolchain));
}

constexpr const char* kCompilingCxx = "smec: compiling C++";

std::string objectName(const std::string& source) { return source + ".o"; }

/// Of the Python package that an installation lies beside, or of the PATH.
std::string findZig() {
    const std::string zig = findInstallation().zig.string();
    return zig.empty() ? findProgram("zig") : zig;
}

}  // namespace

std::vector<std::string> compilerWords(const Toolchain& toolchain) {
    std::vector<std::string> words{toolchain.cxx};
    if (!toolchain.facts.subcommand.empty()) words.push_back(toolchain.facts.subcommand);
    return words;
}

ToolchainResult findToolchain(const CompileOptions& options) {
    ToolchainResult result;
    Toolchain& t = result.toolchain;
    const char* environment = std::getenv("CXX");
    const std::string wanted = !options.cxx.empty()          ? options.cxx
                               : environment && *environment ? environment
                                                             : findInstallation().cxx;
    t.cxx =
        wanted.empty() ? findFirst({"g++", "c++", "clang++", "clang++-16"}) : findProgram(wanted);
    if (t.cxx.empty() && wanted.empty()) t.cxx = findZig();
    if (t.cxx.empty()) {
        result.hasNoCompiler = wanted.empty();
        result.error = wanted.empty() ? "no C++ compiler found; install g++ or name one with --cxx"
                                      : fmt::format("C++ compiler '{}' not found", wanted);
        return result;
    }
    std::error_code error;  // Ninja runs it in the build folder
    t.cxx = std::filesystem::absolute(t.cxx, error).string();
    t.ninja = findFirst({"ninja", "ninja-build"});
    if (t.ninja.empty()) t.ninja = findInstallation().ninja.string();
    if (t.ninja.empty()) result.error = "'ninja' not found; install ninja-build";
    t.ccache = findFirst({"ccache"});
    t.linker = !findProgram("mold").empty() ? "mold" : !findProgram("ld.lld").empty() ? "lld" : "";
    t.identity = fileIdentity(t.cxx) + (t.linker.empty() ? "" : "," + t.linker);
    return result;
}

const char* builtName(const CompileOptions& options, bool isApart) {
    if (isApart) return kCodeLibrary;
    return options.library ? "library.so" : "simulator";
}

bool staysApart(const codegen::cpp::SourceBundle& bundle, const CompileOptions& options) {
    const bool isOwn = options.links.empty() && options.cxxFlags.empty()
                       && !bundle.files.contains(codegen::cpp::kForeignUnit);
    return options.loadable || (options.apart && isOwn);
}

std::string ninjaFile(const codegen::cpp::SourceBundle& bundle, const Toolchain& toolchain,
                      const Installation& installation, const CompileOptions& options) {
    const bool isApart = staysApart(bundle, options);
    std::string text = ninjaHead(toolchain, installation, options);
    const std::string form =
        options.library ? fmt::format(" -shared -Wl,--version-script={}", codegen::cpp::kExports)
        : isApart       ? " -shared -Wl,-Bsymbolic"
                        : "";
    text += fmt::format("rule link\n  command = {}{} $in -o $out{}\n  description = link $out\n",
                        compilerCommand(toolchain), form,
                        isApart ? linkFlagsApart(bundle, toolchain, installation, options)
                                : linkFlags(toolchain, installation, options));
    // No scan sees what it brings in, so that ccache would not know when to do it again.
    text += fmt::format("rule data\n  command = {} -c $in -o $out\n  description = data $in\n",
                        compilerCommand(toolchain));
    std::string objects;
    for (const std::string& source : bundle.translationUnits) {
        if (isApart && source == codegen::cpp::kModelUnit) continue;
        const std::string object = objectName(source);
        if (source.ends_with(".s")) {
            const std::string takenIn = source.substr(0, source.size() - 1) + "bin";
            text += fmt::format("build {}: data {}{}\n", object, source,
                                bundle.files.contains(takenIn) ? " | " + takenIn : "");
            objects += " " + object;
            continue;
        }
        text += fmt::format("build {}: cxx {}\n", object, source);
        if (source == codegen::cpp::kForeignUnit)
            text += fmt::format("  own = {}{}\n", foreignFlags(options),
                                isApart ? uniqueFlags(toolchain) : "");
        if (const auto shape = bundle.shapes.find(source); shape != bundle.shapes.end())
            text += fmt::format("  own ={}{}\n", kGeneratedFlags,
                                straightFlags(toolchain, shape->second));
        objects += " " + object;
    }
    const std::string beside = " | " + ninjaPath(runtimeOf(installation, isApart).string())
                               + linkWords(options).files
                               + (options.library ? std::string(" ") + codegen::cpp::kExports : "");
    text += fmt::format("build {0}: link{1}{2}\ndefault {0}\n", builtName(options, isApart),
                        objects, beside);
    return text;
}

std::string foreignNinjaFile(const Toolchain& toolchain, const Installation& installation,
                             const CompileOptions& options) {
    std::string text = ninjaHead(toolchain, installation, options);
    text += fmt::format("rule link\n  command = {} -shared $in -o $out{} -lm\n"
                        "  description = link $out\n",
                        compilerCommand(toolchain), linkWords(options).flags);
    const std::string object = objectName(codegen::cpp::kForeignUnit);
    text += fmt::format("build {}: cxx {}\n  own = {}\n", object, codegen::cpp::kForeignUnit,
                        foreignFlags(options));
    return text
           + fmt::format("build {0}: link {1} |{2}\ndefault {0}\n", kForeignLibrary, object,
                         linkWords(options).files);
}

std::optional<std::vector<std::string>> headersRead(const std::filesystem::path& buildDir,
                                                    const Toolchain& toolchain) {
    constexpr std::size_t kMost = std::size_t{1} << 24;
    const ProcessResult result = runProcessApart({toolchain.ninja, "-C", buildDir.string(), "-t",
                                                  "deps", objectName(codegen::cpp::kForeignUnit)},
                                                 kMost);
    if (!result.started || result.status != 0) return std::nullopt;
    // "foreign.cpp.o: #deps 2, deps mtime 17 (VALID)", and a line with blanks in front for each
    std::vector<std::string> files;
    std::istringstream lines(result.output);
    bool isKnown = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("    "))
            files.push_back((buildDir / line.substr(4)).lexically_normal().string());
        else if (line.ends_with("(VALID)"))
            isKnown = true;
    }
    if (!isKnown) return std::nullopt;
    std::error_code error;
    for (std::string& file : files)
        file = std::filesystem::absolute(file, error).string();
    return files;
}

bool saysWhatItDoes(const CompileOptions& options) {
    return !options.quiet && !options.verbose && isatty(2) != 0;
}

std::string ninjaProgress(const std::string& line, double seconds) {
    unsigned done = 0, all = 0;
    if (std::sscanf(line.c_str(), "[%u/%u]", &done, &all) != 2 || done == 0) return kCompilingCxx;
    std::string text = fmt::format("{}, {} of {} steps", kCompilingCxx, done, all);
    const double left = seconds / done * (all - std::min(done, all));
    return done < 2 ? text : text + fmt::format(", about {:.0f} s left", left);
}

namespace {

/// The first line in which ccache tells why it could not do its part; empty: there is none.
std::string complaintOfCache(const std::string& output) {
    const std::size_t at = output.find("ccache: error: ");
    return at == std::string::npos ? "" : output.substr(at, output.find('\n', at) - at);
}

/// Takes ccache out of build.ninja; whether it was there.
bool leaveOutCache(const std::filesystem::path& buildDir) {
    const std::filesystem::path file = buildDir / "build.ninja";
    std::string text = readFile(file).value_or("");
    const std::size_t at = text.find(fmt::format("\n{}", kLauncher));
    if (at == std::string::npos) return false;
    const std::size_t value = at + 1 + kLauncher.size();
    text.erase(value, text.find('\n', value) - value);
    return writeIfChanged(file, text);
}

}  // namespace

int runNinja(const std::filesystem::path& buildDir, const Toolchain& toolchain,
             const CompileOptions& options) {
    std::vector<std::string> command{toolchain.ninja, "-C", buildDir.string()};
    if (options.jobs != 0) command.push_back(fmt::format("-j{}", options.jobs));
    if (options.verbose) command.push_back("-v");
    setenv("NINJA_STATUS", "[%f/%t] ", 1);
    const InterruptScope interrupts;
    Activity activity(saysWhatItDoes(options));
    activity.say(kCompilingCxx);
    const auto start = std::chrono::steady_clock::now();
    const auto tell = [&](const std::string& line) {
        if (!line.starts_with('[')) return;
        if (options.verbose) return fmt::print(stderr, "{}\n", line);
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
        activity.say(ninjaProgress(line, spent.count()));
    };
    ProcessResult result = runGuarded({.words = command, .onLine = tell}, interrupts);
    // Its folder may not be there or be full, which is no reason to have no simulator.
    const std::string complaint = result.status != 0 ? complaintOfCache(result.output) : "";
    if (!complaint.empty() && interrupts.signal() == 0 && leaveOutCache(buildDir)) {
        activity.end();
        fmt::print(
            stderr,
            "smec: warning: the C++ compiler runs without ccache, which says '{}'; CCACHE_DIR "
            "in the environment names another folder for it\n",
            onOneLine(complaint));
        result = runGuarded({.words = command, .onLine = tell}, interrupts);
    }
    activity.end();
    if (interrupts.signal() != 0) throw Interrupted{interrupts.signal()};
    if (result.started && result.status == 0) return 0;
    return reportBuildFailure(result, buildDir, toolchain, options, interrupts);
}

}  // namespace smec::driver
