#pragma once

#include <string>
#include <string_view>

namespace sme {

/// The right to write a file that a run replaces again and again, as long as it goes on: a checkpoint.
/// Whoever has it holds a lock (formats/file_lock.h) of the file that is there, and while there is
/// none of an empty one beside it. Where the file system has no locks, everybody has it.
class FileClaim {
public:
    FileClaim() = default;
    ~FileClaim();
    FileClaim(const FileClaim&) = delete;
    FileClaim& operator=(const FileClaim&) = delete;

    /// `path` is behind links, and is no pipe or device. errno, EBUSY where another run has it, or 0.
    int take(const std::string& path);
    /// Replaces the file at once, with its permissions if it is there, all of it on the disk. errno,
    /// EBUSY where another run has come to write it meanwhile, or 0.
    int replace(std::string_view text);

private:
    int takeFile();
    int takePlace();
    void leavePlace();

    std::string path_;
    int file_ = -1;   ///< what is there, locked
    int place_ = -1;  ///< the empty file beside it, locked
};

}  // namespace sme
