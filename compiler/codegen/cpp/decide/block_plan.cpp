// Straight-line code reaches every value by a constant element of a region.

#include <algorithm>
#include <set>
#include <utility>

#include "codegen/cpp/decide/block_fields.h"
#include "codegen/cpp/decide/decide.h"
#include "codegen/cpp/decide/slot_locals.h"
#include "codegen/cpp/decide/stores.h"
#include "codegen/cpp/decide/wiring.h"
#include "codegen/cpp/target.h"
#include "ir/visit.h"
#include "source/internal_error.h"

namespace smec::codegen::cpp {
namespace {

/// (plane, element) of fields.
using Fields = std::set<std::pair<std::uint32_t, std::uint32_t>>;

/// Of kept fields.
struct KeptFields {
    Fields driven;     ///< by steps planned so far
    Fields readAfter;  ///< by a step behind the one that drives it
};

class StepPlanner {
public:
    StepPlanner(Program& program, const BlockFields& fields, KeptFields& kept,
                const plan::InstanceRef& step)
        : program_(program),
          fields_(fields),
          kept_(kept),
          id_(step.cls),
          cls_(program.design.classes[step.cls.index]),
          info_(program.classes[step.cls.index]),
          instance_(step.instance),
          slotLocals_(slotLocalsOf(cls_, info_)) {}

    Activation plan() {
        for (const auto& [input, element] : info_.uses->elements) {
            const ir::Connection& connection = cls_.inputs[input].elements[element];
            const Source source = sourceOf(program_, connection, instance_);
            const Base base = isInPlace(source.plane) ? Base::State : baseOf(source.slot);
            const bool isOfBlock = fields_.isOfBlock(source.plane, source.instance);
            activation_.inputs.push_back(
                {input, element,
                 AtElement{base, source.element, isOfBlock,
                           fields_.isKept(source.plane, source.instance)}});
            if (!isOfBlock) activation_.inputs.back().unobserved = unobserved(source);
        }
        for (const std::uint32_t input : info_.uses->selected)
            addSelection(input);
        for (const std::uint32_t column : info_.columns)
            activation_.columns.push_back(
                {column, Known{cls_.columns[column].values.at(instance_)}});
        addState();
        addOutputs();
        decideStores(activation_, info_, {Checks::Test, fields_.isUnobserved()},
                     program_.options.ledger);
        return std::move(activation_);
    }

private:
    std::optional<AtElement> unobserved(const Source& source) {
        const auto variable = fields_.variableOf(source.plane, source.instance);
        if (!variable || !kept_.driven.contains({source.plane.index, source.instance}))
            return variable;
        kept_.readAfter.insert({source.plane.index, source.instance});
        return AtElement{Base::Read, source.element, true};
    }

    void addSelection(std::uint32_t input) {
        SelectionIndex index =
            selectionIndex(program_, cls_.inputs[input], instance_, instance_ + 1);
        const auto count = static_cast<std::uint32_t>(index.elements.size());
        activation_.selections.push_back(
            {input, count, index.slot, IndexTable{std::move(index.elements)}});
    }

    bool isInPlace(ir::PlaneId field) const {
        return program_.plan.storage[field.index].home == plan::Home::OneSlot;
    }

    AtElement own(Base base, ir::PlaneId id) const {
        const ir::Plane& plane = program_.design.planes[id.index];
        return AtElement{base,
                         elementIndex(program_, id, std::int64_t(instance_) * plane.perOwner)};
    }

    /// Whether variables stay where they lie. With more of them than registers copies would lie in memory,
    /// too, and what a branch does not set is not stored. In unobserved cycles a C++ compiler keeps them in
    /// registers, unless an element is set that may be one of them.
    bool usesReferences() const {
        using enum rules::Condition;
        const rules::Asker& ledger = program_.options.ledger;
        const rules::Subject subject = rules::Subject::ofClass(id_.index);
        const rules::Finding isPlain{PlainBody, info_.isPlain};
        const std::uint32_t count = info_.changedVariables > 0 ? 1 : 0;
        if (fields_.isUnobserved() && !info_.setsElements)
            return ledger.ask(rules::Rule::StateReferences, subject, {isPlain}, count);
        return ledger.ask(rules::Rule::StateReferences, subject,
                          {isPlain, {ChangedVariables, info_.changedVariables, target::kRegisters}},
                          count);
    }

    void addState() {
        const bool staysThere = usesReferences();
        for (std::uint32_t slot = 0; slot < cls_.state.size(); ++slot) {
            const std::uint32_t local = slotLocals_.state[slot];
            if (local == UINT32_MAX) continue;
            const bool isArray = cls_.body.locals[local].type.isArray();
            const LocalInfo& use = info_.locals[local];
            const Access place = own(Base::State, cls_.state[slot]);
            StateAccess state{slot, {local}, place, From{place}, use.isWritten && !isArray};
            if (!isArray && use.isOverwritten) state.begin = Overwritten{};
            if (staysThere && state.isStored && !use.isOverwritten
                && !variableWord(cls_.body.locals[local].type.scalar).isWide())
                state.worksOn = WorksOn::Reference;
            state.distance = elementDistance(program_, cls_.state[slot]);
            activation_.state.push_back(std::move(state));
        }
    }

