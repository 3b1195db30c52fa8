#include "driver/cache/layout.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>

#include "driver/cache/checked_file.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kFresh = 60 * kSecond;  // a use so old need not be noted again

std::int64_t nanoseconds(const timespec& time) {
    return std::int64_t{time.tv_sec} * kSecond + time.tv_nsec;
}

/// Whether nobody holds it; it is then held by who asks, until `lock` is closed.
bool isAbandoned(const fs::path& path, int& lock) {
    lock = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    return lock < 0 || flock(lock, LOCK_EX | LOCK_NB) == 0;
}

}  // namespace

std::int64_t timeNow() {
    timespec time{};
    clock_gettime(CLOCK_REALTIME, &time);
    return nanoseconds(time);
}

std::int64_t lastUse(const fs::path& file) {
    struct stat status {};
    return lstat(file.c_str(), &status) == 0 ? nanoseconds(status.st_mtim) : 0;
}

void noteUse(const fs::path& file) {
    if (timeNow() - lastUse(file) < kFresh) return;
    utimensat(AT_FDCWD, file.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
}

void removeLeftovers(const fs::path& root) {
    std::error_code error;
    const fs::path folder = root / kTemporaries;
    clearWayForFolder(folder);
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        int lock = -1;
        if (isAbandoned(entry.path(), lock)) fs::remove_all(entry.path(), error);
        if (lock >= 0) close(lock);
    }
}

}  // namespace smec::driver
