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

bool isReadScattered(const Design& design, ClassId cls, const Readers& readers) {
    const auto& places = readers.of(cls);
    return std::any_of(places.begin(), places.end(), [&](const Readers::Place& place) {
        const Class& reader = design.classes[place.cls];
        const Input& input = reader.inputs[place.input];
        return isScattered(design, reader, input, input.elements[place.element]);
    });
}

/// Gives classes other orders where these pay off.
class Orderer {
public:
    Orderer(Design& design, const rules::Asker& ledger)
        : design_(design),
          ledger_(ledger),
          renumberer_(design),
          isOrdered_(design.classes.size()) {}

    bool run() {
        orderBySource();
        for (int round = 0; round < target::kOrderRounds; ++round)
            orderByWires();
        return renumberer_.finish();
    }

private:
    /// What was merged stands kind by kind. As the source has it, before those that read it follow an
    /// order that will not last.
    void orderBySource() {
        for (std::uint32_t i = 0; i < design_.classes.size(); ++i) {
            if (!fillsLanes(i) || !isReadScattered(design_, {i}, renumberer_.readers())) continue;
            const std::vector<Member> members{memberOf(design_, {i})};
            const Order order = sourceOrder(design_, members);
            if (!std::is_sorted(order.begin(), order.end()))
                apply({i}, members, wiresOf(design_, members), order);
        }
    }

    void orderByWires() {
        for (std::uint32_t i = 0; i < design_.classes.size(); ++i) {
            if (!fillsLanes(i) || !isScattered(design_, design_.classes[i])) continue;
            const std::vector<Member> members{memberOf(design_, {i})};
            const std::vector<Wire> wires = wiresOf(design_, members);
            apply({i}, members, wires, bestOrder(wires, sourceOrder(design_, members)));
        }
    }

    bool fillsLanes(std::uint32_t cls) const {
        return design_.classes[cls].instances >= ir::target::kLaneInstances;
    }

    /// Where instances in that order read, and are read, with at most half as many breaks.
    void apply(ClassId cls, const std::vector<Member>& members, const std::vector<Wire>& wires,
               const Order& order) {
        Order now(order.size());
        std::iota(now.begin(), now.end(), 0);
        const Readers& readers = renumberer_.readers();
        const std::size_t before =
            breaks(wires, now) + runsOfReaders(design_, members, readers, {});
        const std::size_t after =
            breaks(wires, order) + runsOfReaders(design_, members, readers, inverse(order));
        const rules::Finding left{rules::Condition::BreaksLeft, after,
                                  static_cast<double>(before) / 2};
        const bool isNews =
            left.holds() || !isOrdered_[cls.index];  // of an order that it has, once
        if (!ledger_.ask(rules::Rule::InstanceOrder, rules::Subject::ofClass(cls.index), {left},
                         isNews ? 1 : 0))
            return;
        renumberer_.apply(cls, order);
        isOrdered_[cls.index] = true;
    }

    Design& design_;
    const rules::Asker& ledger_;
    Renumberer renumberer_;
    std::vector<bool> isOrdered_;  ///< by class: it has another order
};

}  // namespace

bool orderInstances(Design& design, const rules::Asker& ledger) {
    return Orderer(design, ledger).run();
}

}  // namespace smec::passes
