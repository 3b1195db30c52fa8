#pragma once

#include <cstdint>
#include <vector>

#include "schedule/chunk_rule.h"

namespace sme {

/// The sizes of successive chunks, in process instances, for a list of `total` and `threads` >= 1
/// threads. Each is at least 1, they sum to `total`. Pure. `pss` is given as if all threads were
/// idle; its real sizes depend on how many are (probabilisticSize).
std::vector<std::uint64_t> chunkSizes(const ChunkRule& rule, std::uint64_t total, unsigned threads);

/// The next chunk of `pss`: ceil(left / (1.5 idle)), `idle` > 0 being the mean number of threads
/// without work.
std::uint64_t probabilisticSize(std::uint64_t left, double idle);

}  // namespace sme
