// Model m1. Per level one table of chunks, cut once, and a counter of chunks taken: the next chunk
// costs one fetch_add.
//
// There are two counters a level, by parity of the cycle. Thread 0 resets those of cycle k + 1
// while it is in cycle k. Nobody else touches them then: their last use was in cycle k - 1, which
// every thread left through the barrier, and their next one comes after the barrier of cycle k,
// which makes the reset visible. A late thread can therefore never take a chunk of another cycle.

#include <atomic>
#include <vector>

#include "schedule.h"

namespace sme {
namespace {

struct alignas(64) Counter {
    std::atomic<std::uint32_t> taken{0};
};

class WorkList final : public Schedule {
public:
    WorkList(const Model& model, unsigned threads, ChunkScheme scheme)
        : counters_(std::make_unique<Counter[]>(std::size_t{2} * model.levels)) {
        for (std::uint32_t level = 0; level < model.levels; ++level) {
            tables_.push_back(cutIntoChunks(LevelList(model, level), threads, scheme));
        }
    }

    void beginCycle(std::uint64_t cycle) override {
        for (std::size_t level = 0; level < tables_.size(); ++level) {
            // relaxed: the barrier at the end of this cycle publishes it, see above
            counter(cycle + 1, level).store(0, std::memory_order_relaxed);
        }
    }

    void runLevel(const Context& context, unsigned, std::uint32_t level) override {
        const ChunkTable& table = tables_[level];
        const std::uint32_t chunks = table.chunks();
        std::atomic<std::uint32_t>& taken = counter(context.cycle, level);
        for (;;) {
            // relaxed: only the number must be unique; the data of chunks is ordered by the
            // barriers around the level
            const std::uint32_t chunk = taken.fetch_add(1, std::memory_order_relaxed);
            if (chunk >= chunks) return;
            const Unit* units = table.units.data();
            runUnits(context, units + table.starts[chunk], units + table.starts[chunk + 1]);
        }
    }

private:
    std::atomic<std::uint32_t>& counter(std::uint64_t cycle, std::size_t level) {
        return counters_[(cycle & 1) * tables_.size() + level].taken;
    }

    std::vector<ChunkTable> tables_;  ///< read only after construction
    std::unique_ptr<Counter[]> counters_;
};

}  // namespace

std::unique_ptr<Schedule> makeWorkList(const Model& model, unsigned threads, ChunkScheme scheme) {
    return std::make_unique<WorkList>(model, threads, scheme);
}

}  // namespace sme
