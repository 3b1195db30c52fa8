#include "driver/cache/cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "driver/cache/layout.h"
#include "driver/cache/limit.h"
#include "driver/system/files.h"
#include "sme/whole_number.h"
#include "source/output_file.h"

namespace smec::driver {
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int kTries = 3;  // at making a folder that another process may take for one left behind

json asJson(const std::vector<CacheInput>& inputs) {
    json list = json::array();
    for (const CacheInput& input : inputs)
        list.push_back({input.path, input.hash});
    return list;
}

/// Throws where the note has another form, as a later version may write it.
CacheEntry entryOf(const fs::path& folder, const json& note) {
    CacheEntry entry{
        folder, {}, {}, note.at("about").dump(-1, ' ', false, json::error_handler_t::replace)};
    for (const json& file : note.at("files")) {
        const std::string name = file.at(0);
        if (name.empty() || name.find('/') != std::string::npos || name == "..")
            throw std::out_of_range("a name of a file");
        entry.files.push_back({name, sme::wholeNumber(file.at(1)), file.at(2)});
    }
    for (const json& input : note.at("inputs"))
        entry.inputs.push_back({input.at(0), input.at(1)});
    return entry;
}

/// The entry whose key a folder has by its name; else why not.
struct Read {
    std::optional<CacheEntry> entry;
    std::string why;
};

Read readEntry(const fs::path& folder, const std::string& key) {
    const std::optional<json> note = readNote(folder / kNote);
    if (!note) return {{}, "its note is not whole"};
    try {
        if (note->at("key") != key) return {{}, "it is another one's"};
        return {entryOf(folder, *note), {}};
    } catch (const std::exception&) {
        return {{}, "its note cannot be read"};
    }
}

std::string whyDamaged(const CacheEntry& entry) {
    for (const Made& made : entry.files)
        if (std::string why = whyNotAsMade(entry.folder, made); !why.empty()) return why;
    return {};
}

std::string whyUnfit(const CacheEntry& entry, const Cache::Fits& fits) {
    try {
        if (!fits || fits(entry)) return {};
    } catch (const json::exception&) {  // what it says has another form
    }
    return "its note does not say what it has to";
}

std::string keyOf(const std::string& name, const std::string& variant) {
    return name + "/" + variant;
}

/// Newest first.
std::vector<fs::path> variantsIn(const fs::path& folder) {
    std::vector<std::pair<std::int64_t, fs::path>> found;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        found.emplace_back(-lastUse(entry.path() / kNote), entry.path());
    std::ranges::sort(found);
    std::vector<fs::path> paths;
    for (auto& [use, path] : found)
        paths.push_back(std::move(path));
    return paths;
}

void throwAway(const CacheFolders& folders, const CacheFolder& place, const fs::path& folder,
               const std::string& why) {
    folders.note(fmt::format("'{}' is not used: {}; it is made anew", folder.string(), why));
    std::error_code error;
    if (place.isWritable) fs::remove_all(folder, error);
}

[[noreturn]] void fail(const char* what, const fs::path& path, int reason) {
    throw FileError{fmt::format("cannot {} '{}': {}", what, path.string(), std::strerror(reason))};
}

/// An entry that is being made, gone unless it is published. Its lock tells that somebody is there.
class Unfinished {
public:
    explicit Unfinished(const fs::path& root) {
        makeOwnFolder(root / kTemporaries);
        for (int left = kTries; lock_ < 0 && left > 0; --left) {
            std::string pattern = (root / kTemporaries / "XXXXXX").string();
            if (!mkdtemp(pattern.data())) fail("create folder", pattern, errno);
            path_ = pattern;
            lock_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
            if (lock_ >= 0 && flock(lock_, LOCK_EX | LOCK_NB) != 0) close(std::exchange(lock_, -1));
        }
        if (lock_ < 0) fail("lock", path_, errno);
        if (chmod(path_.c_str(), modeOfFolders()) != 0) fail("write", path_, errno);
    }
    ~Unfinished() {
        std::error_code error;
        if (!path_.empty()) fs::remove_all(path_, error);
        if (lock_ >= 0) close(lock_);
    }
    Unfinished(const Unfinished&) = delete;
    Unfinished& operator=(const Unfinished&) = delete;

    const fs::path& path() const { return path_; }

    void add(const NewFile& file) const {
        const fs::path target = path_ / file.name;
        if (file.from.empty()) return writeOutput(target, file.text, {});
        if (link(file.from.c_str(), target.c_str()) == 0) return;
        copyOutput(file.from, target, {});
    }

