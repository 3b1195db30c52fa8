#include "lab/orchestrations.h"

#include <algorithm>
#include <map>
#include <random>

#include "lab/target.h"

namespace sme {
namespace {

Slices roundRobin(const LevelList& list, unsigned threads) {
    std::vector<Piece> pieces;
    for (const Unit& unit : cutIntoPieces(list, ~std::uint64_t{0}))
        pieces.push_back({unit, 1});
    Deal deal(pieces.size());
    for (std::size_t i = 0; i < deal.size(); ++i)
        deal[i] = static_cast<unsigned>(i % threads);
    return toSlices(pieces, deal, threads);
}

/// The state of a local search: loads of threads, and the lines that each piece shares with each
/// thread.
class LocalSearch {
public:
    LocalSearch(const std::vector<Piece>& pieces, unsigned threads,
                const std::vector<Exchange>& exchanges, double lineCost, Deal deal)
        : pieces_(pieces),
          threads_(threads),
          lineCost_(lineCost / threads),
          deal_(std::move(deal)),
          loads_(threads, 0),
          neighbours_(pieces.size()) {
        for (std::size_t i = 0; i < pieces.size(); ++i)
            loads_[deal_[i]] += pieces[i].cost;
        for (const Exchange& each : exchanges) {
            if (each.a == each.b) continue;
            neighbours_[each.a].push_back({each.b, each.lines});
            neighbours_[each.b].push_back({each.a, each.lines});
        }
    }

    void run() {
        for (unsigned round = 0; round < target::kMostRounds; ++round) {
            if (!step()) break;
        }
    }

    const Deal& deal() const { return deal_; }

    /// What is to be low.
    double objective() const {
        double lines = 0;
        for (std::uint32_t piece = 0; piece < pieces_.size(); ++piece)
            lines += cutOf(piece, deal_[piece]) / 2;
        return *std::max_element(loads_.begin(), loads_.end()) + lineCost_ * lines;
    }

private:
    struct Neighbour {
        std::uint32_t piece;
        double lines;
    };
    struct Change {
        double gain = 1e-9;
        std::uint32_t piece = 0;
        unsigned to = 0;
        std::int64_t swapped = -1;
    };

    /// Lines that are cut when `piece` is on `thread`; `besides` counts as where it is.
    double cutOf(std::uint32_t piece, unsigned thread) const {
        double lines = 0;
        for (const Neighbour& each : neighbours_[piece])
            lines += deal_[each.piece] == thread ? 0 : each.lines;
        return lines;
    }

    double highestWith(unsigned a, double loadA, unsigned b, double loadB) const {
        double highest = std::max(loadA, loadB);
        for (unsigned thread = 0; thread < threads_; ++thread) {
            if (thread != a && thread != b) highest = std::max(highest, loads_[thread]);
        }
        return highest;
    }

    double gain(std::uint32_t piece, unsigned to, std::int64_t swapped) const {
        const unsigned from = deal_[piece];
        double moved = pieces_[piece].cost;
        double cut = cutOf(piece, to) - cutOf(piece, from);
        if (swapped >= 0) {
            const auto other = static_cast<std::uint32_t>(swapped);
            moved -= pieces_[other].cost;
            cut += cutOf(other, from) - cutOf(other, to);
            for (const Neighbour& each : neighbours_[piece])
                cut += each.piece == other ? 2 * each.lines : 0;
        }
        const double before = *std::max_element(loads_.begin(), loads_.end());
        const double after = highestWith(from, loads_[from] - moved, to, loads_[to] + moved);
        return before - after - lineCost_ * cut;
    }

    /// Looks at all moves, and at swaps of a piece of the busiest thread, and does the best.
    bool step() {
        Change best;
        const auto busiest =
            static_cast<unsigned>(std::max_element(loads_.begin(), loads_.end()) - loads_.begin());
        const auto consider = [&](std::uint32_t piece, unsigned to, std::int64_t swapped) {
            const double value = gain(piece, to, swapped);
            if (value > best.gain) best = {value, piece, to, swapped};
        };
        for (std::uint32_t piece = 0; piece < pieces_.size(); ++piece) {
            for (unsigned to = 0; to < threads_; ++to) {
                if (to != deal_[piece]) consider(piece, to, -1);
            }
            if (deal_[piece] != busiest) continue;
            for (std::uint32_t other = 0; other < pieces_.size(); ++other) {
                if (deal_[other] != busiest) consider(piece, deal_[other], other);
            }
        }
        if (best.gain <= 1e-9) return false;
        move(best.piece, best.to);
        if (best.swapped >= 0) move(static_cast<std::uint32_t>(best.swapped), busiest);
        return true;
    }

