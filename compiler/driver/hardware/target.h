#pragma once

#include <cstddef>
#include <cstdint>

/// The numbers that bound the recorded runs of exported designs, and what tools of theirs may say.
/// None was measured by itself: they are what one is willing to wait for, and guesses.
namespace smec::driver::target {

/// Without --cycles a run ends here, unless the design or its input ends before. Few programs are
/// still about to start then, and their test benches take seconds.
inline constexpr std::uint64_t kMostCycles = 10'000;
/// Or here, but with 100 cycles at least: values of fields and variables in all its cycles.
inline constexpr std::uint64_t kMostValues = 4'000'000;
/// Bytes of what Yosys says that are kept for a message.
inline constexpr std::size_t kMostYosysOutput = std::size_t{1} << 16;

}  // namespace smec::driver::target
