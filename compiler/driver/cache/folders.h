#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace smec::driver {

/// Stands in each folder that is smec's, so that `smec clean` and `--build-dir` can tell.
inline constexpr const char* kFolderMark = ".smec-folder";

/// A place of the cache. It need not be there yet.
struct CacheFolder {
    std::filesystem::path path;
    bool isWritable = false;
};

/// The places of the cache of a run, best first; only the last one is written.
struct CacheFolders {
    std::vector<CacheFolder> all{{".smec", true}};
    std::vector<std::string>
        warnings;        ///< why places are passed over that are there, or were named
    bool tells = false;  ///< says on standard error what it throws away (-v)

    const std::filesystem::path& written() const { return all.back().path; }
    void note(const std::string& text) const;
};

/// By the rule of docs/tools.md: $SMEC_CACHE, else `.smec`, else the user's cache folder, else one
/// for temporary files. Writes nothing.
CacheFolders findCacheFolders();

/// The same where a build folder was named: what belongs to it lies in it.
CacheFolders cacheInside(const std::filesystem::path& folder, const CacheFolders& others);

/// Why what lies in a folder may be somebody else's; empty: it is ours or root's, and nobody else
/// may write it.
std::string whyNotTrusted(const std::filesystem::path& folder);

/// Of a folder in which nobody else may write, nor a file of it: others may not even look inside
/// where files come into being with rights for them to write (umask).
unsigned modeOfFolders();
/// Makes such a folder where it is not there. Throws FileError.
void makeOwnFolder(const std::filesystem::path& folder);
/// The same, and marks it.
void markFolder(const std::filesystem::path& folder);
/// Whether the mark is there.
bool isMarked(const std::filesystem::path& folder);

}  // namespace smec::driver