    /// False where there is one of that name.
    bool publish(const fs::path& as) {
        if (std::rename(path_.c_str(), as.c_str()) == 0) {
            path_.clear();
            return true;
        }
        if (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR) return false;
        fail("create", as, errno);
    }

private:
    fs::path path_;
    int lock_ = -1;
};

CacheEntry publish(const fs::path& root, const std::string& name,
                   const std::vector<CacheInput>& inputs, const json& about,
                   const std::vector<NewFile>& files) {
    const std::string variant =
        longHash(asJson(inputs).dump(-1, ' ', false, json::error_handler_t::replace));
    markFolder(root);
    removeLeftovers(root);
    Unfinished made(root);
    json list = json::array();
    for (const NewFile& file : files) {
        made.add(file);
        const std::optional<Made> what = describe(made.path(), file.name);
        if (!what) fail("read", made.path() / file.name, EIO);
        list.push_back({what->name, what->size, what->hash});
    }
    const json note = {{"key", keyOf(name, variant)},
                       {"files", list},
                       {"inputs", asJson(inputs)},
                       {"about", about}};
    writeOutput(made.path() / kNote, noteText(note), {});
    const fs::path group = root / kEntries / name;
    clearWayForFolder(root / kEntries);
    clearWayForFolder(group);
    makeOwnFolder(root / kEntries);
    makeOwnFolder(group);
    CacheEntry entry = entryOf(group / variant, note);
    std::error_code error;
    for (int left = kTries; !made.publish(entry.folder); --left) {
        if (left == 0) fail("replace", entry.folder, ENOTEMPTY);
        // somebody made it at the same time, or it is damaged
        const Read other = readEntry(entry.folder, keyOf(name, variant));
        if (other.entry && whyDamaged(*other.entry).empty()) return *other.entry;
        fs::remove_all(entry.folder, error);
    }
    return entry;
}

}  // namespace

bool CacheEntry::has(const std::string& name) const {
    return std::ranges::find(files, name, &Made::name) != files.end();
}

std::optional<CacheEntry> Cache::find(const std::string& kind, const std::string& request,
                                      const Fits& fits) const {
    const std::string name = kind + "-" + request;
    InputHashes hashes;
    for (const CacheFolder& place : folders_.all) {
        for (const fs::path& folder : variantsIn(place.path / kEntries / name)) {
            const Read read = readEntry(folder, keyOf(name, folder.filename().string()));
            if (read.entry && !hashes.areAs(read.entry->inputs)) continue;
            std::string why = read.entry ? whyDamaged(*read.entry) : read.why;
            if (why.empty()) why = whyUnfit(*read.entry, fits);
            if (!why.empty()) {
                throwAway(folders_, place, folder, why);
                continue;
            }
            noteUse(folder / kNote);
            return read.entry;
        }
    }
    return std::nullopt;
}

std::optional<CacheEntry> Cache::keep(const std::string& kind, const std::string& request,
                                      const std::vector<CacheInput>& inputs, const json& about,
                                      const std::vector<NewFile>& files) const {
    const fs::path& root = folders_.written();
    try {
        CacheEntry entry = publish(root, kind + "-" + request, inputs, about, files);
        keepWithinLimit(root, folders_);
        return entry;
    } catch (const FileError& error) {
        fmt::print(stderr, "smec: warning: {}; going on without the cache\n", error.message);
        return std::nullopt;
    }
}

bool putInPlace(const CacheEntry& entry, const std::string& name, const fs::path& path) {
    const fs::path from = entry.path(name);
    struct stat source {
    }, target{};
    clearWay(path);
    if (stat(from.c_str(), &source) == 0 && lstat(path.c_str(), &target) == 0
        && source.st_dev == target.st_dev && source.st_ino == target.st_ino)
        return false;
    const fs::path temporary =
        path.parent_path() / fmt::format(".smec-{}-{}", getpid(), path.filename().string());
    unlink(temporary.c_str());
    if (link(from.c_str(), temporary.c_str()) != 0)
        copyOutput(from, path, {});
    else if (std::rename(temporary.c_str(), path.c_str()) != 0)
        fail("write", path, errno);
    return true;
}

bool InputHashes::areAs(const std::vector<CacheInput>& inputs) {
    for (const CacheInput& input : inputs) {
        std::error_code error;
        if (input.hash.empty()) {
            if (fs::is_regular_file(input.path, error)) return false;
            continue;
        }
        const auto [known, isNew] = known_.try_emplace(input.path);
        if (isNew) {
            const std::optional<std::string> content = readFile(input.path);
            if (content) known->second = contentHash(*content);
        }
        if (known->second != input.hash) return false;
    }
    return true;
}

}  // namespace smec::driver
