// A block whose cycles nobody observes need not store what only lookers read. Of the fields of a block
//
//   f: y = x + 1 (combinational)   g: z = y * 2 (combinational)   c: n = n + z; x = n (clocked, n its variable)
//
// y and z are made anew in every cycle before they are read, x is equal to n between cycles. A block that is cut has
// several functions: what one tells a later one is in memory, and so is a field that a later function than its
// writer's reads as it was before.

#include "plan/upkeep.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "plan/resting.h"
#include "plan/steps.h"

namespace smec::plan {
namespace {

bool mayGoUnobserved(const ir::Design& design, const Options& options, const Plan& plan) {
    using enum rules::Condition;
    const bool isForeign = std::ranges::any_of(design.functions, ir::isForeign);
    return options.ledger.ask(rules::Rule::UnobservedCycles, rules::Subject::design(),
                              {{OneBlock, plan.kernels.size() == 1}, {NoForeignCode, !isForeign}});
}

/// Whether it is a scalar that begins each cycle anew.
bool isFreshScalar(const ir::Plane& plane) { return !plane.ownType().isArray() && !plane.hold; }

/// What is found out about a field.
struct Uses {
    bool isWritten = false;
    std::uint32_t writer = 0;   ///< function
    bool isReadBehind = false;  ///< its value of the cycle, in its writer's function
    bool isReadBefore = false;  ///< the value before, up to its writer's function
    bool isReadInMemory = false;
};

/// `variable`: that the field is equal to between cycles.
Upkeep upkeepFor(const Uses& uses, std::optional<ir::PlaneId> variable) {
    if (!uses.isWritten || uses.isReadInMemory) return Always{};
    if (variable) return Mirror{*variable};
    if (uses.isReadBefore) return Always{};
    return Recomputed{uses.isReadBehind};
}

class Upkeeper {
public:
    Upkeeper(const ir::Design& design, const Facts& facts, const Options& options)
        : design_(design),
          facts_(facts),
          options_(options),
          uses_(design.planes.size()),
          variables_(design.planes.size()) {
        for (std::size_t i = 0; i < uses_.size(); ++i)
            uses_[i].resize(design.planes[i].instances);
    }

    void run(const Kernel& kernel, Storage& storage) {
        forEachStep(kernel, [&](const InstanceRef& step, StepPlace place) {
            const ir::Class& cls = design_.classes[step.cls.index];
            forEachFieldWritten(cls, facts_.classes[step.cls.index].uses, step.instance,
                                [&](FieldRef field) {
                                    if (!isFreshScalar(design_.planes[field.plane])) return;
                                    uses(field).isWritten = true;
                                    uses(field).writer = place.function;
                                });
        });
        forEachStep(kernel, [&](const InstanceRef& step, StepPlace place) {
            const ir::Class& cls = design_.classes[step.cls.index];
            forEachFieldRead(cls, facts_.classes[step.cls.index].uses, step.instance,
                             [&](FieldRef field, bool isChosen) { note(field, isChosen, place); });
        });
        for (std::uint32_t i = 0; i < design_.classes.size(); ++i)
            noteMirrors(design_.classes[i], facts_.classes[i]);
        for (std::uint32_t i = 0; i < uses_.size(); ++i)
            storage[i].upkeep = upkeepOfPlane(i);
    }

private:
    Uses& uses(FieldRef field) { return uses_[field.plane][field.element]; }

    /// A later function finds a mirror's variable changed.
    void note(FieldRef field, bool isChosen, StepPlace reader) {
        Uses& found = uses(field);
        const bool isBehind = design_.planes[field.plane].combinational;
        if (isChosen
            || (isBehind ? found.writer != reader.function : found.writer < reader.function))
            found.isReadInMemory = true;
        else
            (isBehind ? found.isReadBehind : found.isReadBefore) = true;
    }

    void noteMirrors(const ir::Class& cls, const BodyFacts& facts) {
        if (!options_.ledger.allows(rules::Rule::Mirrors)) return;
        for (const auto& [output, variable] : facts.mirrors) {
            const ir::PlaneId plane = cls.outputs[cls.body.locals[output].slot].plane;
            if (isFreshScalar(design_.planes[plane.index]))
                variables_[plane.index] = cls.state[cls.body.locals[variable].slot];
        }
    }

    std::vector<Upkeep> upkeepOfPlane(std::uint32_t plane) const {
        std::vector<Upkeep> upkeep;
        for (const Uses& uses : uses_[plane])
            upkeep.push_back(upkeepFor(uses, variables_[plane]));
        const bool isAlways = std::ranges::all_of(
            upkeep, [](const Upkeep& each) { return std::holds_alternative<Always>(each); });
        return isAlways ? std::vector<Upkeep>{} : upkeep;
    }

    const ir::Design& design_;
    const Facts& facts_;
    const Options& options_;
    std::vector<std::vector<Uses>> uses_;                ///< by plane and element
    std::vector<std::optional<ir::PlaneId>> variables_;  ///< by plane
};

class UpkeepVerifier {
public:
    UpkeepVerifier(const ir::Design& design, const Facts& facts, const Plan& plan)
        : design_(design), facts_(facts), plan_(plan) {}

