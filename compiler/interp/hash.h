#pragma once

#include <cstdint>
#include <string_view>

#include "interp/simulation.h"

namespace smec::interp {

inline constexpr std::uint64_t kGoldenGamma = 0x9E3779B97F4A7C15;

/// The finalizer of SplitMix64 (Steele, Lea, Flood 2014): a generator when fed multiples of
/// kGoldenGamma.
constexpr std::uint64_t splitMix64(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

/// Where the numbers of random() begin for the process of that path.
std::uint64_t randomStart(std::string_view path, std::uint64_t seed);

/// One number for the state of the whole network: the sum over all leaves of mix(name hash ^
/// mix(value hash)), so that the order in which they are visited does not matter.
std::uint64_t checksum(const Simulation& simulation);

}  // namespace smec::interp
