#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "driver/bench/options.h"
#include "driver/bench/rank_model.h"
#include "driver/compile/options.h"

namespace smec::driver {

/// `smec bench --model-ranks`: measures what the dearest of so many ranks does, for each number of
/// them, and what ranks take that this machine can run; where the design grows, compiles it for
/// each; else `built` is the simulator. Throws Ended, Interrupted and FileError.
RankPrediction benchRanks(const BenchOptions& options, const CompileOptions& compile,
                          const std::vector<std::string>& passedOn,
                          const std::filesystem::path& built);

/// The parameters of a design that grows with the ranks: `weak` is NAME:DIMENSIONS, and NAME is
/// among them. Returns what is wrong; empty: nothing.
std::string growParameters(std::vector<std::string>& parameters, const std::string& weak,
                           unsigned ranks);

}  // namespace smec::driver
