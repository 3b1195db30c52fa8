#pragma once

#include <cstdint>
#include <vector>

#include "ir/ir.h"
#include "plan/facts.h"
#include "plan/plan.h"

namespace smec::plan {

/// Asks whether a design is one block: combinational processes, whose levels (`levels`, with the clocked
/// one) would each wait for the one before, few instances, and so little work in all, as far as can
/// be told, that levels would not be worth their barriers.
bool isWhole(const ir::Design& design, const Facts& facts, const Options& options,
             std::uint32_t levels);

/// Fills `kernels` with that block. Each clocked process, in source order, stands behind those
/// combinational ones that it is the first to read, so that what they tell it is still at hand; then
/// comes what nobody reads. A long block is cut into functions of about equal length.
void formWhole(const ir::Design& design, const Options& options,
               const std::vector<std::uint32_t>& sizes, const std::vector<double>& costs,
               Plan& plan);

}  // namespace smec::plan
