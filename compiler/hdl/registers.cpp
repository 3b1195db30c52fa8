#include "hdl/registers.h"

#include <algorithm>

#include "hdl/long_loops.h"
#include "hdl/read_after_write.h"
#include "hdl/target.h"
#include "hdl/walk.h"
#include "ir/arithmetic.h"
#include "ir/references.h"

// The registers of a clocked process are its outputs and variables. Where a variable is not read
// after a place that sets it, it is assigned like a register; else a local of the process carries
// its value through the activation:
//
//   n = n + 1;  y.v = n;     n_next := n;  n_next := n_next + 1;  y_v <= n_next;  n <= n_next;

namespace smec::hdl {

using ir::LocalId;
using ir::LocalKind;

namespace {

/// Outputs that start each activation with their default.
std::vector<bool> startsAnew(const ir::Class& cls) {
    std::vector<bool> result;
    for (const ir::Local& local : cls.body.locals)
        result.push_back(local.kind == LocalKind::Output && !cls.outputs[local.slot].hold);
    return result;
}

/// Whether a variable becomes a memory that the body sets: what sets it may be a process of its
/// own, which sees registers, and no arrays that another process assigns at once.
bool setsMemory(const ir::Body& body) {
    bool found = false;
    ir::forEachStmt(body.statements, [&](const ir::Stmt& stmt) {
        const auto* set = std::get_if<ir::Set>(&stmt.node);
        if (!set) return;
        const ir::Local& local = body.locals[set->local.index];
        found =
            found || (local.kind == LocalKind::State && local.type.elements() > target::kMostReset);
    });
    return found;
}

}  // namespace

Signal inputPort(const ir::Input& input) {
    Signal signal;
    signal.role = Role::Input;
    signal.type = typeOf(input.type.scalar);
    const std::uint64_t count = input.elements.size() * input.type.elements();
    const bool isArray = input.elements.size() > 1 || input.type.isArray();
    signal.length = isArray ? static_cast<std::uint32_t>(count) : 0;
    signal.isPacked = isArray;
    signal.source = input.name;
    return signal;
}

Signal outputPort(const ir::Design& design, const ir::Output& output) {
    const ir::Plane& plane = design.planes[output.plane.index];
    Signal signal;
    signal.role = Role::Output;
    signal.type = typeOf(plane.type.scalar);
    signal.length = plane.ownType().length;
    signal.isPacked = signal.length != 0;
    signal.source = output.name;
    return signal;
}

Registers::Registers(const ir::Design& design, const ir::Class& cls,
                     const std::vector<ir::Interval>& values,
                     const std::vector<std::int64_t>& sameAs, ModuleBuilder& builder)
    : design_(design),
      cls_(cls),
      body_(cls.body),
      sameAs_(sameAs),
      builder_(builder),
      module_(builder.module()),
      isReadBack_(readAfterWrite(body_, values, startsAnew(cls))),
      isConditional_(setInBranch(body_)),
      isSetInLongLoop_(setInLongLoops(body_)),
      setsMemory_(!cls.combinational && setsMemory(body_)) {}

void Registers::declare() {
    declarePorts();
    locals_.resize(body_.locals.size());
    registers_.resize(body_.locals.size());
    const std::vector<bool> onlyCounts = counters();
    for (std::uint32_t i = 0; i < body_.locals.size(); ++i)
        if (!onlyCounts[i]) declare(LocalId{i});
}

void Registers::declarePorts() {
    for (std::size_t i = 0; i < cls_.inputs.size(); ++i) {
        inputs_.push_back({});
        if (sameAs_[i] >= 0) continue;
        const ir::Input& input = cls_.inputs[i];
        Signal signal = inputPort(input);
        inputs_[i] = builder_.signal(isOutput(input.name) ? input.name + "_read" : input.name,
                                     std::move(signal));
    }
    for (const ir::Output& output : cls_.outputs) {
        Signal signal = outputPort(design_, output);
        signal.isRegister = !cls_.combinational;
        setInitial(signal, output.plane);
        outputs_.push_back(builder_.signal(output.name, std::move(signal)));
    }
    for (std::size_t i = 0; i < cls_.inputs.size(); ++i)
        if (sameAs_[i] >= 0) inputs_[i] = outputs_[static_cast<std::size_t>(sameAs_[i])];
}

bool Registers::isOutput(const std::string& name) const {
    return std::any_of(cls_.outputs.begin(), cls_.outputs.end(),
                       [&](const ir::Output& output) { return output.name == name; });
}

/// A value for all instances, or a parameter.
void Registers::setInitial(Signal& signal, ir::PlaneId id) {
    const ir::Plane& plane = design_.planes[id.index];
    const std::size_t own = plane.perOwner * plane.type.elements();
    const auto& values = plane.initial.values;
    const auto at = [&](std::size_t i) -> const Integer& {
        const std::size_t k = plane.initial.perInstance ? i : i % plane.type.elements();
        return std::get<Integer>(values[k].value);
    };
    bool isSame = true;
    if (plane.initial.perInstance)
        for (std::size_t i = own; i < values.size() && isSame; ++i)
            isSame = values[i] == values[i % own];
    if (!isSame) {
        Signal parameter;
        parameter.role = Role::Parameter;
        parameter.type = {static_cast<std::uint32_t>(signal.type.width * own), false, false};
        parameter.source = plane.name;
        signal.initialFrom = builder_.signal(plane.name + "_init", std::move(parameter));
        initials_.emplace_back(*signal.initialFrom, id);
        return;
    }
    if (values.isUniform()) {
        signal.initial.push_back(at(0));
        return;
    }
    for (std::size_t i = 0; i < own; ++i)
        signal.initial.push_back(at(i));
    const bool isUniform =
        std::all_of(signal.initial.begin(), signal.initial.end(),
                    [&](const Integer& value) { return value == signal.initial.front(); });
    if (isUniform) signal.initial.resize(1);
}

/// Variables of loops that nothing else sets.
std::vector<bool> Registers::counters() const {
    std::vector<bool> result(body_.locals.size(), false), isSet(body_.locals.size(), false);
    ir::forEachStmt(body_.statements, [&](const ir::Stmt& stmt) {
        std::vector<bool>& mine = ir::isLoop(stmt) ? result : isSet;
        ir::forEachAssigned(stmt, [&](LocalId id) { mine[id.index] = true; });
    });
    for (std::size_t i = 0; i < result.size(); ++i)
        if (isSet[i]) result[i] = false;
    return result;
}

void Registers::declare(LocalId id) {
    const ir::Local& local = body_.locals[id.index];
    Signal signal;
    signal.type = typeOf(local.type.scalar);
    signal.length = local.type.length;
    signal.isPacked = signal.length != 0;
    signal.source = local.name;
    const bool isState = local.kind == LocalKind::State;
    if (local.kind == LocalKind::Temp || (isState && cls_.combinational)) {
        locals_[id.index] = builder_.signal(local.name, std::move(signal));
        if (isConditional_[id.index]) startsAtZero(locals_[id.index]);
        return;
    }
    const SignalId own = isState ? variable(id, signal) : outputs_[local.slot];
    registers_[id.index] = own;
    locals_[id.index] = own;
    const bool isSetInLongLoop = isState && module_[own].length != 0 && isSetInLongLoop_[id.index];
    const bool needsCopy = isReadBack_[id.index] || isSetInLongLoop;
    if (!needsCopy || module_[own].isBlocking || module_[own].isMemory) return;
    locals_[id.index] = builder_.signal(local.name + "_next", std::move(signal));
}

/// Arrays that are read after places that set them, or set in loops that tools do not unroll, are
/// assigned at once where that makes them no worse.
SignalId Registers::variable(LocalId id, Signal signal) {
    const ir::Local& local = body_.locals[id.index];
    signal.role = Role::Register;
    signal.isRegister = true;
    signal.isPacked = false;
    signal.isMemory = signal.length > target::kMostReset;
    const bool isReadBack = isReadBack_[id.index];
    const bool isBypassed = signal.isMemory && isReadBack
                            && wordsSet(body_, id).value_or(SIZE_MAX) <= target::kMostBypassed;
    if (isBypassed) bypassed_.push_back(id);
    const bool isAtOnce = (isReadBack && !isBypassed) || isSetInLongLoop_[id.index];
    signal.isBlocking = signal.length != 0 && isAtOnce && (signal.isMemory || !setsMemory_);
    setInitial(signal, cls_.state[local.slot]);
    return builder_.signal(local.name, std::move(signal));
}

ExprId Registers::initialOf(SignalId id) {
    const Signal& signal = module_[id];
    const std::uint32_t width = static_cast<std::uint32_t>(signal.type.width * signal.elements());
    const Type type = signal.length == 0 ? signal.type : Type{width, false, false};
    if (signal.initialFrom) {
        const SignalId from = *signal.initialFrom;
        return builder_.resize(builder_.ref(from), type);
    }
    Integer all = 0;
    for (std::size_t i = signal.elements(); i-- > 0;) {
        const Integer& value = signal.initial[signal.initial.size() == 1 ? 0 : i];
        all = (all << signal.type.width) | ir::wrapInteger(value, signal.type.width, false);
    }
    return builder_.constant(all, type);
}

Block Registers::begin() {
    Block block;
    const auto set = [&](SignalId to, ExprId value) {
        block.push_back({{}, Assign{to, {}, value}});
    };
    for (const SignalId id : zeroed_) {
        const Signal& signal = module_[id];
        const Type type{static_cast<std::uint32_t>(signal.type.width * signal.elements()), false,
                        signal.type.isBool && signal.length == 0};
        set(id, builder_.constant(0, type));
    }
    std::vector<bool> isMentioned(outputs_.size(), false);
    for (std::uint32_t i = 0; i < body_.locals.size(); ++i) {
        const ir::Local& local = body_.locals[i];
        if (local.kind == LocalKind::Output) isMentioned[local.slot] = true;
        if (local.kind == LocalKind::Output && !cls_.outputs[local.slot].hold)
            set(locals_[i], initialOf(outputs_[local.slot]));
        else if (registers_[i].valid() && locals_[i] != registers_[i])
            block.push_back(transfer(locals_[i], registers_[i]));
    }
    for (std::size_t i = 0; i < outputs_.size(); ++i)
        if (!isMentioned[i] && !cls_.outputs[i].hold) set(outputs_[i], initialOf(outputs_[i]));
    return block;
}

Block Registers::end() {
    Block block;
    for (std::uint32_t i = 0; i < body_.locals.size(); ++i)
        if (registers_[i].valid() && locals_[i] != registers_[i])
            block.push_back(transfer(registers_[i], locals_[i]));
    return block;
}

Stmt Registers::transfer(SignalId to, SignalId from) {
    const auto isUnpacked = [&](SignalId id) {
        return module_[id].length != 0 && !module_[id].isPacked;
    };
    if (isUnpacked(to) || isUnpacked(from)) return {{}, CopyArray{to, from}};
    return {{}, Assign{to, {}, builder_.ref(from)}};
}

void Registers::findFixed(SignalId alsoSet) {
    std::vector<bool> isSet(module_.signals.size(), false);
    if (alsoSet.valid()) isSet[alsoSet.index] = true;
    (void)anyStatement(module_.body, [&](const Stmt& stmt) {
        if (const auto to = targetOf(stmt)) isSet[to->index] = true;
        return false;
    });
    for (std::size_t i = 0; i < isSet.size(); ++i)
        module_.signals[i].isFixed = module_.signals[i].isRegister && !isSet[i];
}

}  // namespace smec::hdl