    std::vector<std::string> run() {
        const auto isKept = [](const Decision& decision) { return !decision.upkeep.empty(); };
        if (std::ranges::none_of(plan_.storage, isKept)) return {};
        for (const Kernel& kernel : plan_.kernels)
            if (kernel.isUnobserved) findWriters(kernel);
        for (std::uint32_t i = 0; i < plan_.storage.size(); ++i)
            checkPlane(i, plan_.storage[i].upkeep);
        for (const Kernel& kernel : plan_.kernels)
            if (kernel.isUnobserved && problems_.empty()) checkReads(kernel);
        return std::move(problems_);
    }

private:
    void complain(std::uint32_t plane, const char* what) {
        problems_.push_back("'" + design_.planes[plane].name + "': " + what);
    }

    void findWriters(const Kernel& kernel) {
        forEachStep(kernel, [&](const InstanceRef& step, StepPlace place) {
            forEachFieldWritten(design_.classes[step.cls.index],
                                facts_.classes[step.cls.index].uses, step.instance,
                                [&](FieldRef field) { writers_[field] = place; });
        });
    }

    void checkPlane(std::uint32_t index, const std::vector<Upkeep>& upkeep) {
        const ir::Plane& plane = design_.planes[index];
        if (upkeep.empty()) return;
        if (upkeep.size() != plane.instances || plane.kind != ir::PlaneKind::Output
            || !isFreshScalar(plane))
            return complain(index, "is stored now and then, and is no scalar field");
        for (std::uint32_t i = 0; i < upkeep.size(); ++i) {
            if (std::holds_alternative<Always>(upkeep[i])) continue;
            if (!writers_.contains({index, i}))
                complain(index, "is not stored, and nobody drives it");
            const auto* mirror = std::get_if<Mirror>(&upkeep[i]);
            if (mirror && !isEqual(plane, {index}, mirror->variable))
                complain(index, "is not equal to the variable that it mirrors");
        }
    }

    /// Whether the body's last word on a field is that it has a variable's value, which stays what it is.
    bool isEqual(const ir::Plane& field, ir::PlaneId id, ir::PlaneId variable) const {
        const ir::Plane& other = design_.planes[variable.index];
        if (other.kind != ir::PlaneKind::State || other.owner != field.owner
            || other.type != field.type)
            return false;
        const ir::Class& cls = design_.classes[field.owner.index];
        for (const auto& [output, local] : facts_.classes[field.owner.index].mirrors)
            if (cls.outputs[cls.body.locals[output].slot].plane == id)
                return cls.state[cls.body.locals[local].slot] == variable;
        return false;
    }

    void checkReads(const Kernel& kernel) {
        forEachStep(kernel, [&](const InstanceRef& step, StepPlace place) {
            forEachFieldRead(
                design_.classes[step.cls.index], facts_.classes[step.cls.index].uses, step.instance,
                [&](FieldRef field, bool isChosen) { checkRead(field, isChosen, place); });
        });
        std::ranges::copy(verifyResting(design_, facts_, kernel, plan_.storage),
                          std::back_inserter(problems_));
    }

    void checkRead(FieldRef field, bool isChosen, StepPlace reader) {
        const Upkeep& upkeep = upkeepOf(plan_.storage, field);
        if (std::holds_alternative<Always>(upkeep)) return;
        const StepPlace writer = writers_.at(field);
        if (isChosen) return complain(field.plane, "is not stored, and a reader chooses it");
        if (std::holds_alternative<Mirror>(upkeep)) {
            if (reader.function > writer.function)
                complain(field.plane, "is read where its variable has changed");
        } else if (!std::get<Recomputed>(upkeep).isRead
                   || !design_.planes[field.plane].combinational
                   || reader.function != writer.function || reader.step <= writer.step) {
            complain(field.plane, "is not stored, and read before it is made anew");
        }
    }

    const ir::Design& design_;
    const Facts& facts_;
    const Plan& plan_;
    std::map<FieldRef, StepPlace> writers_;
    std::vector<std::string> problems_;
};

}  // namespace

void decideUpkeep(const ir::Design& design, const Facts& facts, const Options& options,
                  Plan& plan) {
    for (Decision& decision : plan.storage)
        decision.upkeep.clear();
    for (Kernel& kernel : plan.kernels) {
        kernel.resting.clear();
        kernel.isUnobserved = false;
    }
    const bool hasBlock = std::ranges::count(plan.kernels, KernelKind::Block, &Kernel::kind) > 0;
    if (!hasBlock || !mayGoUnobserved(design, options, plan)) return;
    Kernel& block = plan.kernels.front();
    block.isUnobserved = true;
    Upkeeper(design, facts, options).run(block, plan.storage);
    if (options.ledger.allows(rules::Rule::RestingSteps) && block.cuts.empty())
        findResting(design, facts, block, plan.storage);
}

std::vector<std::string> verifyUpkeep(const ir::Design& design, const Facts& facts,
                                      const Plan& plan) {
    return UpkeepVerifier(design, facts, plan).run();
}

}  // namespace smec::plan
