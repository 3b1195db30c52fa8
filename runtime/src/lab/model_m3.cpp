// Model m3, work stealing. The chunks of a level stand in one table, those of each queue side by
// side; a queue is the range of chunks that are left in it, first and last packed in one atomic
// word. Owners take the first chunk, thieves the last ones, each with one compare-exchange on that
// word: no chunk can be taken twice, since its taker moved it out of the range.
//
// The whole state of a queue is in its word, so that a compare-exchange that succeeds did the right
// thing whatever happened since the word was read.
//
// As in m1 there are two sets of queues, by parity of the cycle: thread 0 fills those of cycle
// k + 1 while it is in cycle k, and the barrier makes that visible.
//
// --foreman: one thread of each group looks for work in other groups' queues, takes half of what is
// left there and puts it into the queue of its group, while the others wait for it or for its word
// that there is nothing left.

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "lab/chunk_table.h"
#include "lab/models.h"
#include "schedule/wait.h"
#include "values/parity.h"

namespace sme {
namespace {

/// Chunks [first, last).
struct Range {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint32_t size() const { return last - first; }
};

std::uint64_t pack(Range range) { return (std::uint64_t{range.first} << 32) | range.last; }
Range unpack(std::uint64_t word) {
    return {static_cast<std::uint32_t>(word >> 32), static_cast<std::uint32_t>(word)};
}

// All accesses are relaxed: only who gets which chunk is decided here; the data of chunks is
// ordered by the barriers around a level.
class alignas(64) Queue {
public:
    void fill(Range range) { word_.store(pack(range), std::memory_order_relaxed); }
    bool isEmpty() const { return unpack(word_.load(std::memory_order_relaxed)).size() == 0; }

    /// The first chunk, for an owner.
    bool takeFirst(std::uint32_t& chunk) {
        std::uint64_t word = word_.load(std::memory_order_relaxed);
        for (;;) {
            const Range range = unpack(word);
            if (range.size() == 0) return false;
            if (!word_.compare_exchange_weak(word, pack({range.first + 1, range.last}),
                                             std::memory_order_relaxed))
                continue;
            chunk = range.first;
            return true;
        }
    }

    /// The last chunk, or the second half of them; empty when there is none.
    Range steal(bool half) {
        std::uint64_t word = word_.load(std::memory_order_relaxed);
        for (;;) {
            const Range range = unpack(word);
            if (range.size() == 0) return {};
            const std::uint32_t count = half ? (range.size() + 1) / 2 : 1;
            const std::uint32_t middle = range.last - count;
            if (word_.compare_exchange_weak(word, pack({range.first, middle}),
                                            std::memory_order_relaxed))
                return {middle, range.last};
        }
    }

    /// False when the queue is not empty: another owner was faster.
    bool refill(Range range) {
        std::uint64_t word = word_.load(std::memory_order_relaxed);
        return unpack(word).size() == 0
               && word_.compare_exchange_strong(word, pack(range), std::memory_order_relaxed);
    }

    /// Of a group with a foreman: the last cycle, plus one, in which it found nothing any more.
    std::atomic<std::uint64_t> exhausted{0};

private:
    std::atomic<std::uint64_t> word_{0};
};

class Stealing final : public Schedule {
public:
    explicit Stealing(const ScheduleInput& input)
        : scheduling_(input.scheduling), crew_(input.crew), queues_(queuesOf(input)) {
        ChunkRule rule = scheduling_.chunk;
        if (needsTimes(scheduling_)) rule.parameter = staticShare(input.times);
        for (std::uint32_t level = 0; level < input.model.levels; ++level) {
            levels_.push_back(makeLevel(LevelList(input.model, level, input.isApart), rule));
        }
        fill(0);
        fill(1);
    }

    void beginCycle(std::uint64_t cycle) override { fill(cycle + 1); }

    void runLevel(Worker& worker, std::uint32_t level) override {
        const Level& it = levels_[level];
        Queue* queues = it.queues.get() + parityOf(worker.slots.cycle) * queues_;
        const unsigned own = queueOf(worker.thread);
        for (;;) {
            std::uint32_t chunk;
            schedulingPoint(worker);
            while (queues[own].takeFirst(chunk)) {
                runChunks(worker, it.table, {chunk, chunk + 1});
                schedulingPoint(worker);
            }
            if (queues_ == 1 || !findWork(worker, level, it, queues, own)) return;
        }
    }

