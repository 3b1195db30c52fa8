#pragma once

// The part of a state that one rank keeps, in a file of its own:
//
//   mark, version, number of the checkpoint, rank
//   values in blocks, each packed where that is worth it
//   footer: where the values stand in the state, the blocks, objects of extern processes
//
// A manifest (shard_manifest.h) says how long a shard and its footer are. Whoever reads needs memory
// for a block and the footer.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "formats/file_sink.h"

namespace sme {

/// Values that follow one another, as bytes among those of the whole state.
struct ShardStretch {
    std::uint64_t first;
    std::uint64_t bytes;
    std::uint64_t end() const { return first + bytes; }
    bool operator==(const ShardStretch&) const = default;
};

/// Appends to the last one where it goes on there.
void append(std::vector<ShardStretch>& stretches, ShardStretch next);

/// What a manifest says about a shard.
struct ShardMark {
    std::string name;  ///< beside the manifest
    std::uint64_t bytes = 0;
    std::uint64_t footer = 0;  ///< bytes of it at the end
    std::uint64_t hash = 0;    ///< of the footer
    bool operator==(const ShardMark&) const = default;
};

/// A block of a shard.
struct ShardBlock {
    std::uint64_t at;     ///< in the file
    std::uint32_t bytes;  ///< there
    std::uint8_t isPacked;
    std::uint64_t hash;
};

/// `XXXXXXXXXXXXXXXX-RANK.shard` behind the name of the checkpoint's file and a point.
std::string shardName(const std::string& file, std::uint64_t checkpoint, unsigned rank);
/// Removes the shards of a checkpoint's file but those of `kept`; 0: all of them.
void removeShards(const std::string& file, std::uint64_t kept);

class ShardWriter {
public:
    /// Makes the file, which must not be there.
    ShardWriter(const std::string& path, std::uint64_t checkpoint, unsigned rank);

    /// The next values, in ascending order.
    void add(std::uint64_t first, std::span<const std::byte> bytes);
    /// Writes the footer, and has all of it on the disk.
    ShardMark finish(std::uint32_t objects, std::span<const std::byte> bytesOfObjects);
    /// errno of what went wrong, or 0.
    int problem() const { return sink_.problem(); }

private:
    void write(std::span<const std::byte> bytes);
    void endBlock();

    FileSink sink_;
    std::uint64_t written_ = 0;
    std::vector<std::byte> block_;
    std::vector<std::byte> room_;  ///< for a packed one
    std::vector<ShardStretch> stretches_;
    std::vector<ShardBlock> blocks_;
};

/// Throws BadState (sme/state_format.h) where the file is not there or not the one that the manifest
/// means, and std::system_error where it cannot be read.
class ShardReader {
public:
    ShardReader(const std::string& folder, const ShardMark& mark, std::uint64_t checkpoint,
                unsigned rank);
    ~ShardReader();
    ShardReader(const ShardReader&) = delete;
    ShardReader& operator=(const ShardReader&) = delete;

    /// Ascending, without overlaps.
    const std::vector<ShardStretch>& stretches() const { return stretches_; }
    /// Values from a place among those of the shard on. Cheap where places ascend.
    void read(std::uint64_t at, std::span<std::byte> to);
    std::uint32_t objects() const { return objects_; }
    std::span<const std::byte> bytesOfObjects() const { return bytesOfObjects_; }

    /// Where in the file a block starts that has the values from a place on, where a stretch of
    /// stretches() is noted, and where the bytes of the objects start: for complaints.
    std::uint64_t byteOfValues(std::uint64_t at) const;
    std::uint64_t byteOfStretch(std::size_t number) const;
    std::uint64_t byteOfObjects() const { return mark_.bytes - bytesOfObjects_.size(); }
    /// Throws BadState: "has a shard 'x' that `why` at byte N".
    [[noreturn]] void refuse(const std::string& why, std::uint64_t byte) const;

private:
    std::vector<std::byte> bytesAt(std::uint64_t at, std::size_t bytes) const;
    void readHead(std::uint64_t checkpoint, unsigned rank) const;
    void readFooter();
    void load(std::uint64_t block);
    [[noreturn]] void refuse(const std::string& why) const;

    const ShardMark mark_;
    int file_ = -1;
    std::vector<ShardStretch> stretches_;
    std::uint64_t values_ = 0;  ///< bytes of all
    std::vector<ShardBlock> blocks_;
    std::uint32_t objects_ = 0;
    std::vector<std::byte> bytesOfObjects_;
    std::uint64_t loaded_ = ~std::uint64_t{0};
    std::vector<std::byte> block_;
};

}  // namespace sme
