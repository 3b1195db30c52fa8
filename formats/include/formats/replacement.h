#pragma once

#include <string>

#include "formats/file_lock.h"

namespace sme {

/// A file under construction, in the folder of the one whose place it takes at once. Until then it
/// has no name where the file system can do that, else one that begins with ".smec-": a program
/// that is killed leaves at most this, and the next one that writes the same file removes it. Names
/// do not depend on process ids, which containers use again. Not thread-safe; several for one file,
/// in threads or processes, do not disturb each other.
class Replacement {
public:
    /// `path` is behind links (a link would be replaced). Look at problem().
    explicit Replacement(std::string path);
    /// Removes what was not finished.
    ~Replacement();
    Replacement(const Replacement&) = delete;
    Replacement& operator=(const Replacement&) = delete;

    /// errno of why there is none, or 0.
    int problem() const { return problem_; }
    /// To write to; locked (formats/file_lock.h) until it is closed, where there are locks.
    int descriptor() const { return descriptor_.number(); }
    /// It becomes the file. errno, or 0; else the old file is there still.
    int finish();
    /// The same, and gives the descriptor away: the file stays locked.
    int finish(int& descriptor);

private:
    bool openNameless();
    void openNamed();
    int takeName();
    int becomeFile();

    const std::string path_;
    std::string name_;  ///< of what is under construction; empty: none
    Descriptor descriptor_;
    int problem_ = 0;
};

/// ".smec-", a number that the name of the file gives, and `ending`, in its folder.
std::string nameBeside(const std::string& path, const std::string& ending);

/// Removes what a program that is gone has left under a name: a regular file that nobody has locked.
/// Whether it did.
bool removeStale(const std::string& name);

}  // namespace sme