    void addOutputs() {
        for (std::uint32_t slot = 0; slot < cls_.outputs.size(); ++slot) {
            const std::uint32_t local = slotLocals_.outputs[slot];
            if (local == UINT32_MAX) continue;
            const ir::Output& output = cls_.outputs[slot];
            const bool hasOneSlot = isInPlace(output.plane);
            AtElement place = own(hasOneSlot ? Base::State : Base::Write, output.plane);
            place.isOfBlock = fields_.isOfBlock(output.plane, instance_);
            place.isKept = fields_.isKept(output.plane, instance_);
            OutputAccess access{slot, {local}, place, Overwritten{}};
            access.isForLookers = fields_.isForLookers(output.plane, instance_);
            access.variable = fields_.variableOf(output.plane, instance_);
            if (access.variable) kept_.driven.insert({output.plane.index, instance_});
            if (hasOneSlot)
                access.begin = Overwritten{};
            else if (output.log)
                access.begin = Replay{own(Base::Read, output.plane), logSlot(cls_, *output.log),
                                      output.log->form.isCounted};
            else if (output.hold)
                access.begin = From{own(Base::Read, output.plane)};
            else
                access.begin = Default{defaultOf(program_.design.planes[output.plane.index])};
            if (info_.locals[local].isOverwritten) access.begin = Overwritten{};
            activation_.outputs.push_back(std::move(access));
        }
    }

    Access defaultOf(const ir::Plane& plane) {
        const auto length = static_cast<std::uint32_t>(plane.ownType().elements());
        const ir::Constant& first = initialOf(plane, instance_, 0);
        bool isSame = true;
        for (std::uint32_t i = 1; i < length; ++i)
            isSame = isSame && initialOf(plane, instance_, i) == first;
        if (isSame) return Known{first};
        const std::uint64_t bytes = length * std::uint64_t(plan::storageBytes(plane.type.scalar));
        return AtOffset{addInitial(program_.data, plane)
                        + (plane.initial.perInstance ? instance_ * bytes : 0)};
    }

    Program& program_;
    const BlockFields& fields_;
    KeptFields& kept_;
    const ir::ClassId id_;
    const ir::Class& cls_;
    const BodyInfo& info_;
    const std::uint32_t instance_;
    const SlotLocals slotLocals_;
    Activation activation_;
};

std::vector<BlockFunction> functionsOf(const plan::Kernel& kernel) {
    std::vector<BlockFunction> functions;
    for (std::uint32_t i = 0; i <= kernel.cuts.size(); ++i) {
        const plan::StepRange steps = plan::stepsOf(kernel, i);
        functions.push_back({steps.begin, steps.end, false});
    }
    return functions;
}

/// Whether unobserved cycles are written out two by two.
bool isPaired(const Program& program, const plan::Kernel& kernel) {
    using enum rules::Condition;
    return program.options.ledger.ask(rules::Rule::PairedCycles, rules::Subject::design(),
                                      {{Statements, kernel.statements, target::kPairStatements},
                                       {OneFunction, kernel.cuts.empty()}});
}

void addResting(const plan::Resting& resting, BlockPlan& block) {
    block.steps[resting.step].rests = true;
    for (const plan::Waker& waker : resting.wakers)
        block.steps[waker.step].wakes.push_back({waker.branch, resting.step});
}

}  // namespace

BlockPlan decideBlock(Program& program, const plan::Kernel& kernel) {
    BlockPlan block;
    block.steps.reserve(kernel.steps.size());
    block.functions = functionsOf(kernel);
    const BlockFields fields(program, kernel);
    KeptFields kept;
    for (const plan::InstanceRef& step : kernel.steps)
        block.steps.push_back({step, StepPlanner(program, fields, kept, step).plan()});
    block.runsUnobserved = fields.isUnobserved();
    block.runsPairs = block.runsUnobserved && isPaired(program, kernel);
    for (BlockFunction& function : block.functions)
        function.isInline = block.runsUnobserved && kernel.cuts.empty();
    for (BlockStep& step : block.steps) {
        const ir::Class& cls = program.design.classes[step.instance.cls.index];
        const Needs& needs = program.classes[step.instance.cls.index].needs;
        block.tellsCycle = block.tellsCycle || needs.cycle;
        block.mayEnd =
            block.mayEnd || (block.runsUnobserved && (needs.fails || needs.traces || needs.stops));
        for (OutputAccess& output : step.activation.outputs) {
            output.isReadAfter = kept.readAfter.contains(
                {cls.outputs[output.slot].plane.index, step.instance.instance});
        }
    }
    for (const plan::Resting& resting : kernel.resting)
        addResting(resting, block);
    block.hasResting = !kernel.resting.empty();
    return block;
}

}  // namespace smec::codegen::cpp
