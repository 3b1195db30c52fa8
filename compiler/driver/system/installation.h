#pragma once

#include <filesystem>
#include <string>

namespace smec::driver {

/// Where the parts that a compilation needs lie. Found beside the executable: in the build tree by
/// `smec-paths.txt`, in an installation relative to bin/.
struct Installation {
    std::filesystem::path executable;
    std::filesystem::path include;         ///< holds sme/model.h
    std::filesystem::path runtimeLibrary;  ///< libsme_runtime.a
    std::filesystem::path standardLibrary;
    std::string
        cxxFlags;  ///< for compiling and linking simulators, as the runtime was built (sanitizers)
};

Installation findInstallation();

}  // namespace smec::driver
