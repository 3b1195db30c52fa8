#include "codegen/cpp/decide/walk_plan.h"

#include <algorithm>

#include "codegen/cpp/decide/stages.h"
#include "codegen/cpp/decide/stores.h"
#include "codegen/cpp/target.h"

namespace smec::codegen::cpp {
namespace {

constexpr ir::Scalar kWord32{ir::ScalarKind::Int, false, 32};
constexpr ir::Scalar kFlag{ir::ScalarKind::Int, false, 8};
constexpr ir::Scalar kDistance{ir::ScalarKind::Int, true, 64};

}  // namespace

WalkPlanner::WalkPlanner(Program& program, ir::ClassId cls, const Wiring& wiring, WalkKind kind)
    : program_(program),
      id_(cls),
      cls_(program.design.classes[cls.index]),
      info_(program.classes[cls.index]),
      facts_(program.facts.classes[cls.index]),
      wiring_(wiring),
      slotLocals_(slotLocalsOf(cls_, info_)) {
    walk_.kind = kind;
}

Walk WalkPlanner::plan() {
    walk_.selects = selects();
    walk_.compiled = compiled();
    walk_.isSilent = !tests(info_.needs.context);
    walk_.told = {tests(info_.needs.context), tests(info_.needs.instance)};
    for (const Port& port : wiring_.ports)
        addPort(port);
    for (const std::uint32_t input : info_.uses->selected)
        addSelection(input);
    for (const std::uint32_t column : info_.columns)
        addColumn(column);
    addState();
    if (isAtSeams()) addSaved();
    addOutputs();
    decideStores(walk_.activation, info_, {checksOf(walk_.kind)}, program_.options.ledger);
    if (hasStages()) addStages();
    return std::move(walk_);
}

void WalkPlanner::addStages() {
    walk_.stages = stagesOf(cls_, info_, walk_.activation);
    walk_.round = target::kStageInstances;
    for (const Stage& stage : walk_.stages) {
        for (const ir::LocalId id : stage.left) {
            if (std::find(walk_.lanes.begin(), walk_.lanes.end(), id) == walk_.lanes.end())
                walk_.lanes.push_back(id);
        }
    }
}

WalkFunction WalkPlanner::compiled() const {
    if (checksOf(walk_.kind) == Checks::Collect) return WalkFunction::Checks;
    if (walk_.selects != Selects::Masks) return WalkFunction::Loop;
    const auto selects = std::ranges::count_if(cls_.body.exprs, [](const ir::Expr& expr) {
        return std::holds_alternative<ir::Select>(expr.node);
    });
    return selects >= target::kManySelects ? WalkFunction::LongLanes : WalkFunction::Lanes;
}

bool WalkPlanner::hasStages() const {
    return isForLanes() && !isAtSeams() && info_.uses->selected.empty() && info_.parts.empty()
           && facts_.fillsLanesInStages;
}

/// g++ gathers no small words.
bool WalkPlanner::isForLanes() const {
    return program_.options.lanes
           && std::none_of(wiring_.ports.begin(), wiring_.ports.end(),
                           [](const Port& port) { return port.isGathered(); });
}

/// Masks are for vector code alone. Around a loop of rounds g++ takes
/// no control flow, not even that of a float which is stored.
Selects WalkPlanner::selects() const {
    const std::vector<ir::Expr>& exprs = cls_.body.exprs;
    const bool chooses = std::any_of(exprs.begin(), exprs.end(), [](const ir::Expr& expr) {
        return std::holds_alternative<ir::Select>(expr.node);
    });
    const bool isInLanes =
        isForLanes()
        && ((chooses && facts_.fillsLanes) || facts_.fillsLanesInRounds || hasStages());
    return program_.options.ledger.ask(rules::Rule::Masks, rules::Subject::ofClass(id_.index),
                                       {{rules::Condition::VectorCode, isInLanes}},
                                       chooses || isInLanes ? 1 : 0)
               ? Selects::Masks
               : Selects::Branches;
}

std::int64_t WalkPlanner::fromBegin(std::uint64_t length) const {
    return isAtSeams() ? 0 : static_cast<std::int64_t>(length);
}

ParameterId WalkPlanner::add(ParameterUse use, std::uint32_t of, const ir::Scalar& type,
                             Argument argument, std::optional<std::uint32_t> element) {
    walk_.parameters.push_back({use, of, element, type, argument});
    return static_cast<ParameterId>(walk_.parameters.size() - 1);
}

// ---------------------------------------------------------------- inputs

void WalkPlanner::addPort(const Port& port) {
    const ir::Scalar& type = cls_.inputs[port.input].type.scalar;
    const bool hasStep = port.tellsStride() && walk_.kind == WalkKind::Strided;
    const Access from = port.isGathered() ? gathered(port, type)
                        : hasStep         ? withStep(port, type)
                                          : strided(port, type);
    walk_.activation.inputs.push_back({port.input, port.element, from});
    if (port.border) walk_.activation.inputs.back().undriven = afterBorder(port);
}

Access WalkPlanner::gathered(const Port& port, const ir::Scalar& type) {
    const ParameterId index =
        add(ParameterUse::Index, port.input, kWord32,
            InRegion{Base::Constants, port.indexOffset, fromBegin(1)}, port.element);
    if (port.slot == Slot::Either) {
        walk_.told.context = true;
        return AtCode{index};
    }
    return AtIndex{index, add(ParameterUse::Field, port.input, type,
                              InRegion{baseOf(port.slot), 0, 0}, port.element)};
}

Access WalkPlanner::strided(const Port& port, const ir::Scalar& type) {
    if (isAtSeams())
        return AtSeam{add(ParameterUse::Field, port.input, type, InRegion{baseOf(port.slot), 0, 0},
                          port.element),
                      port.column};
    return AtStride{add(ParameterUse::Field, port.input, type,
                        InRow{port.slot, port.column, port.stride}, port.element),
                    port.stride};
}

Access WalkPlanner::withStep(const Port& port, const ir::Scalar& type) {
    const ParameterId pointer = add(ParameterUse::Field, port.input, type,
                                    InRowByStep{port.slot, port.column}, port.element);
    const ParameterId step =
        add(ParameterUse::Step, port.input, kDistance, RowStep{port.column + 1}, port.element);
    return AtStep{pointer, step};
}

Undriven WalkPlanner::afterBorder(const Port& port) {
    auto column = borders_.find(port.borderOffset);
    if (column == borders_.end()) {
        const InRegion flags{Base::Constants, port.borderOffset, fromBegin(1)};
        column =
            borders_.emplace(port.borderOffset, add(ParameterUse::Flags, 0, kFlag, flags)).first;
    }
    return {column->second, port.border->value};
}

void WalkPlanner::addSelection(std::uint32_t input) {
    const ir::Input& in = cls_.inputs[input];
    const auto count = static_cast<std::uint32_t>(in.elements.size());
    const SelectionIndex index = selectionIndex(program_, in, 0, cls_.instances);
    const std::uint64_t offset = program_.data.add(wordsAsBytes(index.elements), 64);
    IndexColumn column{
        add(ParameterUse::Index, input, kWord32, InRegion{Base::Constants, offset, count}), {}};
    if (index.slot == Slot::Either)
        walk_.told.context = true;
    else
        column.base =
            add(ParameterUse::Base, input, in.type.scalar, InRegion{baseOf(index.slot), 0, 0});
    walk_.activation.selections.push_back({input, count, index.slot, column});
}

void WalkPlanner::addColumn(std::uint32_t column) {
    const ir::Column& c = cls_.columns[column];
    const std::uint64_t offset = program_.data.add(storedBytes(c.values, c.type), 64);
    const ParameterId pointer =
        add(ParameterUse::Column, column, c.type, InRegion{Base::Constants, offset, fromBegin(1)});
    walk_.activation.columns.push_back({column, OfInstance{pointer, 0}});
}

// ---------------------------------------------------------------- variables and fields

Access WalkPlanner::planeAccess(ParameterUse use, std::uint32_t slot, ir::PlaneId id, Base base) {
    const ir::StorageType own = program_.design.planes[id.index].ownType();
    const InRegion start{base, program_.plan.placements[id.index].offset,
                         fromBegin(own.elements())};
    return OfInstance{add(use, slot, own.scalar, start), own.length};
}

/// A variable that some paths alone set: a copy would be loaded and stored on all of them.
bool WalkPlanner::isInBranches(ir::LocalId local) const {
    return info_.setOn[local.index] == SetOn::SomePaths
           && !variableWord(cls_.body.locals[local.index].type.scalar).isWide();
}

/// Whether such variables stay where they lie. Lanes want copies, and so do parts of long bodies.
bool WalkPlanner::usesReferences() const {
    const bool isScalarLoop = walk_.selects == Selects::Branches
                              && checksOf(walk_.kind) == Checks::Test && !isAtSeams()
                              && info_.parts.empty();
    const auto count = std::ranges::count_if(slotLocals_.state, [&](std::uint32_t id) {
        return id != UINT32_MAX && isInBranches({id});
    });
    return isScalarLoop
           && program_.options.ledger.ask(rules::Rule::StateReferences,
                                          rules::Subject::ofClass(id_.index), {},
                                          static_cast<std::uint32_t>(count));
}

void WalkPlanner::addState() {
    const bool staysThere = usesReferences();
    for (std::uint32_t slot = 0; slot < cls_.state.size(); ++slot) {
        const std::uint32_t id = slotLocals_.state[slot];
        if (id == UINT32_MAX) continue;
        const ir::Local& local = cls_.body.locals[id];
        const LocalInfo& use = info_.locals[id];
        const Access place = planeAccess(ParameterUse::State, slot, cls_.state[slot], Base::State);
        StateAccess state{slot, {id}, place, From{place}, use.isWritten && !local.type.isArray()};
        state.distance = elementDistance(program_, cls_.state[slot]);
        if (program_.plan.storage[cls_.state[slot].index].order == plan::Order::ByElement) {
            state.place = OfInstance{std::get<OfInstance>(place).pointer, 1};
            state.begin = From{state.place};
        } else if (!local.type.isArray() && use.isOverwritten) {
            state.begin = Overwritten{};
        } else if (local.form == ir::LocalForm::Common
                   && (walk_.kind == WalkKind::Ahead || walk_.kind == WalkKind::Sure)) {
            state.begin = From{commonValue(slot)};
        } else if (staysThere && isInBranches(state.local)) {
            state.worksOn = WorksOn::Reference;
        }
        walk_.activation.state.push_back(std::move(state));
    }
}

/// Told from outside of the loop, so that C++ compilers see that it is the same for all.
Access WalkPlanner::commonValue(std::uint32_t slot) {
    const ir::PlaneId plane = cls_.state[slot];
    const FirstValue value{program_.plan.placements[plane.index].offset};
    return ParameterValue{
        add(ParameterUse::Common, slot, program_.design.planes[plane.index].type.scalar, value)};
}

/// Variables that the walk of the segment has changed begin as they were.
void WalkPlanner::addSaved() {
    for (const std::uint32_t slot : wiring_.saved) {
        const ir::Scalar& type = program_.design.planes[cls_.state[slot].index].type.scalar;
        const ParameterId saved = add(ParameterUse::Saved, slot, type, SavedState{slot});
        for (StateAccess& state : walk_.activation.state) {
            if (state.slot == slot) state.begin = From{AtStride{saved, 1}};
        }
    }
}

void WalkPlanner::addOutputs() {
    for (std::uint32_t slot = 0; slot < cls_.outputs.size(); ++slot) {
        const std::uint32_t local = slotLocals_.outputs[slot];
        if (local == UINT32_MAX) continue;
        const ir::Output& output = cls_.outputs[slot];
        OutputAccess access{slot,
                            {local},
                            planeAccess(ParameterUse::Output, slot, output.plane, Base::Write),
                            Overwritten{}};
        if (!info_.locals[local].isOverwritten) {
            const auto last = [&] {
                return planeAccess(ParameterUse::Last, slot, output.plane, Base::Read);
            };
            if (output.log)
                access.begin =
                    Replay{last(), logSlot(cls_, *output.log), output.log->form.isCounted};
            else if (output.hold)
                access.begin = From{last()};
            else
                access.begin = Default{defaultOf(slot, program_.design.planes[output.plane.index])};
        }
        walk_.activation.outputs.push_back(std::move(access));
    }
}

Access WalkPlanner::defaultOf(std::uint32_t slot, const ir::Plane& plane) {
    if (isUniform(plane.initial)) return Known{initialOf(plane, 0, 0)};
    const ir::StorageType own = plane.ownType();
    const std::uint64_t offset = addInitial(program_.data, plane);
    const bool each = plane.initial.perInstance;
    const ParameterId pointer =
        add(ParameterUse::Initial, slot, plane.type.scalar,
            InRegion{Base::Constants, offset, each ? fromBegin(own.elements()) : 0});
    if (!own.isArray()) return OfInstance{pointer, 0};
    return each ? Access{OfInstance{pointer, own.length}} : Access{AtStride{pointer, 0}};
}

}  // namespace smec::codegen::cpp
