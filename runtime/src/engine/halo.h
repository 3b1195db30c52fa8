#pragma once

#include <cstdint>
#include <vector>

#include "engine/owners.h"
#include "sme/model.h"

namespace sme {

/// Elements [first, first + count) of a plane that one rank writes at a level and another one
/// reads.
struct Crossing {
    std::uint32_t level;
    unsigned from;
    unsigned to;
    std::uint32_t plane;
    std::uint64_t first;
    std::uint64_t count;
    auto operator<=>(const Crossing&) const = default;
};

/// Elements [first, first + count) of a plane that lives on several ranks: written by one, read by
/// the other.
struct PlaneRange {
    unsigned rank;  ///< the other side
    std::uint32_t plane;
    std::uint64_t first;
    std::uint64_t count;
    bool operator==(const PlaneRange&) const = default;
};

/// What a rank sends and receives when a level is done. The lists of two ranks match, in order.
struct Halo {
    std::vector<PlaneRange> sends;
    std::vector<PlaneRange> receives;
    bool isOpen = false;  ///< what it receives is waited for when the next level is done
};

/// Exactly what processes read of processes of other ranks, ascending and each element once. Every
/// rank finds the same. O(runs + elements that cross with a stride).
std::vector<Crossing> crossingsOf(const Model& model, const Owners& owners);

/// Sorts, and makes one of those that touch or overlap.
void unite(std::vector<Crossing>& crossings);

/// By level.
std::vector<Halo> halosOf(const Model& model, const std::vector<Crossing>& crossings,
                          unsigned rank);

}  // namespace sme
