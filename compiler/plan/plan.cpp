#include "plan/plan.h"

#include "plan/in_place.h"
#include "plan/layout.h"
#include "plan/levels.h"
#include "plan/merge.h"
#include "plan/partition.h"
#include "plan/set_logs.h"
#include "plan/upkeep.h"
#include "plan/whole.h"
#include "source/internal_error.h"

namespace smec::plan {
namespace {

void decideHomes(const ir::Design& design, const Options& options, Plan& plan) {
    const std::vector<bool> isReadFirst = orderForOneSlot(design, options, plan);
    plan.storage = decideStorage(design, isReadFirst, logsFor(design, isReadFirst, options.ledger));
}

}  // namespace

Plan decide(const ir::Design& design, const Facts& facts, const Options& options) {
    std::vector<std::uint32_t> sizes;
    std::vector<double> costs;
    for (const BodyFacts& cls : facts.classes) {
        sizes.push_back(cls.size);
        costs.push_back(cls.cost);
    }
    Plan plan;
    rules::Ledger ofLevels = options.ledger.draft();
    Options forLevels = options;
    forLevels.ledger = ofLevels;
    Schedule schedule = orderCombinational(design, forLevels, sizes);
    const Merging merging = mergeIntoReaders(design, forLevels, sizes, schedule);
    joinLightLevels(design, forLevels, costs, schedule);
    if (isWhole(design, facts, options, schedule.levels + 1)) {
        formWhole(design, options, sizes, costs, plan);
    } else {
        options.ledger.add(ofLevels);
        plan.levels = schedule.levels + 1;
        formKernels(design, options, schedule, merging, sizes, costs, plan);
    }
    decideHomes(design, options, plan);
    formUnits(design, options, sizes, plan);
    return plan;
}

void place(const ir::Design& design, const Facts& facts, const Options& options, Plan& plan) {
    addVariables(design, plan.storage);
    decideUpkeep(design, facts, options, plan);
    layOut(design, facts, options, plan);
    const std::vector<std::string> problems = verifyStorage(design, facts, plan);
    if (!problems.empty()) throw InternalError("storage: " + problems.front());
}

Plan build(const ir::Design& design, const Facts& facts, const Options& options) {
    Plan plan = decide(design, facts, options);
    for (Decision& decision : plan.storage)
        decision.log.reset();
    place(design, facts, options, plan);
    return plan;
}

Plan build(const ir::Design& design, const Options& options) {
    return build(design, factsOf(design), options);
}

}  // namespace smec::plan
