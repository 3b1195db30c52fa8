#include "output/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "formats/file_lock.h"
#include "formats/replacement.h"

namespace sme {
namespace {

namespace fs = std::filesystem;

FileProblem cannotWrite(const std::string& path, const std::string& why) {
    return {3, "cannot write '" + path + "': " + why};
}

std::string realPath(const std::string& path) {
    std::error_code error;
    return fs::weakly_canonical(fs::absolute(behindLinks(path), error), error).string();
}

/// errno of why no file can be made there; 0: it can, as far as one can know.
int whyNotMade(const std::string& path) {
    const fs::path folder = fs::path(behindLinks(path)).parent_path();
    return access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) == 0 ? 0 : errno;
}

/// The new name is on the disk, too, where the file system knows how.
void syncFolder(const fs::path& folder) {
    const int opened = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC);
    if (opened < 0) return;
    fsync(opened);
    ::close(opened);
}

/// What a file has before its name stands for it.
int fill(int file, std::string_view text, const struct stat* old, Durability durability) {
    if (const int problem = writeAll(file, text)) return problem;
    if (old && fchmod(file, old->st_mode & 07777) != 0) return errno;
    return durability == Durability::Synced && fsync(file) != 0 ? errno : 0;
}

int replace(const fs::path& path, std::string_view text, const struct stat* old,
            Durability durability) {
    if (old && access(path.c_str(), W_OK) != 0) return errno;
    Replacement made(path.string());
    if (made.problem() != 0) return made.problem();
    if (const int problem = fill(made.descriptor(), text, old, durability)) return problem;
    const int problem = made.finish();
    if (problem == 0 && durability == Durability::Synced) syncFolder(path.parent_path());
    return problem;
}

constexpr const char* kItself = "/proc/self/exe";

}  // namespace

RunFiles::RunFiles() {
    addInput(kItself, kItself);
    addInput("-");
}

void RunFiles::addInput(const std::string& path) {
    addInput(path == "-" ? "/dev/stdin" : path, path == "-" ? "standard input" : path);
}

void RunFiles::addInput(const std::string& path, const std::string& name) {
    struct stat file {};
    const bool isThere = stat(path.c_str(), &file) == 0;
    if (isThere && (S_ISREG(file.st_mode) || S_ISFIFO(file.st_mode)))
        known_.push_back({realPath(path), name, true, file.st_dev, file.st_ino});
}

/// `output` as it would be known.
FileProblem RunFiles::whyKnown(const Known& output, const std::string& path) const {
    for (const Known& known : known_) {
        const bool isOne =
            known.inode != 0 && known.inode == output.inode && known.device == output.device;
        if (!isOne && known.path != output.path) continue;
        const std::string what = output.name + ": '" + path + "' is ";
        if (known.isInput && known.name == kItself) return {2, what + "the simulator itself"};
        if (known.isInput && known.name == "standard input") return {2, what + known.name};
        if (known.isInput)
            return {2, what + (known.name == path ? "an input" : "the input '" + known.name + "'")};
        const std::string both = output.name == known.name ? "two of " + output.name
                                                           : output.name + " and " + known.name;
        return {2, both + " name one file, '" + path + "'"};
    }
    return {};
}

FileProblem RunFiles::addOutput(const std::string& option, const std::string& path, Written how) {
    struct stat file {};
    const bool exists = stat(path.c_str(), &file) == 0;
    const int problem = exists ? 0 : errno == ENOENT ? whyNotMade(path) : errno;
    if (problem != 0) return cannotWrite(path, std::strerror(problem));
    if (exists && S_ISDIR(file.st_mode)) return cannotWrite(path, "it is a folder");
    if (exists && S_ISBLK(file.st_mode)) return cannotWrite(path, "it is a disk");
    if (exists && S_ISSOCK(file.st_mode)) return cannotWrite(path, "it is a socket");
    if (exists && !S_ISREG(file.st_mode) && !S_ISFIFO(file.st_mode)) return {};
    if (exists && S_ISREG(file.st_mode) && isOpenedAt(STDERR_FILENO, path.c_str())
        && (how == Written::AtOnce || !descriptorNamedBy(path)))
        return {2, option + ": '" + path + "' is standard error"};
    if (exists && S_ISREG(file.st_mode) && isOpenedAt(STDOUT_FILENO, path.c_str())
        && how == Written::AtOnce)
        return {2, option + ": '" + path + "' is standard output, which it would replace"};
    Known output{realPath(path), option, false, file.st_dev, file.st_ino};
    if (const FileProblem known = whyKnown(output, path)) return known;
    known_.push_back(std::move(output));
    return {};
}

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

int writeOutput(const std::string& path, std::string_view text, Durability durability) {
    struct stat file {};
    const bool exists = stat(path.c_str(), &file) == 0;
    if (exists ? S_ISREG(file.st_mode) : errno == ENOENT)
        return replace(behindLinks(path), text, exists ? &file : nullptr, durability);
    const std::unique_ptr<FileSink> stream = openToWrite(path);
    stream->write(text);
    stream->flush();
    return stream->problem();
}

}  // namespace sme