    std::vector<Unit> unitsOf(std::uint32_t level) const override {
        return levels_[level].table.units;
    }

private:
    struct Level {
        ChunkTable table;                 ///< read only after construction
        std::vector<Range> shares;        ///< by queue: its chunks at the start of a cycle
        std::unique_ptr<Queue[]> queues;  ///< of even cycles, then of odd ones
    };

    static unsigned queuesOf(const ScheduleInput& input) {
        switch (input.scheduling.queues) {
        case QueueLayout::Node: return 1;
        case QueueLayout::Group: return input.crew.groups;
        case QueueLayout::Core: return input.crew.running;
        }
        return 1;
    }

    unsigned queueOf(unsigned thread) const {
        switch (scheduling_.queues) {
        case QueueLayout::Node: return 0;
        case QueueLayout::Group: return crew_.groupOf(thread);
        case QueueLayout::Core: return thread;
        }
        return 0;
    }

    unsigned groupOfQueue(unsigned queue) const {
        return scheduling_.queues == QueueLayout::Core ? crew_.groupOf(queue) : queue;
    }

    Level makeLevel(const LevelList& list, const ChunkRule& rule) const {
        Level level;
        if (scheduling_.prepartition) {
            const unsigned threads = std::max(1u, crew_.shares / queues_);
            LevelList::Place from = list.begin();
            for (unsigned queue = 0; queue < queues_; ++queue) {
                const std::uint64_t end = list.steps() * (queue + 1) / queues_;
                const auto to = queue + 1 < queues_ ? list.nearestToSteps(end) : list.end();
                const std::uint32_t first = level.table.chunks();
                appendChunks(list, from, to, rule, threads, level.table);
                level.shares.push_back({first, level.table.chunks()});
                from = to;
            }
        } else {
            deal(cutIntoChunks(list, crew_.shares, rule), level);
        }
        level.queues = std::make_unique<Queue[]>(std::size_t{2} * queues_);
        return level;
    }

    /// Deals the chunks of a table to the queues, and orders them by queue.
    void deal(const ChunkTable& from, Level& level) const {
        const std::uint32_t chunks = from.chunks();
        for (unsigned queue = 0; queue < queues_; ++queue) {
            const std::uint32_t first = level.table.chunks();
            const auto put = [&](std::uint32_t chunk) {
                level.table.units.insert(level.table.units.end(),
                                         from.units.begin() + from.starts[chunk],
                                         from.units.begin() + from.starts[chunk + 1]);
                level.table.starts.push_back(static_cast<std::uint32_t>(level.table.units.size()));
            };
            if (scheduling_.assign == Assign::Cyclic) {
                for (std::uint32_t chunk = queue; chunk < chunks; chunk += queues_)
                    put(chunk);
            } else {
                const std::uint64_t end = std::uint64_t{chunks} * (queue + 1) / queues_;
                for (std::uint64_t chunk = std::uint64_t{chunks} * queue / queues_; chunk < end;
                     ++chunk)
                    put(static_cast<std::uint32_t>(chunk));
            }
            level.shares.push_back({first, level.table.chunks()});
        }
    }

    void fill(std::uint64_t cycle) {
        for (Level& level : levels_) {
            for (unsigned queue = 0; queue < queues_; ++queue)
                level.queues[parityOf(cycle) * queues_ + queue].fill(level.shares[queue]);
        }
    }

    static void runChunks(Worker& worker, const ChunkTable& table, Range range) {
        const Unit* units = table.units.data();
        runUnits(worker, units + table.starts[range.first], units + table.starts[range.last]);
    }

