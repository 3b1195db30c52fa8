#include "formats/file_claim.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "formats/file_lock.h"
#include "formats/file_sink.h"
#include "formats/replacement.h"

namespace sme {
namespace {

void leave(int& descriptor) {
    if (descriptor < 0) return;
    unlockFile(descriptor);
    close(std::exchange(descriptor, -1));
}

/// Opens and locks what has this name; EAGAIN: it got another file meanwhile.
int openLocked(const std::string& name, int flags, int& descriptor) {
    descriptor =
        open(name.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | flags, 0666);
    if (descriptor < 0) return errno;
    const int why = lockFile(descriptor) == FileLock::Taken ? EBUSY
                    : isOpenedAt(descriptor, name.c_str())  ? 0
                                                            : EAGAIN;
    if (why != 0) close(std::exchange(descriptor, -1));
    return why;
}

/// The new name is on the disk, too, where the file system knows how.
void syncFolderOf(const std::string& path) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    const int opened = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC);
    if (opened < 0) return;
    fsync(opened);
    close(opened);
}

}  // namespace

FileClaim::~FileClaim() {
    leavePlace();
    leave(file_);
}

/// The file that is there, unless it is ours. ENOENT: there is none.
int FileClaim::takeFile() {
    if (file_ >= 0 && isOpenedAt(file_, path_.c_str())) return 0;
    int found = -1;
    int why = EAGAIN;
    while (why == EAGAIN)
        why = openLocked(path_, 0, found);
    if (why != 0) return why;
    leave(file_);
    file_ = found;
    return 0;
}

int FileClaim::takePlace() {
    const std::string name = nameBeside(path_, "claim");
    int why = EAGAIN;
    while (why == EAGAIN)
        why = openLocked(name, O_CREAT, place_);
    return why;
}

/// Its name goes while it is locked: who has opened it meanwhile sees that it is no longer the one.
void FileClaim::leavePlace() {
    if (place_ < 0) return;
    unlink(nameBeside(path_, "claim").c_str());
    leave(place_);
}

int FileClaim::take(const std::string& path) {
    path_ = path;
    int why = takeFile();
    if (why == ENOENT) {
        if (const int taken = takePlace()) return taken;
        why = takeFile();  // it may have come before the place was free
    }
    if (why == 0) leavePlace();
    return why == ENOENT ? 0 : why;
}

int FileClaim::replace(std::string_view text) {
    const int why = takeFile();
    const bool isThere = why == 0;
    if (why != 0 && why != ENOENT) return why;
    struct stat old {};
    if (isThere && fstat(file_, &old) != 0) return errno;
    Replacement made(path_);
    if (made.problem() != 0) return made.problem();
    if (const int problem = writeAll(made.descriptor(), text)) return problem;
    if (isThere && fchmod(made.descriptor(), old.st_mode & 07777) != 0) return errno;
    if (fsync(made.descriptor()) != 0) return errno;
    int own = -1;
    if (const int problem = made.finish(own)) return problem;
    leave(file_);
    file_ = own;
    leavePlace();
    syncFolderOf(path_);
    return 0;
}

}  // namespace sme
