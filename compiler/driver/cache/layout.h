#pragma once

#include <cstdint>
#include <filesystem>

namespace smec::driver {

inline constexpr const char* kEntries = "entries";
inline constexpr const char* kTemporaries = "tmp";
inline constexpr const char* kNote =
    "note.json";                               ///< of an entry; its time is that of the last use
inline constexpr const char* kLock = ".lock";  ///< of a build folder; so is its
inline constexpr const char* kRecord = "record.json";  ///< of a build folder

inline constexpr std::int64_t kSecond = 1'000'000'000;  // in nanoseconds

/// Nanoseconds since 1970.
std::int64_t timeNow();
/// The same at which a file was last written or noted as used; 0: it is not there.
std::int64_t lastUse(const std::filesystem::path& file);
/// Notes that it is used now, where it can be written.
void noteUse(const std::filesystem::path& file);

/// Removes what killed processes left unfinished in a place of the cache. What is being made is
/// locked, and stays.
void removeLeftovers(const std::filesystem::path& root);

}  // namespace smec::driver
