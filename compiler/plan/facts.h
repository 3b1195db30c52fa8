#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "ir/analysis.h"
#include "ir/ir.h"
#include "plan/body_uses.h"

namespace smec::plan {

/// What is known of a body, found once and read by plan and code generation.
struct BodyFacts {
    std::vector<ir::Interval> intervals;  ///< by expression
    std::uint32_t size = 0;               ///< sizeOf()
    double cost = 0;                      ///< costOf(), of classes
    /// Neither C++ nor rounds that a run decides are in it, so that `cost` is more than a guess.
    bool isCostKnown = false;
    BodyUses uses;
    /// Of clocked classes: scalar outputs that are equal to a variable after every activation that does not fail,
    /// since the body ends with `output = variable`. The variable's local by the output's.
    std::map<std::uint32_t, std::uint32_t> mirrors;
    // ir/lanes.h, of classes:
    bool fillsLanes = false;
    bool fillsLanesInRounds = false;
    bool fillsLanesInStages = false;
};

/// Of every body of a design. Holds no reference to it.
struct Facts {
    std::vector<BodyFacts> classes;
    std::vector<BodyFacts> functions;

    bool areCostsKnown() const;
};

Facts factsOf(const ir::Design& design);

/// Finds them anew where bodies changed: of `classes` of the design that `facts` is of.
void update(Facts& facts, const ir::Design& design, std::span<const std::uint32_t> classes);

}  // namespace smec::plan
