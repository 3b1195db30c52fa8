#include "formats/file_lock.h"

#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace sme {

void Descriptor::reset(int number) {
    const int why = errno;
    if (number_ >= 0) close(number_);
    number_ = number;
    errno = why;
}

FileLock lockFile(int descriptor) {
    while (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EINTR) continue;
        return errno == EWOULDBLOCK || errno == EACCES ? FileLock::Taken : FileLock::NotKnown;
    }
    return FileLock::Held;
}

void unlockFile(int descriptor) { flock(descriptor, LOCK_UN); }

bool isOpenedAt(int descriptor, const char* path) {
    struct stat open {
    }, named{};
    return fstat(descriptor, &open) == 0 && stat(path, &named) == 0 && open.st_dev == named.st_dev
           && open.st_ino == named.st_ino;
}

}  // namespace sme
