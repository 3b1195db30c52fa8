#include "run/rank_figures.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>

#include "engine/engine.h"
#include "engine/lone_rank.h"
#include "engine/rank_metis.h"
#include "engine/ranks_in_process.h"
#include "output/error.h"
#include "report/target.h"
#include "run/planning.h"
#include "run/translated.h"
#include "schedule/machine.h"
#include "schedule/topology.h"
#include "values/json_text.h"
#include "values/printf_text.h"

namespace sme {
namespace {

class NowhereSink final : public TextSink {
public:
    void write(std::string_view) override {}
    void flush() override {}
};

/// A rank of several with all it needs.
class Share {
public:
    Share(const Model& model, const RunOptions& options, const RankPlan& plan, unsigned rank)
        : transport_(rank, plan.shares.ranks()),
          own_(model, plan.shares, rank),
          residence_(model, plan.owners, rank),
          engine_(own_.model(), configOf(own_.model(), options, inspectMachine()), options.seed,
                  options.loopLimit, nowhere_, nowhere_, &residence_) {
        engine_.observation().mute(true);
        engine_.connect(transport_, halosOf(model, plan.crossings, rank));
    }

    Engine& engine() { return engine_; }
    /// Seconds.
    double run(std::uint64_t cycles) {
        const std::int64_t start = nowNs();
        if ((engine_.run(engine_.cycle() + cycles) & ~kHasOutput) != 0)
            throw Error(ErrorKind::Usage, "rank " + std::to_string(transport_.rank()) + " of "
                                              + std::to_string(transport_.size())
                                              + ", alone, ends after cycle "
                                              + std::to_string(engine_.cycle() - 1)
                                              + ", so that what it does cannot be measured");
        return static_cast<double>(nowNs() - start) * 1e-9;
    }

private:
    NowhereSink nowhere_;
    LoneRank transport_;
    RankModel own_;
    Residence residence_;
    Engine engine_;
};

/// Shares that run as long as this is there.
class Companions {
public:
    Companions(const Model& model, const RunOptions& options, const RankPlan& plan, unsigned rank,
               unsigned count, std::uint64_t cycles) {
        for (unsigned i = 1; i <= count; ++i)
            shares_.push_back(
                std::make_unique<Share>(model, options, plan, (rank + i) % plan.shares.ranks()));
        for (const std::unique_ptr<Share>& share : shares_)
            threads_.emplace_back([this, &share, cycles] { keepRunning(*share, cycles); });
        // relaxed: only counted
        while (running_.load(std::memory_order_relaxed) < count)
            std::this_thread::yield();
    }
    ~Companions() {
        isOver_.store(true, std::memory_order_relaxed);  // a wish; join() hands over the rest
        for (std::thread& thread : threads_)
            thread.join();
    }
    Companions(const Companions&) = delete;
    Companions& operator=(const Companions&) = delete;

private:
    void keepRunning(Share& share, std::uint64_t cycles) {
        Engine& engine = share.engine();
        const auto goesOn = [&] {
            return (engine.run(engine.cycle() + cycles) & ~kHasOutput) == 0;
        };
        const bool isGood = goesOn();
        running_.fetch_add(1, std::memory_order_relaxed);
        while (isGood && !isOver_.load(std::memory_order_relaxed))
            if (!goesOn()) break;
    }

