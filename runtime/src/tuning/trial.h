#pragma once

#include <cstdint>
#include <string>

#include "engine/engine.h"

namespace sme {

/// All levels cut into at most about `most` pieces each, with the compiler's estimates as costs.
Times estimatedPieces(const Model& model, const std::vector<bool>& isApart, std::uint64_t most);

/// Gives each piece the median of the nanoseconds that its events took; those without events keep
/// what they have.
void setMedians(Times& times, const std::vector<std::vector<Event>>& events, double nsPerTick);

/// Runs up to `cycles` cycles (fewer where they take more than half a second) on one thread from
/// where the engine stands, before `until`, and gives the engine the times of its pieces. Leaves
/// the engine configured for one thread. Returns the CycleFlag bits of the last cycle.
std::uint32_t measureTimes(Engine& engine, Observer* observer, std::uint64_t cycles,
                           std::uint64_t until);

/// Pieces enough for this many threads to share evenly.
std::uint64_t piecesFor(unsigned threads);

/// Writes the times of an engine to a file, as JSON; the message of what went wrong, or nothing.
std::string saveTimes(const Engine& engine, const std::string& path);
/// Reads such a file; the message of what is wrong with it (it is of another design, say), or
/// nothing.
std::string loadTimes(Engine& engine, const std::string& path);

}  // namespace sme
