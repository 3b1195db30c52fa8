#include "driver/system/scratch_folder.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "driver/system/files.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

/// A word for every program that is told of it.
bool isPlain(const std::string& path) {
    return std::ranges::all_of(path, [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/' || c == '.' || c == '_'
               || c == '-';
    });
}

}  // namespace

ScratchFolder::ScratchFolder(const std::string& name) {
    std::error_code error;
    fs::path parent = fs::temp_directory_path(error);
    if (error)
        throw FileError{fmt::format("no folder for temporary files: TMPDIR is '{}': {}",
                                    parent.string(), error.message())};
    if (!isPlain(parent.string())) parent = "/tmp";
    std::string pattern = (fs::absolute(parent) / (name + "-XXXXXX")).string();
    if (!mkdtemp(pattern.data()))
        throw FileError{
            fmt::format("cannot create folder '{}': {}", pattern, std::strerror(errno))};
    path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
}

void ScratchFolder::copyTo(const fs::path& folder, const InputFiles& inputs) const {
    makeDirectories(folder);
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path_)) {
        const fs::path target = folder / entry.path().lexically_relative(path_);
        if (entry.is_directory())
            makeDirectories(target);
        else if (entry.is_regular_file())
            copyOutput(entry.path(), target, inputs);
    }
}

}  // namespace smec::driver
