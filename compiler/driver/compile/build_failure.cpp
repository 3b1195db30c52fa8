#include "driver/compile/build_failure.h"

#include <fstream>
#include <regex>
#include <sstream>

#include <fmt/format.h>

#include "driver/system/exit_status.h"
#include "driver/system/files.h"
#include "driver/system/guarded_process.h"

// Whose fault is it that the C++ compiler fails? It is asked to compile and link an empty program:
// bare, then with ccache, then with each thing that the user chose. What makes the difference is to
// blame. Only where all that works may the generated code be wrong.
//
//   g++ -c probe.cpp                    works
//   g++ -c probe.cpp -march=zzz         fails: --march zzz

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

/// FILE:LINE: error: what the compiler and the assembler say of code.
const std::regex& complaint() {
    static const std::regex pattern(R"((^|\n)([^\n:]+):(\d+)(:\d+)?: (fatal )?[Ee]rror)");
    return pattern;
}

/// The place in a .sme file that the first complaint of the C++ compiler is about: named by #line,
/// or by the last comment of a process in front of the line. Empty when there is none.
std::string sourcePlace(const std::string& output, const fs::path& buildDir) {
    static const std::regex process(R"(^\s*// ([^\n]+\.sme:\d+) )");
    std::smatch match;
    if (!std::regex_search(output, match, complaint())) return {};
    const std::string file = match[2].str();
    if (file.ends_with(".sme")) return file + ":" + match[3].str();
    std::ifstream code(buildDir / file);
    std::string line, place;
    for (long left = std::stol(match[3].str()); left > 0 && std::getline(code, line); --left) {
        if (std::regex_search(line, match, process)) place = match[1].str();
    }
    return place;
}

bool containsAny(const std::string& text, std::initializer_list<const char*> words) {
    for (const char* word : words)
        if (text.find(word) != std::string::npos) return true;
    return false;
}

/// The output of Ninja without its own lines and the commands.
std::string complaints(const std::string& output) {
    std::istringstream lines(output);
    std::string line, result;
    bool isCommand = false;
    while (std::getline(lines, line)) {
        const bool isNinja =
            line.starts_with('[') || line.starts_with("FAILED:") || line.starts_with("ninja:");
        if (!isNinja && !isCommand) result += line + "\n";
        isCommand = line.starts_with("FAILED:");
    }
    return result;
}

int blame(const std::string& message, int status) {
    fmt::print(stderr, "smec: error: {}\n", message);
    return status;
}

/// What a build depends on beside the generated code.
class Prober {
public:
    Prober(const fs::path& folder, const Toolchain& toolchain, const CompileOptions& options,
           const InterruptScope& interrupts)
        : folder_(folder), toolchain_(toolchain), options_(options), interrupts_(interrupts) {
        writeIfChanged(folder_ / "probe.cpp", "int main() {}\n");
    }
    ~Prober() {
        std::error_code error;
        for (const char* name : {"probe.cpp", "probe.o", "probe"})
            fs::remove(folder_ / name, error);
    }
    Prober(const Prober&) = delete;
    Prober& operator=(const Prober&) = delete;

    /// Says what does not work. 0: all of it does.
    int report() const {
        if (!compiles({}, {}))
            return blame(fmt::format("the C++ compiler '{}' does not work", toolchain_.cxx),
                         exit_status::kEnvironment);
        if (!toolchain_.ccache.empty() && !compiles({toolchain_.ccache}, {}))
            return blame(fmt::format("'{}' does not work; with CCACHE_DISABLE=1 in the environment "
                                     "it does nothing",
                                     toolchain_.ccache),
                         exit_status::kEnvironment);
        if (options_.march != "generic" && !compiles({}, {"-march=" + options_.march}))
            return blame(fmt::format("the C++ compiler does not take --march {}", options_.march),
                         exit_status::kUsage);
        if (!compiles({}, options_.cxxFlags))
            return blame(fmt::format("the C++ compiler does not take --cxxflag {}", firstBadFlag()),
                         exit_status::kUsage);
        if (!links({}))
            return blame(fmt::format("'{}' cannot link a program", toolchain_.cxx),
                         exit_status::kEnvironment);
        if (!options_.links.empty() && !links(options_.links))
            return blame(fmt::format("the linker does not take --link {}",
                                     fmt::join(options_.links, " --link ")),
                         exit_status::kUsage);
        return exit_status::kGood;
    }

private:
    bool works(std::vector<std::string> words) const {
        const ProcessResult result =
            runGuarded({.words = std::move(words), .folder = folder_}, interrupts_);
        if (interrupts_.signal() != 0) throw Interrupted{interrupts_.signal()};
        return result.started && result.status == 0;
    }

