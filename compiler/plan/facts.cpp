#include "plan/facts.h"

#include <algorithm>

#include "ir/lanes.h"
#include "ir/visit.h"
#include "plan/mirrors.h"
#include "plan/plan.h"
#include "plan/sizes.h"

namespace smec::plan {
namespace {

bool isCostKnown(const ir::Body& body) {
    bool isKnown = true;
    ir::forEachStmt(body.statements, [&](const ir::Stmt& stmt) {
        if (const auto* counted = std::get_if<ir::For>(&stmt.node))
            isKnown = isKnown && counted->rounds;
        if (const auto* loop = std::get_if<ir::Loop>(&stmt.node))
            isKnown = isKnown && loop->isStateMachine;
    });
    return isKnown;
}

BodyFacts factsOf(const ir::Body& body, const std::vector<ir::Column>& columns,
                  const std::vector<ir::Input>& inputs, const ir::Design& design,
                  const std::vector<BodyFacts>& functions) {
    BodyFacts facts;
    facts.intervals = ir::intervals(body, columns, inputs, design);
    facts.size = sizeOf(body);
    facts.isCostKnown = isCostKnown(body);
    facts.uses = usesOf(body, functions);
    return facts;
}

BodyFacts factsOf(const ir::Class& cls, double cost, const ir::Design& design,
                  const std::vector<BodyFacts>& functions) {
    BodyFacts facts = factsOf(cls.body, cls.columns, cls.inputs, design, functions);
    facts.cost = cost;
    if (!cls.combinational) facts.mirrors = mirrorsOf(cls.body, facts.uses);
    facts.fillsLanes = ir::fillsLanes(cls, facts.intervals);
    facts.fillsLanesInRounds = ir::fillsLanesInRounds(cls, facts.intervals);
    facts.fillsLanesInStages = ir::fillsLanesInStages(cls, facts.intervals);
    return facts;
}

}  // namespace

bool Facts::areCostsKnown() const {
    return std::ranges::all_of(classes, &BodyFacts::isCostKnown)
           && std::ranges::all_of(functions, &BodyFacts::isCostKnown);
}

Facts factsOf(const ir::Design& design) {
    const std::vector<double> costs = costsOf(design);
    Facts facts;
    facts.classes.reserve(design.classes.size());
    facts.functions.reserve(design.functions.size());
    // none calls a later one
    for (const ir::Function& function : design.functions) {
        facts.functions.push_back(factsOf(function.body, {}, {}, design, facts.functions));
        BodyFacts& own = facts.functions.back();
        own.isCostKnown = own.isCostKnown && !function.callsForeign;
    }
    for (std::size_t i = 0; i < design.classes.size(); ++i)
        facts.classes.push_back(factsOf(design.classes[i], costs[i], design, facts.functions));
    return facts;
}

void update(Facts& facts, const ir::Design& design, std::span<const std::uint32_t> classes) {
    for (const std::uint32_t index : classes) {
        const ir::Class& cls = design.classes[index];
        facts.classes[index] = factsOf(cls, costOf(cls.body, design), design, facts.functions);
    }
}

}  // namespace smec::plan
