#pragma once

#include <filesystem>
#include <string>

#include "source/output_file.h"

namespace smec::driver {

/// A folder for temporary files, gone with all in it at the end. Its path is
/// absolute and has letters, digits and `/._-` alone, so that it is one word to every program. Throws FileError.
class ScratchFolder {
public:
    explicit ScratchFolder(const std::string& name);
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    /// Into a folder, which is made, but onto none of `inputs`. Throws FileError.
    void copyTo(const std::filesystem::path& folder, const InputFiles& inputs) const;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace smec::driver
