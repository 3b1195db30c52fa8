#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace smec::driver {

/// A failure of the file system: what was tried, and the system's reason. Ends with status 3.
struct FileError {
    std::string message;
};

std::optional<std::string> readFile(const std::filesystem::path& path);

/// Writes through a temporary file and rename, and only when the content differs. Throws FileError.
/// Returns whether the file changed.
bool writeIfChanged(const std::filesystem::path& path, std::string_view content);

/// Replaces the content of an existing file at once: whoever looks sees the old or the new text. A
/// symbolic link stays one, and the file keeps its permissions. Throws FileError.
void replaceFile(const std::filesystem::path& path, std::string_view content);

/// Copies a program through a temporary file and rename. Throws FileError.
void copyProgram(const std::filesystem::path& from, const std::filesystem::path& to);

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