    void move(std::uint32_t piece, unsigned to) {
        loads_[deal_[piece]] -= pieces_[piece].cost;
        loads_[to] += pieces_[piece].cost;
        deal_[piece] = to;
    }

    const std::vector<Piece>& pieces_;
    const unsigned threads_;
    const double lineCost_;
    Deal deal_;
    std::vector<double> loads_;
    std::vector<std::vector<Neighbour>> neighbours_;
};

}  // namespace

Slices sliceAsLiterature(const LevelList& list, unsigned threads, Orchestrate how) {
    if (how == Orchestrate::RoundRobin) return roundRobin(list, threads);
    return sliceAt(list, threads, [&](unsigned thread) {
        return list.nearestToSteps(list.steps() / threads * thread);
    });
}

Deal dealMonteCarlo(const std::vector<Piece>& pieces, unsigned threads, std::uint32_t tries,
                    std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<std::uint32_t> order = inOrder(pieces);
    Deal best = dealInOrder(pieces, order, threads);
    double lowest = makespan(pieces, best, threads);
    for (std::uint32_t i = 1; i < (tries > 0 ? tries : target::kTries); ++i) {
        std::shuffle(order.begin(), order.end(), random);
        Deal deal = dealInOrder(pieces, order, threads);
        const double time = makespan(pieces, deal, threads);
        if (time >= lowest) continue;
        lowest = time;
        best = std::move(deal);
    }
    return best;
}

std::vector<Exchange> exchangesOf(const Model& model, const std::vector<Piece>& pieces) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ofWork(model.workCount, {0, 0});
    for (std::uint32_t i = 0; i < pieces.size(); ++i) {
        auto& [first, last] = ofWork[pieces[i].unit.work];
        if (last == 0) first = i;
        last = i + 1;
    }
    /// The pieces that meet a range of instances of a work, and which share of it each has.
    const auto forEachPart = [&](std::uint32_t work, std::uint32_t begin, std::uint32_t count,
                                 const auto& function) {
        const auto [first, last] = ofWork[work];
        for (std::uint32_t i = first; i < last; ++i) {
            const Unit& unit = pieces[i].unit;
            const std::uint32_t from = std::max(begin, unit.begin);
            const std::uint32_t to = std::min(begin + count, unit.end);
            if (from < to) function(i, static_cast<double>(to - from) / count);
        }
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> lines;
    for (std::size_t i = 0; i < model.flowCount; ++i) {
        const Flow& flow = model.flows[i];
        forEachPart(flow.reader, flow.readerFirst, flow.readerCount,
                    [&](std::uint32_t a, double shareA) {
                        forEachPart(flow.writer, flow.writerFirst, flow.writerCount,
                                    [&](std::uint32_t b, double shareB) {
                                        if (a == b) return;
                                        lines[std::minmax(a, b)] +=
                                            shareA * shareB * static_cast<double>(flow.bytes)
                                            / target::kLineBytes;
                                    });
                    });
    }
    std::vector<Exchange> exchanges;
    for (const auto& [pair, count] : lines)
        exchanges.push_back({pair.first, pair.second, count});
    return exchanges;
}

Deal dealByLocalSearch(const std::vector<Piece>& pieces, unsigned threads,
                       const std::vector<Exchange>& exchanges, double lineCost) {
    Deal best;
    double lowest = 0;
    const Deal starts[] = {dealByProfile(pieces, threads), dealStretches(pieces, threads),
                           Deal(pieces.size(), 0)};
    for (const Deal& start : starts) {
        LocalSearch search(pieces, threads, exchanges, lineCost, start);
        search.run();
        if (!best.empty() && search.objective() >= lowest) continue;
        lowest = search.objective();
        best = search.deal();
    }
    return best;
}

}  // namespace sme
