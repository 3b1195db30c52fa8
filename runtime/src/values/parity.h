#pragma once

#include <cstdint>

namespace sme {

/// Of things that are there twice and take turns, the one whose turn it is for the `count`-th time,
/// from 0: slots by the activations of their clock group, logs and counters by cycles, words by rounds.
constexpr unsigned parityOf(std::uint64_t count) { return static_cast<unsigned>(count & 1); }

}  // namespace sme
