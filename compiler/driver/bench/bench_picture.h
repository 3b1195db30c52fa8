#pragma once

#include <string>
#include <vector>

#include "driver/bench/bench.h"

namespace smec::driver {

/// A script for gnuplot that prints an SVG to standard output: speedup against P, a panel for each
/// model, with the six curves, and beside it a bar: what became of all processor time at the
/// largest P.
std::string pictureScript(const BenchResult& result);

/// Moves labels so that neighbours are at least `distance` apart and all lie between 0 and `top`
/// where there is room. In the order of `wanted`, largest first.
std::vector<double> spreadLabels(std::vector<double> wanted, double distance, double top);

}  // namespace smec::driver
