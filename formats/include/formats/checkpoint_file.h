#pragma once

// What --checkpoint writes and --resume reads, for simulators and the interpreter:
//
//   mark, version, hash of what follows, which is packed with lz4 in blocks where that is worth it:
//   traces: path, inode, length, hash of what it shows, hash of its last bytes, length?, state of its
//   writer
//   a state (sme/state_format.h), to the end

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "formats/kept_trace.h"

namespace sme {

/// Of all that stands in front of a state: of this file, and of what stands for shards.
inline constexpr std::uint32_t kCheckpointVersion = 3;

struct CheckpointFile {
    std::vector<KeptTrace> traces;
    std::vector<std::byte> state;
    bool operator==(const CheckpointFile&) const = default;
};

std::string toText(const CheckpointFile& file);

/// Throws BadState (sme/state_format.h) where the bytes are none, are damaged, or are of a version
/// that this program does not know.
CheckpointFile checkpointOf(std::span<const std::byte> bytes);

/// The bytes of a file of a state. Throws std::system_error where it cannot be read.
std::string textOfCheckpoint(const std::string& path);

/// Reads a file, with the shards that it stands for, if any. Throws BadState as above, and
/// std::system_error where something cannot be read.
CheckpointFile readCheckpoint(const std::string& path);

/// What was printed is on the disk before a state that is later, where it goes to a regular file.
void syncStandardOutput(int descriptor);

}  // namespace sme
