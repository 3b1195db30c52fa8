#pragma once

#include <cstdint>
#include <vector>

#include "schedule/plan.h"
#include "schedule/scheduling.h"

namespace sme {

/// The units of every thread at one level, fixed: model m2.
using Slices = std::vector<std::vector<Unit>>;

/// An indivisible part of the list of a level, and what it costs in a cycle: nanoseconds, or any
/// unit that all pieces share.
struct Piece {
    Unit unit;
    double cost;
};
/// For each piece its thread.
using Deal = std::vector<unsigned>;

/// One stretch of the list for each thread: up to `end(1)`, `end(2)`, … and the end of the list.
template <typename End>
Slices sliceAt(const LevelList& list, unsigned threads, const End& end) {
    Slices slices(threads);
    LevelList::Place from = list.begin();
    for (unsigned thread = 0; thread < threads; ++thread) {
        const LevelList::Place to = thread + 1 < threads ? end(thread + 1) : list.end();
        list.append(from, to, slices[thread]);
        from = to;
    }
    return slices;
}

/// Stretches by the static cost that the compiler estimated, or by number of processes
/// (Orchestrate::Even, Thesis), or the smallest legal pieces in turn (RoundRobin).
Slices slice(const LevelList& list, unsigned threads, Orchestrate how);

/// The load of the thread with the highest one.
double makespan(const std::vector<Piece>& pieces, const Deal& deal, unsigned threads);

/// The pieces 0, 1, ….
std::vector<std::uint32_t> inOrder(const std::vector<Piece>& pieces);
/// Deals pieces in the given order, each to the thread with the lowest load.
Deal dealInOrder(const std::vector<Piece>& pieces, const std::vector<std::uint32_t>& order,
                 unsigned threads);
/// One stretch of the list for each thread, so that the highest load is the lowest possible.
Deal dealStretches(const std::vector<Piece>& pieces, unsigned threads);
/// Longest processing time first: the next longest piece to the thread with the lowest load
/// (Graham 1969: at most 4/3 of the best).
Deal dealLongestFirst(const std::vector<Piece>& pieces, unsigned threads);
/// Orchestrate::Profile: stretches, whose neighbours share cache lines, unless longest-first has a
/// makespan that is clearly lower.
Deal dealByProfile(const std::vector<Piece>& pieces, unsigned threads);
/// Adjacent pieces of one thread become one unit.
Slices toSlices(const std::vector<Piece>& pieces, const Deal& deal, unsigned threads);

}  // namespace sme
