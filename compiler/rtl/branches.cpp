#include "rtl/branches.h"

#include <algorithm>

#include "rtl/step_order.h"

namespace smec::rtl {
namespace {

constexpr std::uint32_t kDeepest = 64;     // branches within branches; what is deeper is a select
constexpr std::size_t kMostTried = 4;      // branches of a select that a multiplexer may join
constexpr std::size_t kMostVisited = 400;  // items between two multiplexers that are looked at
/// Operators on both sides of a branch that are worth it.
constexpr std::uint32_t kLeastWork = 8;

}  // namespace

Branches::Branches(const ModulePlan& plan, const std::vector<SignalId>& signals,
                   const std::vector<netlist::Bits>& roots,
                   const std::map<SignalId, SignalId>& registers)
    : plan_(plan),
      signals_(plan.signals),
      uses_(plan.signals.all.size()),
      next_(registers),
      position_(plan.signals.all.size(), kOther) {
    for (std::uint32_t i = 0; i < signals.size(); ++i)
        position_[signals[i]] = i;
    for (const netlist::Bits& bits : roots)
        use(bits, kRoot, kEnd);
    for (auto id = signals.rbegin(); id != signals.rend(); ++id)
        place(*id);
    dissolve(kRoot);
    for (ScopeId scope = 0; scope < scopes_.size(); ++scope)
        sort(scope);
}

// ---------------------------------------------------------------- placing

void Branches::place(SignalId id) {
    const ScopeId scope = scopeOf(id);
    if (isChoice(id) && scopes_[scope].depth < kDeepest) return placeChoice(id, scope);
    const ItemId item = addItem(scope);
    link(id, scope, item);
    scopes_[scope].steps.push_back({Kind::Compute, id});
    signals_.forEachInput(id, [&](const netlist::Bits& bits) { use(bits, scope, item); });
}

void Branches::placeChoice(SignalId id, ScopeId scope) {
    const Select select = selectOf(id);
    const ChoiceId number = choiceFor(id, scope, select.bit);
    const ItemId branch = branch_[number];
    link(id, scope, branch);
    choices_[number].members.push_back(id);
    use((*signals_[id].cell)["S"], scope, branch);
    use({select.bit}, scope, branch);
    for (const ScopeId side : {choices_[number].yes, choices_[number].no}) {
        const ItemId item = addItem(side);
        scopes_[side].steps.push_back({Kind::Give, id});
        use(given(id, side), side, item);
        const auto reg = next_.find(id);
        const std::optional<SignalId> whole = signals_.whole(given(id, side));
        if (reg != next_.end() && whole && uses_[*whole].size() == 1) next_[*whole] = reg->second;
    }
}

Branches::ChoiceId Branches::choiceFor(SignalId id, ScopeId scope, netlist::Bit select) {
    std::vector<ChoiceId>& known = known_[std::uint64_t{scope} << 32U | select];
    const std::size_t tried = std::min(known.size(), kMostTried);
    for (std::size_t i = known.size(); i-- > known.size() - tried;) {
        if (mayJoin(id, scope, known[i])) return known[i];
    }
    const auto number = static_cast<ChoiceId>(choices_.size());
    known.push_back(number);
    branch_.push_back(addItem(scope));
    const ScopeId yes = addScope(scope, number);
    choices_.push_back({select, yes, addScope(scope, number), {}});
    scopes_[scope].steps.push_back({Kind::Branch, number});
    return number;
}

/// Whether all that reads it may come behind the branch: what reads it on the way to the branch
/// would have to come before.
bool Branches::mayJoin(SignalId id, ScopeId scope, ChoiceId choice) const {
    const ItemId branch = branch_[choice];
    std::vector<ItemId> todo;
    for (const Use& use : uses_[id]) {
        if (use.item == kEnd) continue;
        const ItemId item = itemIn(scope, use);
        if (item != branch)
            todo.push_back(item);
        else if (use.scope == scope)
            return false;
    }
    std::vector<ItemId> seen = todo;
    while (!todo.empty()) {
        const ItemId item = todo.back();
        todo.pop_back();
        for (const ItemId reader : items_[item].readers) {
            if (reader == branch || seen.size() > kMostVisited) return false;
            if (std::ranges::find(seen, reader) != seen.end()) continue;
            seen.push_back(reader);
            todo.push_back(reader);
        }
    }
    return true;
}

Branches::ScopeId Branches::scopeOf(SignalId id) const {
    if (uses_[id].empty() || plan_.isOnBus[id]) return kRoot;
    ScopeId scope = uses_[id][0].scope;
    for (const Use& use : uses_[id])
        scope = common(scope, use.scope);
    return scope;
}

Branches::ScopeId Branches::common(ScopeId a, ScopeId b) const {
    while (a != b) {
        if (scopes_[a].depth >= scopes_[b].depth)
            a = scopes_[a].parent;
        else
            b = scopes_[b].parent;
    }
    return a;
}

Branches::ItemId Branches::itemIn(ScopeId scope, const Use& use) const {
    if (use.scope == scope) return use.item;
    ScopeId inner = use.scope;
    while (scopes_[inner].parent != scope)
        inner = scopes_[inner].parent;
    return branch_[scopes_[inner].choice];
}

void Branches::link(SignalId id, ScopeId scope, ItemId item) {
    for (const Use& use : uses_[id]) {
        if (use.item == kEnd) continue;
        const ItemId reader = itemIn(scope, use);
        if (reader != item) items_[item].readers.push_back(reader);
    }
    std::vector<ItemId>& readers = items_[item].readers;
    std::ranges::sort(readers);
    readers.erase(std::ranges::unique(readers).begin(), readers.end());
}

void Branches::use(const netlist::Bits& bits, ScopeId scope, ItemId item) {
    for (const Run& run : signals_.runs(bits)) {
        if (run.signal != kConstant && position_[run.signal] != kOther)
            uses_[run.signal].push_back({scope, item});
    }
}

Branches::ScopeId Branches::addScope(ScopeId parent, ChoiceId choice) {
    scopes_.push_back({parent, choice, scopes_[parent].depth + 1, {}});
    return static_cast<ScopeId>(scopes_.size() - 1);
}

Branches::ItemId Branches::addItem(ScopeId scope) {
    items_.push_back({scope, {}});
    return static_cast<ItemId>(items_.size() - 1);
}

bool Branches::isChoice(SignalId id) const {
    const Signal& signal = signals_[id];
    return signal.origin == Origin::Cell && signal.cell->type == "$mux"
           && signals_.runs((*signal.cell)["S"])[0].signal != kConstant;
}

/// Of `!s` it is s.
Branches::Select Branches::selectOf(SignalId id) const {
    const netlist::Bit bit = (*signals_[id].cell)["S"][0];
    const std::optional<SignalId> driver = signals_.whole({bit});
    if (!driver || position_[*driver] == kOther || signals_[*driver].origin != Origin::Cell)
        return {bit, false};
    const netlist::Cell& cell = *signals_[*driver].cell;
    const bool isNot = cell.type == "$not" || cell.type == "$logic_not";
    const netlist::Bits& operand = cell["A"];
    if (!isNot || operand.size() != 1 || signals_.runs(operand)[0].signal == kConstant)
        return {bit, false};
    return {operand[0], true};
}

const netlist::Bits& Branches::given(SignalId id, ScopeId side) const {
    return (*signals_[id].cell)[isYes(side) != selectOf(id).isInverted ? "B" : "A"];
}

// ---------------------------------------------------------------- what is not worth a branch

std::uint32_t Branches::work(SignalId id) const {
    const Signal& signal = signals_[id];
    std::uint32_t work = signal.origin == Origin::Wire ? 0 : 1;
    signals_.forEachInput(id, [&](const netlist::Bits& bits) {
        const std::size_t runs = signals_.runs(bits).size();
        work += static_cast<std::uint32_t>(runs > 1 ? runs : 0);
    });
    if (signal.origin == Origin::ReadPort) work += 2;
    return work;
}

/// One that leaves a register as it is on a side reads best as a branch, and costs the same.
bool Branches::isWorthIt(const Choice& choice, std::uint32_t work) const {
    if (work >= kLeastWork) return true;
    const auto holdsBranch = [&](ScopeId side) {
        return std::ranges::any_of(scopes_[side].steps,
                                   [](const Step& step) { return step.kind == Kind::Branch; });
    };
    if (holdsBranch(choice.yes) || holdsBranch(choice.no)) return true;
    return std::ranges::any_of(choice.members, [&](SignalId id) {
        const auto reg = next_.find(id);
        return reg != next_.end()
               && (signals_.whole(given(id, choice.yes)) == reg->second
                   || signals_.whole(given(id, choice.no)) == reg->second);
    });
}

/// Branches with little in them become selects. Returns the work of a scope.
std::uint32_t Branches::dissolve(ScopeId scope) {
    std::uint32_t sum = 0;
    std::vector<Step> kept;
    for (const Step step : std::vector<Step>(std::move(scopes_[scope].steps))) {
        if (step.kind == Kind::Branch) {
            const Choice& choice = choices_[step.id];
            const auto members = static_cast<std::uint32_t>(choice.members.size());
            const std::uint32_t inner = dissolve(choice.yes) + dissolve(choice.no) + members;
            sum += inner;
            if (!isWorthIt(choice, inner)) {
                for (const ScopeId side : {choice.yes, choice.no}) {
                    for (const Step moved : scopes_[side].steps) {
                        if (moved.kind != Kind::Give) kept.push_back(moved);
                    }
                    scopes_[side].steps.clear();
                }
                for (const SignalId member : choice.members)
                    kept.push_back({Kind::Compute, member});
                continue;
            }
        } else if (step.kind == Kind::Compute) {
            sum += work(step.id);
        } else {
            const netlist::Bits& bits = given(step.id, scope);
            const std::size_t runs = signals_.runs(bits).size();
            sum += static_cast<std::uint32_t>(runs > 1 ? runs : 0);
        }
        kept.push_back(step);
    }
    scopes_[scope].steps = std::move(kept);
    return sum;
}

// ---------------------------------------------------------------- order

void Branches::readsOf(const Step& step, ScopeId scope, std::vector<netlist::Bits>& list) const {
    if (step.kind == Kind::Compute)
        return signals_.forEachInput(step.id,
                                     [&](const netlist::Bits& bits) { list.push_back(bits); });
    if (step.kind == Kind::Give) return list.push_back(given(step.id, scope));
    list.push_back({choices_[step.id].select});
    for (const ScopeId side : {choices_[step.id].yes, choices_[step.id].no}) {
        for (const Step& inner : scopes_[side].steps)
            readsOf(inner, side, list);
    }
}

void Branches::registersSetBy(const Step& step, std::vector<SignalId>& list) const {
    const auto add = [&](SignalId id) {
        const auto reg = next_.find(id);
        if (reg != next_.end() && uses_[id].size() == 1) list.push_back(reg->second);
    };
    if (step.kind == Kind::Compute) return add(step.id);
    if (step.kind == Kind::Give) return;
    for (const SignalId member : choices_[step.id].members)
        add(member);
}

/// Each step behind those that it reads. Of those that may come next one that sets no register
/// which others still read, else one that sets few of them, else as the signals come.
void Branches::sort(ScopeId scope) {
    std::vector<Step>& steps = scopes_[scope].steps;
    StepOrder order(steps.size());
    for (std::uint32_t i = 0; i < steps.size(); ++i) {
        std::vector<SignalId> made{steps[i].id};
        if (steps[i].kind == Kind::Branch) {
            made = choices_[steps[i].id].members;
            std::ranges::sort(made, {}, [&](SignalId id) { return position_[id]; });
            choices_[steps[i].id].members = made;
        }
        for (const SignalId id : made)
            order.makes(i, id, position_[id]);
        std::vector<SignalId> set;
        registersSetBy(steps[i], set);
        for (const SignalId reg : set)
            order.sets(i, reg);
    }
    for (std::uint32_t i = 0; i < steps.size(); ++i) {
        std::vector<netlist::Bits> reads;
        readsOf(steps[i], scope, reads);
        for (const netlist::Bits& bits : reads) {
            for (const Run& run : signals_.runs(bits))
                order.reads(i, run.signal);
        }
    }
    std::vector<Step> sorted;
    for (const std::uint32_t i : order.run())
        sorted.push_back(steps[i]);
    steps = std::move(sorted);
}

std::vector<netlist::Bits> Branches::reads() const {
    std::vector<netlist::Bits> list;
    for (const Step& step : scopes_[kRoot].steps)
        readsOf(step, kRoot, list);
    return list;
}

}  // namespace smec::rtl
