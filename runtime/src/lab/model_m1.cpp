// Model m1. Per level one table of chunks, cut once, and a counter of chunks taken: the next chunk
// costs one fetch_add.
//
// There are two counters a level, by parity of the cycle. Thread 0 resets those of cycle k + 1
// while it is in cycle k. Nobody else touches them then: their last use was in cycle k - 1, which
// every thread left through the barrier, and their next one comes after the barrier of cycle k,
// which makes the reset visible. A late thread can therefore never take a chunk of another cycle.
//
// pss cuts while it runs, because its sizes depend on how many threads are without work: its table
// holds the smallest legal pieces, and a thread takes several at once.

#include <algorithm>
#include <atomic>
#include <vector>

#include "lab/chunk_table.h"
#include "lab/chunks.h"
#include "lab/models.h"
#include "lab/target.h"
#include "values/parity.h"

namespace sme {
namespace {

struct alignas(64) Counter {
    std::atomic<std::uint32_t> taken{0};
    std::atomic<std::uint32_t> busy{0};  ///< pss: threads that run a chunk
};

/// The counters of all levels for cycles of either parity.
class Counters {
public:
    explicit Counters(std::uint32_t levels)
        : levels_(levels), counters_(std::make_unique<Counter[]>(std::size_t{2} * levels)) {}

    Counter& at(std::uint64_t cycle, std::size_t level) const {
        return counters_[parityOf(cycle) * levels_ + level];
    }
    void reset(std::uint64_t cycle) const {
        for (std::uint32_t level = 0; level < levels_; ++level) {
            // relaxed: the barrier at the end of this cycle publishes it, see above
            at(cycle, level).taken.store(0, std::memory_order_relaxed);
        }
    }

private:
    std::uint32_t levels_;
    std::unique_ptr<Counter[]> counters_;
};

class WorkList final : public Schedule {
public:
    WorkList(const ScheduleInput& input, const ChunkRule& rule) : counters_(input.model.levels) {
        for (std::uint32_t level = 0; level < input.model.levels; ++level) {
            const LevelList list(input.model, level, input.isApart);
            tables_.push_back(cutIntoChunks(list, input.crew.shares, rule));
        }
    }

    void beginCycle(std::uint64_t cycle) override { counters_.reset(cycle + 1); }

    void runLevel(Worker& worker, std::uint32_t level) override {
        const ChunkTable& table = tables_[level];
        const std::uint32_t chunks = table.chunks();
        std::atomic<std::uint32_t>& taken = counters_.at(worker.slots.cycle, level).taken;
        for (;;) {
            schedulingPoint(worker);
            // relaxed: only the number must be unique; the data of chunks is ordered by the
            // barriers around the level
            const std::uint32_t chunk = taken.fetch_add(1, std::memory_order_relaxed);
            if (chunk >= chunks) return;
            const Unit* units = table.units.data();
            runUnits(worker, units + table.starts[chunk], units + table.starts[chunk + 1]);
        }
    }

    std::vector<Unit> unitsOf(std::uint32_t level) const override { return tables_[level].units; }

private:
    std::vector<ChunkTable> tables_;  ///< read only after construction
    Counters counters_;
};

/// pss.
class Probabilistic final : public Schedule {
public:
    explicit Probabilistic(const ScheduleInput& input)
        : smallest_(input.scheduling.chunk.smallest),
          counters_(input.model.levels),
          idle_(std::make_unique<Idle[]>(input.crew.running)),
          running_(input.crew.running) {
        for (std::uint32_t level = 0; level < input.model.levels; ++level) {
            const LevelList list(input.model, level, input.isApart);
            Level& it = levels_.emplace_back();
            it.units = cutIntoPieces(list, ~std::uint64_t{0});
            it.stepsAt.push_back(0);
            for (const Unit& unit : it.units) {
                const std::uint64_t steps = std::max(1u, input.model.work[unit.work].steps);
                it.stepsAt.push_back(it.stepsAt.back() + steps * (unit.end - unit.begin));
            }
        }
        for (unsigned thread = 0; thread < running_; ++thread)
            idle_[thread].mean = running_;
    }

    void beginCycle(std::uint64_t cycle) override { counters_.reset(cycle + 1); }

    void runLevel(Worker& worker, std::uint32_t level) override {
        const Level& it = levels_[level];
        Counter& counter = counters_.at(worker.slots.cycle, level);
        // relaxed throughout, as in WorkList: numbers that must be unique, and a guess
        std::uint32_t from = counter.taken.load(std::memory_order_relaxed);
        while (from < it.units.size()) {
            schedulingPoint(worker);
            const std::uint32_t to = endOfChunk(it, from, idle(worker, counter));
            if (!counter.taken.compare_exchange_weak(from, to, std::memory_order_relaxed)) continue;
            counter.busy.fetch_add(1, std::memory_order_relaxed);
            runPieces(worker, it, from, to);
            counter.busy.fetch_sub(1, std::memory_order_relaxed);
            from = counter.taken.load(std::memory_order_relaxed);
        }
    }

    std::vector<Unit> unitsOf(std::uint32_t level) const override { return levels_[level].units; }

private:
    struct Level {
        std::vector<Unit> units;             ///< the smallest legal ones
        std::vector<std::uint64_t> stepsAt;  ///< process instances before each; one more at the end
    };
    struct alignas(64) Idle {
        double mean;
    };

    /// Threads without work: the mean of the last looks of this thread, itself included.
    double idle(const Worker& worker, const Counter& counter) const {
        const std::uint32_t busy =
            std::min(counter.busy.load(std::memory_order_relaxed), running_ - 1);
        double& mean = idle_[worker.thread].mean;
        mean += target::kNewestIdle * (running_ - busy - mean);
        return mean;
    }

    std::uint32_t endOfChunk(const Level& level, std::uint32_t from, double idle) const {
        const std::uint64_t left = level.stepsAt.back() - level.stepsAt[from];
        const std::uint64_t size = std::max(smallest_, probabilisticSize(left, idle));
        const auto end = std::lower_bound(level.stepsAt.begin() + from + 1, level.stepsAt.end() - 1,
                                          level.stepsAt[from] + size);
        return static_cast<std::uint32_t>(end - level.stepsAt.begin());
    }

    /// Neighbours of one work in one call.
    static void runPieces(Worker& worker, const Level& level, std::uint32_t from,
                          std::uint32_t to) {
        while (from < to) {
            Unit unit = level.units[from++];
            while (from < to && level.units[from].work == unit.work)
                unit.end = level.units[from++].end;
            runUnits(worker, &unit, &unit + 1);
        }
    }

    const std::uint64_t smallest_;
    std::vector<Level> levels_;  ///< read only after construction
    Counters counters_;
    std::unique_ptr<Idle[]> idle_;  ///< by thread, each its own
    const unsigned running_;
};

}  // namespace

std::unique_ptr<Schedule> makeWorkList(const ScheduleInput& input) {
    ChunkRule rule = input.scheduling.chunk;
    if (rule.scheme == ChunkScheme::Probabilistic) return std::make_unique<Probabilistic>(input);
    if (needsTimes(input.scheduling)) rule.parameter = staticShare(input.times);
    return std::make_unique<WorkList>(input, rule);
}

}  // namespace sme
