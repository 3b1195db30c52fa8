#pragma once

#include <cstdint>
#include <vector>

#include "schedule/chunk_rule.h"
#include "schedule/plan.h"
#include "schedule/schedule.h"

namespace sme {

/// A list cut into chunks: models m1 and m3. Chunk i is units [starts[i], starts[i + 1]).
struct ChunkTable {
    std::vector<Unit> units;
    std::vector<std::uint32_t> starts{0};
    std::uint32_t chunks() const { return static_cast<std::uint32_t>(starts.size()) - 1; }
};

/// Appends the chunks of the list between two places: sizes by `rule` for `threads` threads, each
/// end moved to the nearest legal place.
void appendChunks(const LevelList& list, LevelList::Place from, LevelList::Place to,
                  const ChunkRule& rule, unsigned threads, ChunkTable& table);
ChunkTable cutIntoChunks(const LevelList& list, unsigned threads, const ChunkRule& rule);

/// The share of pls that is dealt statically: the shortest by the longest time of an instance.
double staticShare(const Times& times);

}  // namespace sme
