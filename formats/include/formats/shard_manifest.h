#pragma once

// What stands for a state that ranks keep in shards (shard_file.h), in the place of its file:
//
//   mark, version, hash of what follows, which is packed:
//   number of the checkpoint, traces as in checkpoint_file.h
//   the state without values: its head, what stands between them, and where objects belong
//   shards
//
// It is written last, so that it stands for whole shards always.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "formats/checkpoint_file.h"
#include "formats/shard_file.h"

namespace sme {

/// What stands in a state (sme/state_format.h) before values, and how many bytes of those follow.
struct StatePiece {
    std::vector<std::byte> text;
    std::uint64_t values = 0;
    bool operator==(const StatePiece&) const = default;
};

/// A state without its head, its values and its objects; those stand between the two parts.
struct StateSkeleton {
    std::vector<StatePiece> named;
    std::vector<StatePiece> hidden;
    bool operator==(const StateSkeleton&) const = default;
    std::uint64_t values() const;  ///< bytes
};

struct ShardManifest {
    std::uint64_t checkpoint = 0;  ///< its number, never 0
    std::vector<KeptTrace> traces;
    std::vector<std::byte> head;
    StateSkeleton skeleton;
    std::vector<ShardMark> shards;  ///< by rank
    bool operator==(const ShardManifest&) const = default;
};

/// Each of so many bytes of a state's values is in one shard; `all`: what the shards have. Throws
/// BadState, which tells the first byte that is in none or in several.
void checkCover(std::vector<ShardStretch> all, std::uint64_t values);

std::string toText(const ShardManifest& manifest);
/// Whether a regular file there is a manifest.
bool standsForShards(const std::string& path);
bool isManifest(std::span<const std::byte> bytes);
/// Throws BadState.
ShardManifest manifestOf(std::span<const std::byte> bytes);

/// The folder in which the shards of a state are that is read from `path`, behind links.
std::string folderOfShards(const std::string& path);

/// All of it as one process would have written it. Throws BadState and std::system_error, as
/// ShardReader does.
CheckpointFile assembled(const ShardManifest& manifest, const std::string& folder);

}  // namespace sme
