#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

/// Files of the cache are read like files of a stranger: regular ones alone, through no link, never
/// longer than they say, and only with the hash that was noted.
namespace smec::driver {

/// XXH3 of 128 bits as 32 hex digits.
std::string longHash(std::string_view content);

/// What a file was when it was made.
struct Made {
    std::string name;  ///< in its folder
    std::uint64_t size = 0;
    std::string hash;  ///< longHash()
    bool operator==(const Made&) const = default;
};

/// A regular file as it is now; nothing where there is none, or it is a link. O(size), in little
/// memory.
std::optional<Made> describe(const std::filesystem::path& folder, const std::string& name);

/// Why a file is not what was noted, as "'x' has 0 bytes of 14"; empty: it is. Its bytes are read
/// only where the length is right.
std::string whyNotAsMade(const std::filesystem::path& folder, const Made& made);

/// All of a regular file that is no link; nothing where there is none.
std::optional<std::string> readPlain(const std::filesystem::path& path);

/// A JSON text behind a line with its hash; nothing where it is not whole.
std::optional<nlohmann::json> readNote(const std::filesystem::path& path);
std::string noteText(const nlohmann::json& content);

/// Removes what stands in the way of a file that smec is to write in a folder of its own: links,
/// folders, all but regular files. Links are not followed.
void clearWay(const std::filesystem::path& path);
/// The same for a folder.
void clearWayForFolder(const std::filesystem::path& path);

}  // namespace smec::driver
