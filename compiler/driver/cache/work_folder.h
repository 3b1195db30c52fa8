#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace smec::driver {

/// A folder in which Ninja builds, or that holds what a name stands for, while it is ours alone:
/// others wait. The lock goes with the process, however that ends.
///
/// What Ninja left there, objects and its own notes, is compared with a record before Ninja sees it
/// again: after a power cut, or when something else wrote there, it is built anew.
class WorkFolder {
public:
    /// Makes and marks it. `isOwn`: it lies in the cache, and what is in the way goes; else it was
    /// named by the user. Throws FileError.
    WorkFolder(const std::filesystem::path& folder, bool isOwn);
    ~WorkFolder();
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;

    /// Removes those of `names`, which Ninja makes, that do not fit the record; the others are no
    /// longer linked to files of the cache.
    void removeDamaged(const std::vector<std::string>& names) const;
    /// Notes what they are now. Where that cannot be written nothing is believed.
    void record(const std::vector<std::string>& names) const;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
    int lock_ = -1;
};

/// The names that a work folder's record has: smec made them.
std::vector<std::string> recordedNames(const std::filesystem::path& folder);

}  // namespace smec::driver
