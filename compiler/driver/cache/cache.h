#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "driver/cache/checked_file.h"
#include "driver/cache/folders.h"

namespace smec::driver {

/// A file that something was made of; an empty hash: it must not be there.
struct CacheInput {
    std::string path;
    std::string hash;  ///< contentHash()
    bool operator==(const CacheInput&) const = default;
};

/// What was made before and is still right: each file has the length and the hash that it had then.
struct CacheEntry {
    std::filesystem::path folder;
    std::vector<Made> files;
    std::vector<CacheInput> inputs;
    std::string about;  ///< what keep() was given, as JSON

    std::filesystem::path path(const std::string& name) const { return folder / name; }
    bool has(const std::string& name) const;
};

/// A file to keep: what lies at `from`, or, where that is empty, `text`.
struct NewFile {
    std::string name;
    std::filesystem::path from;
    std::string text;
};

/// What smec made and may need again, in the folders of CacheFolders:
///
///     entries/KIND-REQUEST/INPUTS/note.json     lengths and hashes of all beside it, its inputs
///                                /simulator …   and its own key; with a hash of itself
///     tmp/RANDOM/                               an entry that is being made, locked by who makes it
///
/// REQUEST is a hash of all that is known before anything is read: options, tools, names of files.
/// INPUTS is one of what the inputs held. An entry is made under another name and renamed, so that
/// whoever looks finds all of it or nothing, and it never changes. Nothing in it is believed: what
/// does not fit its note is thrown away, where the folder can be written, and not found. So nothing
/// need be on the disk before its name stands for it: after a power cut it does not fit.
///
/// All functions may run at once in any number of processes.
class Cache {
public:
    explicit Cache(const CacheFolders& folders) : folders_(folders) {}

    /// Whether an entry has the files and says in `about` what those who keep such entries give it.
    /// May throw what json throws.
    using Fits = std::function<bool(const CacheEntry&)>;

    /// An entry whose inputs hold what they held, and that fits; the newest one. Notes its use.
    std::optional<CacheEntry> find(const std::string& kind, const std::string& request,
                                   const Fits& fits = {}) const;

    /// Keeps files, which are linked where they lie on the same disk, and may be replaced but must
    /// not be changed from then on. Nothing, after a warning, where that is not possible: no space,
    /// no rights. Throws away what is used least where the cache grows too large.
    std::optional<CacheEntry> keep(const std::string& kind, const std::string& request,
                                   const std::vector<CacheInput>& inputs,
                                   const nlohmann::json& about,
                                   const std::vector<NewFile>& files) const;

private:
    const CacheFolders& folders_;
};

/// Puts a file of an entry at `path`, by a link where it can be, unless it is there: at once, and
/// whatever stood in its way. Returns whether it was put there now. Throws FileError.
bool putInPlace(const CacheEntry& entry, const std::string& name,
                const std::filesystem::path& path);

/// The inputs among `inputs` as they are now, by path: each file is read once.
class InputHashes {
public:
    bool areAs(const std::vector<CacheInput>& inputs);

private:
    std::map<std::string, std::string> known_;
};

}  // namespace smec::driver
