#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "source/output_file.h"

namespace smec::driver {

/// What a regular file holds.
std::optional<std::string> readFile(const std::filesystem::path& path);

/// writeOutput(), but only when the content differs. Throws FileError. Returns whether the file
/// changed.
bool writeIfChanged(const std::filesystem::path& path, std::string_view content,
                    const InputFiles& inputs = {});

void makeDirectories(const std::filesystem::path& path);

/// XXH3 of the content as 16 hex digits.
std::string contentHash(std::string_view content);

/// Holds an exclusive lock on a file while it lives, so that two runs in one build folder take
/// turns. Throws FileError.
class FileLock {
public:
    explicit FileLock(const std::filesystem::path& path);
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

private:
    int fd_;
};

}  // namespace smec::driver
