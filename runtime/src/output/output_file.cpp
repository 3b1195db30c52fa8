#include "output/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace sme {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kMostLinks = 40;  // as in Linux

FileProblem cannotWrite(const std::string& path, const std::string& why) {
    return {3, "cannot write '" + path + "': " + why};
}

fs::path behindAllLinks(fs::path path) {
    std::error_code error;
    for (unsigned links = 0; links < kMostLinks; ++links) {
        if (!fs::is_symlink(fs::symlink_status(path, error))) break;
        path = path.parent_path() / fs::read_symlink(path, error);
    }
    return path;
}

std::string realPath(const std::string& path) {
    std::error_code error;
    return fs::weakly_canonical(fs::absolute(behindAllLinks(path), error), error).string();
}

/// errno of why no file can be made there; 0: it can, as far as one can know.
int whyNotMade(const std::string& path) {
    const fs::path folder = behindAllLinks(path).parent_path();
    return access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) == 0 ? 0 : errno;
}

/// The same file under two names is one that both can be found by.
bool isSameFile(const std::string& a, const std::string& b) {
    std::error_code error;
    return a == b || fs::equivalent(a, b, error);
}

/// The new name is on the disk, too, where the file system knows how.
void syncFolder(const fs::path& folder) {
    const int opened = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC);
    if (opened < 0) return;
    fsync(opened);
    ::close(opened);
}

/// Writes under another name in the same folder, which then becomes the file's.
int replace(const fs::path& path, std::string_view text, const struct stat* old,
            Durability durability) {
    if (old && access(path.c_str(), W_OK) != 0) return errno;
    const std::string temporary =
        (path.parent_path() / (".sme-" + std::to_string(getpid()))).string();
    const int file = open(temporary.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (file < 0) return errno;
    int problem = 0;
    {
        FileSink sink(file, FileSink::Owned{});
        sink.write(text);
        sink.flush();
        problem = sink.problem();
        if (problem == 0 && old && fchmod(file, old->st_mode & 07777) != 0) problem = errno;
        if (problem == 0 && durability == Durability::Synced && fsync(file) != 0) problem = errno;
    }
    if (problem == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) problem = errno;
    if (problem != 0) unlink(temporary.c_str());
    if (problem == 0 && durability == Durability::Synced) syncFolder(path.parent_path());
    return problem;
}

}  // namespace

void RunFiles::addInput(const std::string& path) {
    struct stat file {};
    if (stat(path.c_str(), &file) == 0 && S_ISREG(file.st_mode))
        known_.push_back({realPath(path), path, true});
}

FileProblem RunFiles::addOutput(const std::string& option, const std::string& path) {
    struct stat file {};
    const bool exists = stat(path.c_str(), &file) == 0;
    const int problem = exists ? 0 : errno == ENOENT ? whyNotMade(path) : errno;
    if (problem != 0) return cannotWrite(path, std::strerror(problem));
    if (exists && S_ISDIR(file.st_mode)) return cannotWrite(path, "it is a folder");
    if (exists && S_ISBLK(file.st_mode)) return cannotWrite(path, "it is a disk");
    if (exists && !S_ISREG(file.st_mode)) return {};
    const std::string real = realPath(path);
    for (const Known& known : known_) {
        if (!isSameFile(known.path, real)) continue;
        if (known.isInput) {
            const bool isIt = known.name == path;
            return {2, option + ": '" + path + "' is "
                           + (isIt ? "an input" : "the input '" + known.name + "'")};
        }
        const std::string both =
            option == known.name ? "two of " + option : option + " and " + known.name;
        return {2, both + " name one file, '" + path + "'"};
    }
    known_.push_back({real, option, false});
    return {};
}

std::string behindLinks(const std::string& path) { return behindAllLinks(path).string(); }

bool isStandardOutput(const std::string& path) {
    struct stat named {
    }, open{};
    return path == "-"
           || (stat(path.c_str(), &named) == 0 && fstat(STDOUT_FILENO, &open) == 0
               && named.st_dev == open.st_dev && named.st_ino == open.st_ino);
}

bool isStream(const std::string& path) {
    struct stat file {};
    return stat(path.c_str(), &file) == 0 && (S_ISFIFO(file.st_mode) || S_ISCHR(file.st_mode));
}

std::unique_ptr<FileSink> openOutput(const std::string& path, Opening opening) {
    const int empties = opening == Opening::Emptied ? O_CREAT | O_TRUNC : 0;
    const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC | empties, 0666);
    return std::make_unique<FileSink>(file, FileSink::Owned{});
}

int writeOutput(const std::string& path, std::string_view text, Durability durability) {
    struct stat file {};
    const bool exists = stat(path.c_str(), &file) == 0;
    if (exists ? S_ISREG(file.st_mode) : errno == ENOENT)
        return replace(behindAllLinks(path), text, exists ? &file : nullptr, durability);
    const std::unique_ptr<FileSink> stream = openOutput(path);
    stream->write(text);
    stream->flush();
    return stream->problem();
}

}  // namespace sme
