#include "plan/plan.h"

#include <utility>

#include "plan/in_place.h"
#include "plan/layout.h"
#include "plan/levels.h"
#include "plan/merge.h"
#include "plan/partition.h"
#include "plan/sizes.h"
#include "plan/whole.h"

namespace smec::plan {
namespace {

Plan finished(const ir::Design& design, const Options& options, Plan plan) {
    const std::vector<bool> inPlace = orderForOneSlot(design, plan);
    formUnits(design, options, plan);
    layOut(design, options, inPlace, plan);
    return plan;
}

}  // namespace

Plan build(const ir::Design& design, const Options& options) {
    std::vector<std::uint32_t> sizes;
    sizes.reserve(design.classes.size());
    for (const ir::Class& cls : design.classes)
        sizes.push_back(sizeOf(cls.body));

    Plan plan;
    const std::vector<double> costs = costsOf(design);
    Schedule schedule = orderCombinational(design, options, sizes);
    const Merging merging = mergeIntoReaders(design, options, sizes, schedule);
    joinLightLevels(design, schedule);
    if (isWhole(design, options, sizes, costs, schedule.levels + 1)) {
        formWhole(design, options, sizes, costs, plan);
    } else {
        plan.levels = schedule.levels + 1;
        formKernels(design, options, schedule, merging, sizes, plan);
    }
    return finished(design, options, std::move(plan));
}

}  // namespace smec::plan