    bool compiles(std::vector<std::string> words, const std::vector<std::string>& flags) const {
        std::ranges::copy(compilerWords(toolchain_), std::back_inserter(words));
        words.insert(words.end(), flags.begin(), flags.end());
        words.insert(words.end(), {"-c", "probe.cpp", "-o", "probe.o"});
        return works(std::move(words));
    }

    bool links(const std::vector<std::string>& files) const {
        std::vector<std::string> words = compilerWords(toolchain_);
        words.insert(words.end(), {"probe.o", "-o", "probe"});
        const std::string linker = "-fuse-ld=" + toolchain_.linker;
        if (!toolchain_.linker.empty() && toolchain_.facts.takes(linker)) words.push_back(linker);
        for (const std::string& file : files) {
            std::error_code error;
            const bool isFile = fs::is_regular_file(file, error);
            words.push_back(isFile ? fs::absolute(file, error).string() : file);
        }
        return works(std::move(words));
    }

    /// Several may make sense together only.
    std::string firstBadFlag() const {
        for (const std::string& flag : options_.cxxFlags)
            if (!compiles({}, {flag})) return flag;
        return fmt::format("{}", fmt::join(options_.cxxFlags, " --cxxflag "));
    }

    const fs::path& folder_;
    const Toolchain& toolchain_;
    const CompileOptions& options_;
    const InterruptScope& interrupts_;
};

/// Whether the C++ that `extern` names is to blame, or missing; says so.
bool isForeignProblem(const std::string& output, const fs::path& buildDir) {
    const std::string unit = codegen::cpp::kForeignUnit;
    std::error_code error;
    if (output.find("FAILED: " + unit) != std::string::npos) {
        blame("C++ that 'extern' names does not compile, or is not as declared", 0);
        return true;
    }
    if (!containsAny(output, {"undefined"}) || !fs::exists(buildDir / unit, error)) return false;
    blame("C++ that 'extern' names cannot be linked; name its object file or library with --link",
          0);
    return true;
}

int reportOurFault(const std::string& output, const fs::path& buildDir) {
    const std::string place = sourcePlace(output, buildDir);
    fmt::print(stderr,
               "{}internal error: the generated C++ does not compile; please report it with the "
               "folder '{}'\n"
               "note: 'smec compile --no-build --build-dir DIR FILE' writes a folder that holds "
               "everything needed to reproduce it\n",
               place.empty() ? "smec: " : place + ": ", buildDir.string());
    return exit_status::kInternal;
}

}  // namespace

int reportBuildFailure(const ProcessResult& result, const fs::path& buildDir,
                       const Toolchain& toolchain, const CompileOptions& options,
                       const InterruptScope& interrupts) {
    const std::string& output = result.output;
    if (!result.started) return blame("cannot start ninja", exit_status::kEnvironment);
    if (result.overMemory)
        return blame(memoryMessage("the C++ compiler")
                         + "; -j1 and a smaller --partition-size need less",
                     exit_status::kLimit);
    const std::string words = complaints(output);
    // of Ninja, where nothing else was said: it cannot write its log, say
    fmt::print(stderr, "{}", words.empty() ? output : words);
    if (containsAny(output, {"No space left on device", "Disk quota exceeded", "File too large",
                             "Disk full?", "File size limit exceeded"}))
        return blame(fmt::format("no space left in '{}', or where TMPDIR is", buildDir.string()),
                     exit_status::kEnvironment);
    if (result.signal != 0 || containsAny(output, {"Killed", "out of memory"}))
        return blame("the C++ compiler was killed; it may have run out of memory (try -j1 or a "
                     "smaller --partition-size)",
                     exit_status::kEnvironment);
    if (containsAny(output, {"terminated with signal", "internal compiler error", "Bus error",
                             "Segmentation fault"}))
        return blame("the C++ compiler crashed; where a disk is full, linkers do so",
                     exit_status::kEnvironment);
    if (const int status = Prober(buildDir, toolchain, options, interrupts).report(); status != 0)
        return status;
    if (isForeignProblem(output, buildDir)) return exit_status::kSource;
    if (std::regex_search(output, complaint()) || containsAny(output, {"undefined"}))
        return reportOurFault(output, buildDir);
    return blame("the C++ compiler, the linker or ninja failed", exit_status::kEnvironment);
}

}  // namespace smec::driver
