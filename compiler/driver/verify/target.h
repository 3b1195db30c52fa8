#pragma once

#include <cstddef>
#include <cstdint>

/// The numbers by which `smec verify` decides when to end and what to list. None was measured: they
/// are what one is willing to wait for and to read, and guesses.
namespace smec::driver::target {

/// Wall time of each engine, where nobody gives another.
inline constexpr unsigned kSecondsForEngine = 600;
/// Cycles after the reset in which a difference is searched for, where nobody gives a number.
inline constexpr std::uint64_t kFormalCycles = 20;
/// For what is easy to find; proofs take over then.
inline constexpr unsigned kEasySeconds = 10;
/// Cycles after which equiv_induct looks: as many have to be equal from the reset on.
inline constexpr int kInductionSteps = 4;
/// How many differences of an engine are listed.
inline constexpr std::size_t kDifferencesListed = 5;
/// Values of more bits are written in hexadecimal: a word is what one still reads in decimal.
inline constexpr std::size_t kDecimalBits = 64;

}  // namespace smec::driver::target
