#pragma once

#include <cstdint>
#include <vector>

#include "schedule/orchestrate.h"

namespace sme {

/// Orchestrate::Thesis and RoundRobin.
Slices sliceAsLiterature(const LevelList& list, unsigned threads, Orchestrate how);

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

}  // namespace sme
