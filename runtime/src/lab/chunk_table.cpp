#include "lab/chunk_table.h"

#include <algorithm>

#include "lab/chunks.h"

namespace sme {

void appendChunks(const LevelList& list, LevelList::Place from, LevelList::Place to,
                  const ChunkRule& rule, unsigned threads, ChunkTable& table) {
    const std::uint64_t first = list.stepsBefore(from);
    const std::uint64_t total = list.stepsBefore(to) - first;
    const auto put = [&](LevelList::Place end) {
        list.append(from, end, table.units);
        from = end;
        const auto after = static_cast<std::uint32_t>(table.units.size());
        if (after > table.starts.back()) table.starts.push_back(after);
    };
    std::uint64_t done = 0;
    for (const std::uint64_t size : chunkSizes(rule, total, threads)) {
        done += size;
        if (done >= total) break;
        const LevelList::Place end = list.nearestToSteps(first + done);
        const std::uint64_t before = list.stepsBefore(end);
        const bool isSmall = before < list.stepsBefore(from) + rule.smallest;
        if (!isSmall && before < first + total) put(end);
    }
    put(to);
}

ChunkTable cutIntoChunks(const LevelList& list, unsigned threads, const ChunkRule& rule) {
    ChunkTable table;
    appendChunks(list, list.begin(), list.end(), rule, threads, table);
    return table;
}

double staticShare(const Times& times) {
    double shortest = 0, longest = 0;
    for (const std::vector<Piece>& pieces : times) {
        for (const Piece& piece : pieces) {
            const double time = piece.cost / std::max(1u, piece.unit.end - piece.unit.begin);
            if (time <= 0) continue;
            shortest = shortest > 0 ? std::min(shortest, time) : time;
            longest = std::max(longest, time);
        }
    }
    return longest > 0 ? shortest / longest : 0;
}

}  // namespace sme
