#pragma once

// What --checkpoint writes and --resume reads, for simulators and the interpreter:
//
//   mark, version, hash of what follows, which is packed with lz4 in blocks where that is worth it:
//   outputs: path, device, inode, length
//   traces: output, hash of what it shows, hash of its last bytes, length?, state of its writer
//   a state (sme/state_format.h), to the end

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "formats/kept_trace.h"

namespace sme {

struct CheckpointFile {
    std::vector<WrittenOutput> outputs;
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

/// What standard output has got so far, all of it synced, where it is a regular file; nothing
/// where it is none.
std::vector<WrittenOutput> markStandardOutput(int descriptor);

/// Cuts standard output back to what it had when the state was kept, where it is the same file and
/// has as much; else nothing is done. errno of what went wrong, or 0.
int cutStandardOutput(int descriptor, const CheckpointFile& file);

}  // namespace sme
