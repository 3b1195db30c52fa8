#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "driver/cache/folders.h"

namespace smec::driver {

/// What a place of the cache may take: some hundred simulators of cores with their objects.
inline constexpr std::uint64_t kDefaultLimit = std::uint64_t{2} << 30;

/// "500M", "2G", "100K" or bytes; "0": as much as it likes. Nothing where it is none of these.
std::optional<std::uint64_t> readSize(std::string_view text);

/// Throws away what was not used for longest, until the place takes no more than $SMEC_CACHE_SIZE
/// says. What was used within a minute, or is in use, stays.
void keepWithinLimit(const std::filesystem::path& root, const CacheFolders& folders);

struct Cleaned {
    std::uint64_t removed = 0;  ///< entries and build folders
    std::uint64_t bytes = 0;    ///< on the disk
    std::uint64_t inUse = 0;    ///< build folders that somebody holds; they stay
    std::uint64_t others = 0;   ///< files in them that are not smec's; they stay
};

/// Removes what smec made in a place of the cache, or in a build folder, and was not used for
/// `older` nanoseconds; and the folder with it where nothing else is left. Follows no links.
Cleaned cleanFolder(const std::filesystem::path& folder, std::int64_t older);

}  // namespace smec::driver
