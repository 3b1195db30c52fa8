#include "driver/cache/folders.h"

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "driver/cache/checked_file.h"
#include "driver/system/files.h"
#include "source/output_file.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

/// A disk with less left is full: a small simulator with its objects takes some 3 MB.
constexpr std::uint64_t kLeastSpace = std::uint64_t{16} << 20;

constexpr std::string_view kMarkText =
    "This folder is smec's: a cache, or what it built from. 'smec clean' empties it.\n";

constexpr mode_t kOthersWrite = S_IWGRP | S_IWOTH;

/// A folder where all may make files, but nobody touch those of others, as /tmp.
bool isForAll(const fs::path& folder) {
    struct stat status {};
    return stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode)
           && (status.st_mode & kOthersWrite) != 0 && (status.st_mode & S_ISVTX) != 0;
}

enum class Use { Write, Read, None };

struct Found {
    Use use = Use::None;
    std::string why;
};

/// The folder, or the nearest one above it that is there.
fs::path nearest(const fs::path& folder) {
    std::error_code error;
    fs::path at = fs::absolute(folder, error);
    while (!at.empty() && !fs::exists(at, error) && at != at.parent_path())
        at = at.parent_path();
    return at;
}

std::string whyNotWritable(const fs::path& folder) {
    const fs::path at = nearest(folder);
    if (access(at.c_str(), W_OK | X_OK) != 0) return std::strerror(errno);
    struct statvfs disk {};
    if (statvfs(at.c_str(), &disk) == 0 && disk.f_blocks > 0
        && std::uint64_t{disk.f_bavail} * disk.f_frsize < kLeastSpace)
        return std::strerror(ENOSPC);
    return {};
}

Found look(const fs::path& folder) {
    struct stat status {};
    if (stat(folder.c_str(), &status) != 0) {
        if (errno != ENOENT) return {Use::None, std::strerror(errno)};
        std::error_code error;
        if (fs::is_symlink(fs::symlink_status(folder, error)))
            return {Use::None, "it is a link that leads nowhere"};
        const std::string why = whyNotWritable(folder);
        return {why.empty() ? Use::Write : Use::None, why};
    }
    if (!S_ISDIR(status.st_mode)) return {Use::None, "it is no folder"};
    if (std::string why = whyNotTrusted(folder); !why.empty()) return {Use::None, why};
    const std::string why = whyNotWritable(folder);
    if (why.empty()) return {Use::Write, {}};
    return {access(folder.c_str(), R_OK | X_OK) == 0 ? Use::Read : Use::None, why};
}

const char* variable(const char* name) {
    const char* value = std::getenv(name);
    return value && *value ? value : nullptr;
}

/// ~/.cache/smec; empty where there is no home.
fs::path userFolder() {
    if (const char* cache = variable("XDG_CACHE_HOME"); cache && *cache == '/')
        return fs::path(cache) / "smec";
    const char* home = variable("HOME");
    return home && *home == '/' ? fs::path(home) / ".cache" / "smec" : fs::path();
}

class Search {
public:
    /// True: what is written has its place.
    bool take(fs::path folder, bool isNamed) {
        if (folder.empty()) return false;
        if (isForAll(folder)) folder /= fmt::format("smec-{}", geteuid());
        const Found found = look(folder);
        std::error_code error;
        const bool isThere = fs::exists(fs::symlink_status(folder, error));
        if (found.use != Use::None) result_.all.push_back({folder, found.use == Use::Write});
        if (found.use == Use::None && (isThere || isNamed))
            warn(folder, "is not used: ", found.why);
        else if (found.use == Use::Read && found.why == std::strerror(ENOSPC))
            warn(folder, "is only read: ", found.why);
        return found.use == Use::Write;
    }

    /// One that is this user's from run to run, else one of this run alone.
    void takeTemporary() {
        std::error_code error;
        fs::path parent = fs::temp_directory_path(error);
        if (error) parent = "/tmp";
        if (take(isForAll(parent) ? parent : parent / fmt::format("smec-{}", geteuid()), false))
            return;
        std::string pattern = (parent / "smec-cache-XXXXXX").string();
        if (mkdtemp(pattern.data())) {
            result_.all.push_back({pattern, true});
            return;
        }
        result_.all.push_back({".smec", true});  // which will say what is wrong
    }

    CacheFolders result() { return std::move(result_); }

private:
    void warn(const fs::path& folder, const char* what, const std::string& why) {
        result_.warnings.push_back(
            fmt::format("the cache folder '{}' {}{}", folder.string(), what, why));
    }

    CacheFolders result_{.all = {}, .warnings = {}};
};

}  // namespace

void CacheFolders::note(const std::string& text) const {
    if (tells) fmt::print(stderr, "smec: cache: {}\n", text);
}

std::string whyNotTrusted(const fs::path& folder) {
    struct stat status {};
    if (stat(folder.c_str(), &status) != 0) return std::strerror(errno);
    if (status.st_uid != geteuid() && status.st_uid != 0)
        return fmt::format("it belongs to another user (number {})", status.st_uid);
    if ((status.st_mode & kOthersWrite) != 0)
        return fmt::format("others may write it (mode {:o}); 'chmod go-w' makes it yours",
                           status.st_mode & 07777);
    return {};
}

CacheFolders findCacheFolders() {
    Search search;
    const char* named = variable("SMEC_CACHE");
    if (!(named && search.take(fs::path(named), true)) && !search.take(".smec", false)
        && !search.take(userFolder(), false))
        search.takeTemporary();
    return search.result();
}

CacheFolders cacheInside(const fs::path& folder, const CacheFolders& others) {
    CacheFolders result = others;
    result.all = {{folder, true}};
    return result;
}

unsigned modeOfFolders() {
    const mode_t mask = umask(S_IWGRP | S_IWOTH);
    umask(mask);
    return (mask & kOthersWrite) == kOthersWrite ? 0755 : 0700;
}

void makeOwnFolder(const fs::path& folder) {
    std::error_code error;
    if (fs::is_directory(folder, error)) return;
    if (folder.has_parent_path()) makeDirectories(folder.parent_path());
    if (mkdir(folder.c_str(), modeOfFolders()) != 0 && errno != EEXIST)
        throw FileError{
            fmt::format("cannot create folder '{}': {}", folder.string(), std::strerror(errno))};
}

void markFolder(const fs::path& folder) {
    makeOwnFolder(folder);
    if (isMarked(folder)) return;
    clearWay(folder / kFolderMark);
    writeOutput(folder / kFolderMark, kMarkText, {});
}

bool isMarked(const fs::path& folder) {
    return readPlain(folder / kFolderMark).value_or("") == kMarkText;
}

}  // namespace smec::driver