    /// Work from elsewhere: runs it, or puts it into the own queue. False when there is none.
    bool findWork(Worker& worker, std::uint32_t level, const Level& it, Queue* queues,
                  unsigned own) {
        const bool isTimed = worker.timesIdle || worker.recorder;
        const std::uint64_t start = isTimed ? ticks() : 0;
        const bool waits = scheduling_.foreman && !isForeman(worker.thread);
        const std::uint64_t done = levelNumber(worker.slots.cycle, level);
        const Range loot = waits ? Range{} : stealFromSomebody(worker, queues, own);
        bool found = loot.size() > 0;
        if (waits) found = waitForForeman(queues[own], done);
        if (isTimed) {
            const std::uint64_t now = ticks();
            worker.searched += now - start;
            if (worker.recorder) {
                const bool isTheft = loot.size() > 0;
                worker.recorder->add({start, now, worker.slots.cycle, isTheft ? worker.victim : 0,
                                      loot.first, loot.last, level,
                                      isTheft ? Event::Kind::Theft : Event::Kind::Search});
            }
        }
        if (loot.size() > 0) keep(worker, it, queues[own], loot);
        if (!found && scheduling_.foreman && !waits)
            queues[own].exhausted.store(done, std::memory_order_relaxed);
        return found;
    }

    /// Different for each level of each cycle, and never 0.
    std::uint64_t levelNumber(std::uint64_t cycle, std::uint32_t level) const {
        return cycle * levels_.size() + level + 1;
    }

    /// The first chunk of the loot now, the rest to the own queue, where others may steal it again.
    void keep(Worker& worker, const Level& it, Queue& own, Range loot) {
        Range rest{loot.first + 1, loot.last};
        if (rest.size() > 0 && own.refill(rest)) rest = {};
        runChunks(worker, it.table, {loot.first, loot.first + 1});
        if (rest.size() > 0) runChunks(worker, it.table, rest);
    }

    bool isForeman(unsigned thread) const {
        return thread == 0 || crew_.groupOf(thread) != crew_.groupOf(thread - 1);
    }

    static bool waitForForeman(const Queue& own, std::uint64_t done) {
        for (unsigned round = 1;; ++round) {
            if (!own.isEmpty()) return true;
            if (own.exhausted.load(std::memory_order_relaxed) == done) return !own.isEmpty();
            if (round % 64 == 0) {
                sched_yield();
            } else {
                relax();
            }
        }
    }

    Range stealFromSomebody(Worker& worker, Queue* queues, unsigned own) {
        const bool half = scheduling_.stealHalf || scheduling_.foreman;
        for (const std::uint32_t queue : searchOrder(worker, own)) {
            schedulingPoint(worker);
            const Range loot = queues[queue].steal(half);
            if (loot.size() == 0) continue;
            worker.victim = queue;
            return loot;
        }
        return {};
    }

    /// All other queues: the last victim, then as `--victim` says. A queue that was found empty is
    /// not asked again, since each stands here once.
    const std::vector<std::uint32_t>& searchOrder(Worker& worker, unsigned own) const {
        std::vector<std::uint32_t>& order = worker.order;
        order.clear();
        for (unsigned i = 1; i < queues_; ++i)
            order.push_back((own + i) % queues_);
        const bool isRandom =
            scheduling_.victim == Victim::Random || scheduling_.victim == Victim::RandomPriority;
        if (isRandom) shuffle(worker, order);
        const bool byGroup = scheduling_.victim == Victim::SequentialPriority
                             || scheduling_.victim == Victim::RandomPriority;
        const unsigned group = groupOfQueue(own);
        if (byGroup && crew_.groups > 1) {
            std::stable_partition(order.begin(), order.end(), [&](std::uint32_t queue) {
                return groupOfQueue(queue) == group;
            });
        }
        const auto last = std::find(order.begin(), order.end(), worker.victim);
        if (last != order.end()) std::rotate(order.begin(), last, last + 1);
        return order;
    }

    static void shuffle(Worker& worker, std::vector<std::uint32_t>& order) {
        for (std::size_t i = order.size(); i > 1; --i) {
            std::swap(order[i - 1], order[worker.nextRandom() % i]);
        }
    }

    const Scheduling scheduling_;
    const Crew crew_;
    const unsigned queues_;
    std::vector<Level> levels_;
};

}  // namespace

std::unique_ptr<Schedule> makeStealing(const ScheduleInput& input) {
    return std::make_unique<Stealing>(input);
}

}  // namespace sme
