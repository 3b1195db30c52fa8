#pragma once

// What a rank has of a state, which it writes as a shard, and what it takes of those of others.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/arena.h"
#include "engine/snapshot.h"
#include "engine/state_skeleton.h"

namespace sme {

/// Values of a state that lie at even distances in a plane.
struct StateStretch {
    std::uint64_t at;  ///< of the first byte, among those of all values of the state
    std::uint32_t plane;
    std::uint32_t type;  ///< of each
    std::uint64_t element;
    std::int64_t stride;
    std::uint64_t count;
    std::uint64_t offset;  ///< in the element
    std::uint32_t bytes;   ///< of each
    std::uint64_t end() const { return at + count * bytes; }
};

/// Where a rank has its part of the values of a state: what it writes, and what nobody writes.
class StatePart {
public:
    /// The model and the residence outlive it.
    StatePart(const Model& model, const Residence& residence, unsigned rank);

    const StateSkeleton& skeleton() const { return skeleton_; }
    /// Before `cycle`; what nobody writes only on rank 0. Throws Error where objects cannot be kept.
    ShardMark write(ShardWriter& shard, const Arena& arena, std::uint64_t cycle) const;
    /// Into both slots. Throws BadState and std::system_error, as ShardReader does. The skeleton is
    /// the manifest's.
    void read(const ShardManifest& manifest, const std::string& folder, Arena& arena) const;

private:
    void add(const NameRun& run, std::uint64_t at);
    void addPieces(const NameRun& run, std::uint64_t at);
    void addRun(const StateStretch& all);
    void writeStretch(ShardWriter& shard, const StateStretch& stretch,
                      const std::byte* plane) const;
    void readShard(ShardReader& shard, Arena& arena) const;
    void take(ShardReader& shard, std::uint64_t place, const StateStretch& stretch,
              ShardStretch both, Arena& arena) const;
    std::vector<Snapshot::Object> objects(const Arena& arena) const;
    void readObjectsOf(const ShardReader& shard, Arena& arena) const;
    bool isHere(std::uint32_t plane, std::uint64_t element) const;

    const Model& model_;
    const Residence& residence_;
    const unsigned rank_;
    StateSkeleton skeleton_;
    std::vector<StateStretch> stretches_;  ///< ascending
};

}  // namespace sme