    std::vector<std::unique_ptr<Share>> shares_;
    std::vector<std::thread> threads_;
    std::atomic<unsigned> running_{0};
    std::atomic<bool> isOver_{false};
};

/// As many as take about target::kBlockSeconds.
std::uint64_t cyclesOfBlock(Share& share) {
    std::uint64_t cycles = 1;
    share.run(cycles);  // pages that nobody touched yet
    for (double seconds = share.run(cycles); seconds < target::kBlockSeconds;
         seconds = share.run(cycles))
        cycles *= 2;
    return cycles;
}

/// Of a cycle: the median of some blocks.
double secondsOfCycle(Share& share, std::uint64_t cycles) {
    std::vector<double> seconds;
    for (unsigned i = 0; i < target::kBlocks; ++i)
        seconds.push_back(share.run(cycles));
    std::ranges::sort(seconds);
    return seconds[seconds.size() / 2] / static_cast<double>(cycles);
}

/// One side of an exchange of `bytes` both ways, so many times; both do the same.
double exchangeOften(Transport& transport, std::size_t bytes, unsigned rounds, bool isCrowded) {
    const unsigned other = 1 - transport.rank();
    std::vector<std::size_t> largest(2);
    largest[other] = bytes;
    Mailboxes boxes(transport, largest, {WaitMode::Adaptive, isCrowded});
    const std::vector<std::byte> sent(bytes);
    std::vector<std::byte> received(bytes);
    std::int64_t start = 0;
    for (unsigned i = 0; i < rounds; ++i) {
        if (i == rounds / 2) start = nowNs();  // the first half warms up
        std::memcpy(boxes.open(other), sent.data(), bytes);
        boxes.post(other, bytes);
        std::memcpy(received.data(), boxes.await(other, bytes), bytes);
        boxes.release(other);
        boxes.passed();
    }
    return static_cast<double>(nowNs() - start) * 1e-9 / (rounds - rounds / 2);
}

double secondsOfExchange(std::size_t bytes, unsigned rounds) {
    const bool isCrowded = inspectMachine().processors < 2;
    RanksInProcess ranks(2, !isCrowded);
    const ProcessorGroups processors = processorGroups();
    double seconds = 0;
    const auto exchange = [&](unsigned rank) {
        bindThread(processors, rank);  // as ranks are that have a machine to themselves
        const double taken = exchangeOften(ranks.of(rank), bytes, rounds, isCrowded);
        if (rank == 0) seconds = taken;
    };
    std::thread first(exchange, 0);
    std::thread second(exchange, 1);
    first.join();
    second.join();
    return seconds;
}

/// What packing and unpacking take where nobody else has the memory.
double secondsOfCopies(std::size_t bytes, unsigned rounds) {
    std::vector<std::byte> from(bytes);
    std::vector<std::byte> parcel(bytes);
    const std::int64_t start = nowNs();
    for (unsigned i = 0; i < rounds; ++i) {
        std::memcpy(parcel.data(), from.data(), bytes);
        std::memcpy(from.data(), parcel.data(), bytes);
        asm volatile("" : : "r"(from.data()), "r"(parcel.data()) : "memory");
    }
    return static_cast<double>(nowNs() - start) * 1e-9 / rounds;
}

}  // namespace

std::vector<RankFigures::Level> levelsOf(const Model& model, const std::vector<Crossing>& crossings,
                                         unsigned ranks) {
    using Sums = std::vector<RankFigures::Level>;
    std::vector<Sums> sums(model.levels, Sums(std::size_t{2} * ranks));  // sent, received
    const Crossing* last = nullptr;
    for (const Crossing& each : crossings) {
        const bool isNew =
            !last || last->level != each.level || last->from != each.from || last->to != each.to;
        last = &each;
        for (const std::size_t side : {std::size_t{each.from}, std::size_t{ranks} + each.to}) {
            RankFigures::Level& sum = sums[each.level][side];
            sum.messages += isNew ? 1 : 0;
            sum.bytes += each.count * model.types[model.planes[each.plane].type].bytes;
        }
    }
    std::vector<RankFigures::Level> levels;
    for (const Sums& ofLevel : sums) {
        RankFigures::Level most;
        for (const RankFigures::Level& side : ofLevel)
            most = {std::max(most.messages, side.messages), std::max(most.bytes, side.bytes)};
        if (most.messages > 0) levels.push_back(most);
    }
    return levels;
}

RankFigures measureRank(const Model& model, const RunOptions& options, unsigned ranks) {
    RunOptions own = options;
    own.threads = 1;
    const CutWay way = choicesOfEnvironment().cut;
    const RankPlan plan = planRanks(model, ranks, way, metisOfProcess(model, way));
    const std::vector<double> costs = costsOfRanks(model, plan);
    RankFigures figures;
    figures.ranks = ranks;
    figures.rank = static_cast<unsigned>(std::ranges::max_element(costs) - costs.begin());
    figures.agrees = RankLink::asksAlways(model);
    figures.levels = levelsOf(model, plan.crossings, ranks);
    for (const Crossing& each : plan.crossings)
        figures.received += each.to == figures.rank ? each.count : 0;
    figures.beside = std::min(ranks, inspectMachine().processors) - 1;
    translated([&] {
        Share share(model, own, plan, figures.rank);
        figures.processes = stepsPerCycle(share.engine().model());
        const std::uint64_t cycles = cyclesOfBlock(share);
        figures.alone = figures.together = secondsOfCycle(share, cycles);
        if (figures.beside == 0) return;
        const Companions others(model, own, plan, figures.rank, figures.beside,
                                std::max<std::uint64_t>(1, cycles / 8));
        figures.together = secondsOfCycle(share, cycles);
    });
    return figures;
}

MemoryLink measureMemoryLink() {
    const auto beyondCopies = [](std::size_t bytes, unsigned rounds) {
        return secondsOfExchange(bytes, rounds) - secondsOfCopies(bytes, rounds);
    };
    MemoryLink link;
    link.seconds = secondsOfExchange(target::kFewBytes, target::kShortRounds);
    const double few = beyondCopies(target::kFewLines, target::kShortRounds);
    const double many = beyondCopies(target::kManyBytes, target::kLongRounds);
    link.secondsOfFew = std::max(0.0, few - link.seconds) / target::kFewLines;
    link.secondsOfByte = std::max(0.0, many - few) / (target::kManyBytes - target::kFewLines);
    return link;
}

std::string toJson(const Model& model, const RankFigures& figures, const MemoryLink& link) {
    std::string text = "{\n  \"design\": " + jsonText(model.name);
    text += printfText(",\n  \"processors\": %u,\n  \"ranks\": %u,\n  \"rank\": %u",
                       inspectMachine().processors, figures.ranks, figures.rank);
    text += ",\n  \"processes\": " + std::to_string(figures.processes);
    text += ",\n  \"received\": " + std::to_string(figures.received);
    text += std::string(",\n  \"agrees\": ") + (figures.agrees ? "true" : "false");
    text += ",\n  \"levels\": [";
    for (const RankFigures::Level& level : figures.levels)
        text += (&level == &figures.levels.front() ? "" : ", ")
                + ("{\"messages\": " + std::to_string(level.messages))
                + ", \"bytes\": " + std::to_string(level.bytes) + "}";
    text += printfText("],\n  \"alone\": %.9g,\n  \"together\": %.9g,\n  \"beside\": %u",
                       figures.alone, figures.together, figures.beside);
    text += printfText(",\n  \"exchange\": %.9g,\n  \"few\": %.9g,\n  \"fewBytes\": %zu",
                       link.seconds, link.secondsOfFew, target::kFewLines);
    text += printfText(",\n  \"byte\": %.9g", link.secondsOfByte);
    return text + "\n}\n";
}

}  // namespace sme
