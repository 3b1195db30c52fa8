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

/// Stretches by the static cost that the compiler estimated, or by number of processes
/// (Orchestrate::Even, Thesis), or the smallest legal pieces in turn (RoundRobin).
Slices slice(const LevelList& list, unsigned threads, Orchestrate how);

/// The load of the thread with the highest one.
double makespan(const std::vector<Piece>& pieces, const Deal& deal, unsigned threads);

/// One stretch of the list for each thread, so that the highest load is the lowest possible.
Deal dealStretches(const std::vector<Piece>& pieces, unsigned threads);
/// Longest processing time first: the next longest piece to the thread with the lowest load
/// (Graham 1969: at most 4/3 of the best).
Deal dealLongestFirst(const std::vector<Piece>& pieces, unsigned threads);
/// Orchestrate::Profile: stretches, whose neighbours share cache lines, unless longest-first has a
/// makespan that is clearly lower.
Deal dealByProfile(const std::vector<Piece>& pieces, unsigned threads);
/// Orchestrate::MonteCarlo: of `tries` random orders, each dealt piece by piece to the thread with
/// the lowest load, the one with the lowest makespan. `seed` makes it the same each time.
Deal dealMonteCarlo(const std::vector<Piece>& pieces, unsigned threads, std::uint32_t tries,
                    std::uint64_t seed);

/// What pieces `a` and `b` exchange in a cycle, in cache lines.
struct Exchange {
    std::uint32_t a, b;
    double lines;
};
/// What the pieces of one level exchange by the flows of the model. Pieces of one work stand side
/// by side, in order.
std::vector<Exchange> exchangesOf(const Model& model, const std::vector<Piece>& pieces);

/// Orchestrate::Optimize: moves and swaps pieces while that lowers makespan + `lineCost` x the
/// lines that pieces of different threads exchange, shared by threads; from several starts (by
/// profile, stretches, everything on one thread), of which the best counts.
Deal dealByLocalSearch(const std::vector<Piece>& pieces, unsigned threads,
                       const std::vector<Exchange>& exchanges, double lineCost);

/// Adjacent pieces of one thread become one unit.
Slices toSlices(const std::vector<Piece>& pieces, const Deal& deal, unsigned threads);

}  // namespace sme
