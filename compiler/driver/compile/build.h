#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "codegen/cpp/generate.h"
#include "driver/compile/cxx_facts.h"
#include "driver/compile/options.h"
#include "driver/system/installation.h"

namespace smec::driver {

/// The programs that turn generated C++ into a simulator.
struct Toolchain {
    std::string cxx;
    std::string ninja;
    std::string ccache;       ///< empty: not found
    std::string linker;       ///< mold or lld; empty: the compiler's default
    std::string identity;     ///< changes when a compiler is replaced
    CxxFacts facts{};         ///< askCompiler() gives them
    std::string processor{};  ///< changes with what code may use; processorFor() gives it
};

/// Finds the toolchain; an error text when a part is missing.
struct ToolchainResult {
    Toolchain toolchain;
    std::string error;
    bool hasNoCompiler = false;  ///< none was named, and there is none
};
/// The words that call the compiler.
std::vector<std::string> compilerWords(const Toolchain& toolchain);
ToolchainResult findToolchain(const CompileOptions& options);

/// The code of a design alone, for Installation::host.
inline constexpr const char* kCodeLibrary = "design.so";
/// What Ninja builds in the build folder: a simulator, a library, or, where `isApart`, its code.
const char* builtName(const CompileOptions& options, bool isApart);
/// Whether code and model of a design stay apart.
bool staysApart(const codegen::cpp::SourceBundle& bundle, const CompileOptions& options);

/// build.ninja for the files of a bundle: one object per unit, linked to what builtName() says.
std::string ninjaFile(const codegen::cpp::SourceBundle& bundle, const Toolchain& toolchain,
                      const Installation& installation, const CompileOptions& options);

/// What foreignNinjaFile builds.
inline constexpr const char* kForeignLibrary = "foreign.so";
/// build.ninja for foreign.cpp alone, as a library for the interpreter.
std::string foreignNinjaFile(const Toolchain& toolchain, const Installation& installation,
                             const CompileOptions& options);

/// The headers of the user that a built foreign.cpp took in, as Ninja noted them; nothing where it
/// does not tell.
std::optional<std::vector<std::string>> headersRead(const std::filesystem::path& buildDir,
                                                    const Toolchain& toolchain);

/// What a line of Ninja's, "[3/12] C++ x", means after so many seconds: "smec: compiling C++, 3 of
/// 12 steps, about 9 s left".
std::string ninjaProgress(const std::string& line, double seconds);

/// Whether there is somebody at a terminal who wants to know what takes so long.
bool saysWhatItDoes(const CompileOptions& options);

/// Runs Ninja in the build folder. On failure prints why and returns the exit status (3 or 70; 1
/// where it is about C++ of the user); 0 when all is built.
int runNinja(const std::filesystem::path& buildDir, const Toolchain& toolchain,
             const CompileOptions& options);

}  // namespace smec::driver
