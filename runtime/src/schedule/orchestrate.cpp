// Pieces of costs 3 1 2 2 and two threads. Stretches: {3 1} {2 2}. Longest first: 3 to the first
// thread, 2 to the second, 2 to the second, 1 to the first: {3 1} {2 2}, too.

#include "schedule/orchestrate.h"

#include <algorithm>
#include <numeric>
#include <queue>

#include "schedule/laboratory.h"
#include "schedule/target.h"

namespace sme {
namespace {

/// Stretches with loads of at most `bound`; false when that takes more than `threads`.
bool fits(const std::vector<Piece>& pieces, unsigned threads, double bound, Deal* deal) {
    unsigned thread = 0;
    double load = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (load > 0 && load + pieces[i].cost > bound) {
            ++thread;
            load = 0;
        }
        if (thread >= threads) return false;
        load += pieces[i].cost;
        if (deal) (*deal)[i] = thread;
    }
    return true;
}

}  // namespace

Deal dealInOrder(const std::vector<Piece>& pieces, const std::vector<std::uint32_t>& order,
                 unsigned threads) {
    using Load = std::pair<double, unsigned>;
    std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
    for (unsigned thread = 0; thread < threads; ++thread)
        loads.push({0, thread});
    Deal deal(pieces.size());
    for (const std::uint32_t piece : order) {
        const auto [load, thread] = loads.top();
        loads.pop();
        deal[piece] = thread;
        loads.push({load + pieces[piece].cost, thread});
    }
    return deal;
}

std::vector<std::uint32_t> inOrder(const std::vector<Piece>& pieces) {
    std::vector<std::uint32_t> order(pieces.size());
    std::iota(order.begin(), order.end(), 0u);
    return order;
}

Slices slice(const LevelList& list, unsigned threads, Orchestrate how) {
    if (how == Orchestrate::RoundRobin || how == Orchestrate::Thesis)
        return kLaboratory.slice(list, threads, how);
    return sliceAt(list, threads, [&](unsigned thread) {
        return list.nearestToCost(list.cost() * thread / threads);
    });
}

double makespan(const std::vector<Piece>& pieces, const Deal& deal, unsigned threads) {
    std::vector<double> loads(threads, 0);
    for (std::size_t i = 0; i < pieces.size(); ++i)
        loads[deal[i]] += pieces[i].cost;
    return *std::max_element(loads.begin(), loads.end());
}

Deal dealStretches(const std::vector<Piece>& pieces, unsigned threads) {
    double low = 0, high = 0;
    for (const Piece& piece : pieces) {
        low = std::max(low, piece.cost);
        high += piece.cost;
    }
    low = std::max(low, high / threads);
    for (int i = 0; i < 50 && high - low > 1e-6 * high; ++i) {
        const double middle = (low + high) / 2;
        (fits(pieces, threads, middle, nullptr) ? high : low) = middle;
    }
    Deal deal(pieces.size());
    fits(pieces, threads, high * (1 + 1e-9), &deal);
    return deal;
}

Deal dealLongestFirst(const std::vector<Piece>& pieces, unsigned threads) {
    std::vector<std::uint32_t> order = inOrder(pieces);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return pieces[a].cost > pieces[b].cost;
    });
    return dealInOrder(pieces, order, threads);
}

Deal dealByProfile(const std::vector<Piece>& pieces, unsigned threads) {
    Deal stretches = dealStretches(pieces, threads);
    Deal longest = dealLongestFirst(pieces, threads);
    const double limit = target::kWorthScattering * makespan(pieces, stretches, threads);
    return makespan(pieces, longest, threads) < limit ? longest : stretches;
}

Slices toSlices(const std::vector<Piece>& pieces, const Deal& deal, unsigned threads) {
    Slices slices(threads);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        std::vector<Unit>& units = slices[deal[i]];
        const Unit& unit = pieces[i].unit;
        const bool goesOn =
            !units.empty() && units.back().work == unit.work && units.back().end == unit.begin;
        if (goesOn) {
            units.back().end = unit.end;
        } else {
            units.push_back(unit);
        }
    }
    return slices;
}

}  // namespace sme
