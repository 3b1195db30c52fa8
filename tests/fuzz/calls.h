#pragma once

#include <cstdint>
#include <span>

namespace smec::test {

/// Reads bytes as calls of the table of sme/simulation.h and makes them, right and wrong ones. In
/// the end a simulation that only runs forward, with what was set at its cycles, has the same state;
/// else the process ends.
void checkCalls(std::span<const std::uint8_t> bytes);

}  // namespace smec::test
