#include <numeric>

#include "ir/target.h"
#include "passes/passes.h"
#include "passes/renumber.h"
#include "passes/wires.h"

// Lowering numbers the instances of a class as the source lists them: tile by tile, kind by kind.
// Where they then read from places that follow no rule, they are put into an order in which they do
// not, if there is one (passes/wires.h).

namespace smec::passes {

using namespace ir;

namespace {

/// Whether instances in that order read, and are read, with at most half as many breaks.
bool paysOff(const Design& design, const std::vector<Member>& members, const Readers& readers,
             const std::vector<Wire>& wires, const Order& order) {
    Order now(order.size());
    std::iota(now.begin(), now.end(), 0);
    const std::size_t before = breaks(wires, now) + runsOfReaders(design, members, readers, {});
    const std::size_t after =
        breaks(wires, order) + runsOfReaders(design, members, readers, inverse(order));
    return 2 * after <= before;
}

}  // namespace

bool orderInstances(Design& design) {
    Renumberer renumberer(design);
    for (int round = 0; round < target::kOrderRounds; ++round) {
        for (std::uint32_t i = 0; i < design.classes.size(); ++i) {
            const Class& cls = design.classes[i];
            if (cls.instances < ir::target::kLaneInstances || !isScattered(design, cls)) continue;
            const std::vector<Member> members{memberOf(design, {i})};
            const std::vector<Wire> wires = wiresOf(design, members);
            const Order order = bestOrder(wires, sourceOrder(design, members));
            if (paysOff(design, members, renumberer.readers(), wires, order))
                renumberer.apply({i}, order);
        }
    }
    return renumberer.finish();
}

}  // namespace smec::passes
