#include "driver/cache/work_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "driver/cache/checked_file.h"
#include "driver/cache/folders.h"
#include "driver/cache/layout.h"
#include "sme/whole_number.h"
#include "source/output_file.h"

namespace smec::driver {
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::string_view kTemporary = ".smec-";  // how names begin that writeOutput() gives

[[noreturn]] void fail(const char* what, const fs::path& path) {
    throw FileError{fmt::format("cannot {} '{}': {}", what, path.string(), std::strerror(errno))};
}

/// Whether the locked file is still the one of that name, and not that of a folder that was removed
/// while we waited.
bool isStill(int file, const fs::path& path) {
    struct stat open {
    }, named{};
    return fstat(file, &open) == 0 && stat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev
           && open.st_ino == named.st_ino;
}

/// Left by a process that was killed: while the folder is ours nobody writes there.
void removeTemporaries(const fs::path& folder) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(kTemporary) && name != kFolderMark) fs::remove(entry.path(), error);
    }
}

/// A file that an entry of the cache holds, too, becomes one of its own: linkers write into what is
/// there (mold does). Its time stays, by which Ninja goes. Gone where that is not possible.
void separate(const fs::path& file) {
    struct stat status {};
    if (lstat(file.c_str(), &status) != 0 || status.st_nlink < 2) return;
    const std::optional<std::string> content = readPlain(file);
    std::error_code error;
    fs::remove(file, error);
    if (!content) return;
    try {
        writeOutput(file, *content, {});
    } catch (const FileError&) {
        return;
    }
    const timespec times[] = {status.st_atim, status.st_mtim};
    if (chmod(file.c_str(), status.st_mode & 07777) != 0
        || utimensat(AT_FDCWD, file.c_str(), times, AT_SYMLINK_NOFOLLOW) != 0)
        fs::remove(file, error);
}

std::map<std::string, Made> recordOf(const fs::path& folder) {
    std::map<std::string, Made> made;
    const std::optional<json> note = readNote(folder / kRecord);
    if (!note) return made;
    try {
        for (const auto& [name, file] : note->items())
            made[name] = {name, sme::wholeNumber(file.at(0)), file.at(1)};
    } catch (const json::exception&) {
        made.clear();
    }
    return made;
}

}  // namespace

WorkFolder::WorkFolder(const fs::path& folder, bool isOwn) : path_(folder) {
    while (true) {
        if (isOwn) clearWayForFolder(folder);
        markFolder(folder);
        clearWay(folder / kLock);
        lock_ = open((folder / kLock).c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0644);
        if (lock_ < 0 && errno == ENOENT) continue;  // somebody cleans
        if (lock_ < 0) fail("open", folder / kLock);
        while (flock(lock_, LOCK_EX) != 0) {
            if (errno == ENOLCK || errno == EOPNOTSUPP || errno == ENOSYS) break;  // cannot be had
            if (errno != EINTR) fail("lock", folder / kLock);
        }
        if (isStill(lock_, folder / kLock)) break;
        close(std::exchange(lock_, -1));
    }
    noteUse(folder / kLock);
    removeTemporaries(folder);
}

WorkFolder::~WorkFolder() {
    if (lock_ >= 0) close(lock_);
}

void WorkFolder::removeDamaged(const std::vector<std::string>& names) const {
    const std::map<std::string, Made> recorded = recordOf(path_);
    std::error_code error;
    for (const std::string& name : names) {
        const auto made = recorded.find(name);
        if (made == recorded.end() || !whyNotAsMade(path_, made->second).empty())
            fs::remove_all(path_ / name, error);
        else
            separate(path_ / name);
    }
}

void WorkFolder::record(const std::vector<std::string>& names) const {
    std::map<std::string, Made> recorded = recordOf(path_);
    for (const std::string& name : names) {
        if (std::optional<Made> made = describe(path_, name))
            recorded[name] = std::move(*made);
        else
            recorded.erase(name);
    }
    json note = json::object();
    for (const auto& [name, made] : recorded)
        note[name] = {made.size, made.hash};
    try {
        clearWay(path_ / kRecord);
        writeOutput(path_ / kRecord, noteText(note), {});
    } catch (const FileError&) {
        std::error_code error;
        fs::remove(path_ / kRecord, error);
    }
}

std::vector<std::string> recordedNames(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& [name, made] : recordOf(folder))
        names.push_back(name);
    return names;
}

}  // namespace smec::driver
