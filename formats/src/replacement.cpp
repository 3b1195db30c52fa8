// k.state of a run that is killed while it writes leaves nothing, or .smec-0b1c…-0 beside it. The next
// writer of k.state tries the same few names and removes those that no living writer has locked.

#include "formats/replacement.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <utility>

#include "formats/file_lock.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sme {
namespace {

constexpr unsigned kFoundNames =
    4;  // of one file: as many writers at a time have one that is found again
constexpr unsigned kChances = 8;  // after them
constexpr int kNew = O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC;
constexpr mode_t kMode = 0666;

std::string hexOf(std::uint64_t number) {
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016" PRIx64, number);
    return digits.data();
}

std::string folderOf(const std::string& path) {
    const std::size_t slash = path.find_last_of('/');
    return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

std::string nameByChance(const std::string& path) {
    std::uint64_t number = 0;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) < 0)
        number = reinterpret_cast<std::uintptr_t>(&number);  // addresses are chance, too
    return nameBeside(path, hexOf(number));
}

/// use(name) for one name after the other until it does not say that there is such a file. errno, or
/// 0.
template <typename Use>
int firstFree(const std::string& path, std::string& taken, const Use& use) {
    for (unsigned i = 0; i < kFoundNames + kChances; ++i) {
        std::string name =
            i < kFoundNames ? nameBeside(path, std::to_string(i)) : nameByChance(path);
        int problem = use(name);
        if (problem == EEXIST && removeStale(name)) problem = use(name);
        if (problem == EEXIST) continue;
        if (problem == 0) taken = std::move(name);
        return problem;
    }
    return EEXIST;
}

void removeStaleOnes(const std::string& path, const std::string& own) {
    for (unsigned i = 0; i < kFoundNames; ++i)
        if (const std::string name = nameBeside(path, std::to_string(i)); name != own)
            removeStale(name);
}

}  // namespace

std::string nameBeside(const std::string& path, const std::string& ending) {
    const std::string folder = folderOf(path);
    const std::uint64_t hash =
        XXH3_64bits(path.data() + folder.size(), path.size() - folder.size());
    return folder + ".smec-" + hexOf(hash) + "-" + ending;
}

bool removeStale(const std::string& name) {
    const int file = open(name.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
    if (file < 0) return false;
    struct stat status {};
    const bool isStale = fstat(file, &status) == 0 && S_ISREG(status.st_mode)
                         && lockFile(file) == FileLock::Held && isOpenedAt(file, name.c_str());
    const bool isRemoved = isStale && unlink(name.c_str()) == 0;
    close(file);
    return isRemoved;
}

Replacement::Replacement(std::string path) : path_(std::move(path)) {
    if (!openNameless()) openNamed();
    if (problem_ == 0) removeStaleOnes(path_, name_);
}

Replacement::~Replacement() {
    if (!name_.empty()) unlink(name_.c_str());
}

/// False where the file system, or the system without /proc, cannot do that.
bool Replacement::openNameless() {
    const std::string folder = folderOf(path_);
    descriptor_.reset(
        open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kMode));
    if (descriptor() < 0) return false;
    if (access(("/proc/self/fd/" + std::to_string(descriptor())).c_str(), F_OK) == 0) {
        lockFile(descriptor());  // before it has a name by which others could find it
        return true;
    }
    descriptor_.reset();
    return false;
}

void Replacement::openNamed() {
    problem_ = firstFree(path_, name_, [&](const std::string& name) {
        descriptor_.reset(open(name.c_str(), kNew, kMode));
        if (descriptor() < 0) return errno;
        // another one may have taken it for stale before it was locked
        if (lockFile(descriptor()) != FileLock::Taken && isOpenedAt(descriptor(), name.c_str()))
            return 0;
        descriptor_.reset();
        return EEXIST;
    });
}

/// rename() wants one; it has it for a moment.
int Replacement::takeName() {
    const std::string open = "/proc/self/fd/" + std::to_string(descriptor());
    return firstFree(path_, name_, [&](const std::string& name) {
        return linkat(AT_FDCWD, open.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0
                   ? 0
                   : errno;
    });
}

int Replacement::becomeFile() {
    // some file systems tell at the first close() only that the disk is full
    const int copy = fcntl(descriptor(), F_DUPFD_CLOEXEC, 3);
    if (copy < 0 || (close(copy) != 0 && errno != EINTR)) return errno;
    if (name_.empty())
        if (const int why = takeName()) return why;
    if (std::rename(name_.c_str(), path_.c_str()) != 0) return errno;
    name_.clear();
    return 0;
}

int Replacement::finish() { return becomeFile(); }

int Replacement::finish(int& descriptor) {
    const int why = becomeFile();
    if (why == 0) descriptor = descriptor_.release();
    return why;
}

}  // namespace sme
