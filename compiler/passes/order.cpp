#include <algorithm>
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

bool isReadScattered(const Design& design, ClassId cls, const Readers& readers) {
    const auto& places = readers.of(cls);
    return std::any_of(places.begin(), places.end(), [&](const Readers::Place& place) {
        const Class& reader = design.classes[place.cls];
        const Input& input = reader.inputs[place.input];
        return isScattered(design, reader, input, input.elements[place.element]);
    });
}

/// What was merged stands kind by kind. As the source has it, before those that read it follow an
/// order that will not last.
void orderBySource(Design& design, Renumberer& renumberer) {
    for (std::uint32_t i = 0; i < design.classes.size(); ++i) {
        if (design.classes[i].instances < ir::target::kLaneInstances
            || !isReadScattered(design, {i}, renumberer.readers()))
            continue;
        const std::vector<Member> members{memberOf(design, {i})};
        const Order order = sourceOrder(design, members);
        if (!std::is_sorted(order.begin(), order.end())
            && paysOff(design, members, renumberer.readers(), wiresOf(design, members), order))
            renumberer.apply({i}, order);
    }
}

}  // namespace

bool orderInstances(Design& design) {
    Renumberer renumberer(design);
    orderBySource(design, renumberer);
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
