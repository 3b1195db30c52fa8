#include "driver/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "driver/files.h"

namespace smec::driver {
namespace fs = std::filesystem;

ScratchFolder::ScratchFolder(const std::string& name) {
    fs::path parent = fs::temp_directory_path();
    if (parent.string().find_first_of(" \t") != std::string::npos) parent = "/tmp";
    std::string pattern = (parent / (name + "-XXXXXX")).string();
    if (!mkdtemp(pattern.data()))
        throw FileError{
            fmt::format("cannot create folder '{}': {}", pattern, std::strerror(errno))};
    path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
}

void ScratchFolder::copyTo(const fs::path& folder) const {
    std::error_code error;
    makeDirectories(folder);
    fs::copy(path_, folder, fs::copy_options::recursive | fs::copy_options::overwrite_existing,
             error);
    if (error)
        throw FileError{fmt::format("cannot write '{}': {}", folder.string(), error.message())};
}

}  // namespace smec::driver
