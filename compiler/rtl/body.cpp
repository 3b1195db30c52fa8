#include "rtl/body.h"

#include <algorithm>

namespace smec::rtl {
namespace {

constexpr std::uint32_t kLongestExpression = 10;  // operators; longer ones are hard to read

/// A branch on the other side alone becomes an elif.
ast::Stmt ifElse(ast::ExprId condition, ast::Block yes, ast::Block no) {
    ast::If node;
    node.branches.push_back({condition, std::move(yes)});
    if (no.statements.empty()) return Tree::statement(std::move(node));
    ast::If* inner =
        no.statements.size() == 1 ? std::get_if<ast::If>(&no.statements[0].node) : nullptr;
    if (!inner) {
        node.otherwise = std::move(no);
        return Tree::statement(std::move(node));
    }
    std::ranges::move(inner->branches, std::back_inserter(node.branches));
    node.otherwise = std::move(inner->otherwise);
    return Tree::statement(std::move(node));
}

}  // namespace

Body::Body(Tree& tree, ModulePlan& plan, const ModuleNames& names, std::uint32_t process)
    : tree_(tree),
      terms_(tree),
      plan_(plan),
      names_(names),
      process_(process),
      cells_(terms_, [this](const netlist::Bits& bits) { return read(bits); }),
      uses_(plan.signals.all.size()),
      isCut_(plan.signals.all.size()),
      size_(plan.signals.all.size()),
      isUpdated_(plan.signals.all.size()) {}

void Body::count(const netlist::Bits& bits) {
    for (const Run& run : plan_.signals.runs(bits)) {
        if (run.signal == kConstant) continue;
        ++uses_[run.signal];
        if (run.width != plan_.signals[run.signal].width) isCut_[run.signal] = true;
    }
}

Term Body::read(const netlist::Bits& bits) {
    std::vector<Term> parts;
    const std::vector<Run> runs = plan_.signals.runs(bits);
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
        if (run->signal == kConstant) {
            const Term constant = terms_.constant(run->value, run->width);
            parts.push_back(runs.size() == 1 ? constant : terms_.sized(constant, run->width));
            continue;
        }
        const Term whole = of(run->signal);
        parts.push_back(run->width == plan_.signals[run->signal].width
                            ? whole
                            : terms_.bits(whole, run->offset, run->width));
    }
    if (parts.empty()) return terms_.constant(0, 2);  // the address of a memory of one word
    if (parts.size() == 1) return parts[0];
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::uint32_t width = runs[parts.size() - 1 - i].width;
        if (!parts[i].isBool) parts[i] = terms_.sized(parts[i], width);
    }
    return terms_.cat(parts);
}

Term Body::readToStore(const netlist::Bits& bits) {
    const std::optional<SignalId> id = plan_.signals.whole(bits);
    const bool isWithin = id && plan_.signals[*id].isComputed() && plan_.process[*id] == process_
                          && !known_.contains(*id);
    return isWithin ? make(*id) : read(bits);
}

Term Body::of(SignalId id) {
    const Signal& signal = plan_.signals[id];
    const bool isHere = signal.origin == Origin::Register && process_ == kClocked;
    if (isHere && isUpdated_[id]) readLate_.insert(id);
    if (const auto found = known_.find(id); found != known_.end()) return found->second;
    if (isHere) return terms_.variable(tree_.name(signal.name), signal.width);
    if (signal.isComputed() && plan_.process[id] == process_)
        return terms_.exact(make(id), signal.width);
    const ast::ExprId value = tree_.member(tree_.name(signal.name), "v");
    return signal.isSigned ? terms_.signedVariable(value, signal.width)
                           : terms_.variable(value, signal.width);
}

ast::Stmt Body::toBus(const std::string& bus, const Term& value, std::uint32_t width,
                      bool isSigned) {
    const ast::ExprId target = tree_.member(tree_.name(bus), "v");
    return Tree::assign(target,
                        isSigned ? terms_.storedSigned(value, width) : terms_.stored(value, width));
}

/// To a signal's bus, what a variable of its width has.
void Body::publish(SignalId id, const std::string& variable) {
    const Signal& signal = plan_.signals[id];
    statements.push_back(toBus(signal.name, terms_.variable(tree_.name(variable), signal.width),
                               signal.width, signal.isSigned));
}

Term Body::make(SignalId id) {
    const Signal& signal = plan_.signals[id];
    if (signal.origin == Origin::Wire) return readToStore(signal.bits);
    if (signal.origin == Origin::ReadPort)
        return word(*signal.cell, read(Signals::address(signal)));
    return cells_.make(*signal.cell);
}

bool Body::isWithin(SignalId id) {
    const Signal& signal = plan_.signals[id];
    std::uint32_t size = 1;
    plan_.signals.forEachInput(id, [&](const netlist::Bits& bits) {
        for (const Run& run : plan_.signals.runs(bits))
            size += run.signal == kConstant ? 0 : size_[run.signal];
    });
    const bool isOne = uses_[id] == 1 && !isCut_[id] && !signal.isPublic && !plan_.isOnBus[id]
                       && signal.origin != Origin::ReadPort && size < kLongestExpression;
    size_[id] = isOne ? size : 0;
    return isOne;
}

void Body::define(SignalId id) {
    const Signal& signal = plan_.signals[id];
    const bool isOut = plan_.isOnBus[id];
    const Term made = make(id);
    if (isOut && uses_[id] == 0) {
        statements.push_back(toBus(signal.name, made, signal.width, signal.isSigned));
        return;
    }
    const ast::ExprId value = terms_.stored(made, signal.width);
    const std::string name = isOut ? plan_.names.take(signal.name + "_now") : signal.name;
    statements.push_back(Tree::variable(name, Tree::word(signal.width), value));
    known_[id] = terms_.variable(tree_.name(name), signal.width);
    if (isOut) publish(id, name);
}

void Body::compute(const std::vector<SignalId>& signals) {
    const Branches branches(plan_, signals, roots_, becomes_);
    for (const netlist::Bits& bits : roots_)
        count(bits);
    for (const netlist::Bits& bits : branches.reads())
        count(bits);
    findGiven(branches, Branches::kRoot);
    write(branches, Branches::kRoot);
}

// ---------------------------------------------------------------- branches

void Body::findGiven(const Branches& branches, Branches::ScopeId scope) {
    std::set<SignalId> here;
    for (const Branches::Step& step : branches.steps(scope)) {
        if (step.kind != Branches::Kind::Branch) continue;
        const Branches::Choice& choice = branches[step.id];
        here.insert(choice.members.begin(), choice.members.end());
        findGiven(branches, choice.yes);
        findGiven(branches, choice.no);
    }
    for (const Branches::Step& step : branches.steps(scope)) {
        if (step.kind != Branches::Kind::Give) continue;
        const std::optional<SignalId> whole = plan_.signals.whole(branches.given(step.id, scope));
        const bool isOnlyThat = whole && here.contains(*whole) && uses_[*whole] == 1
                                && !isCut_[*whole] && !plan_.isOnBus[*whole];
        if (isOnlyThat) givenTo_[*whole] = step.id;
    }
}

void Body::write(const Branches& branches, Branches::ScopeId scope) {
    for (const Branches::Step& step : branches.steps(scope)) {
        if (step.kind == Branches::Kind::Branch)
            branch(branches, branches[step.id]);
        else if (step.kind == Branches::Kind::Give)
            give(step.id, branches.given(step.id, scope));
        else if (isOnlyNext(step.id))
            become(step.id);
        else if ((uses_[step.id] > 0 || plan_.isOnBus[step.id]) && !isWithin(step.id))
            define(step.id);
    }
}

/// Whether the signal is a register's next value and nothing else.
bool Body::isOnlyNext(SignalId id) const {
    return becomes_.contains(id) && uses_[id] == 1 && !isCut_[id] && !plan_.isOnBus[id];
}

void Body::become(SignalId id) {
    const SignalId reg = becomes_.at(id);
    target_[id] = plan_.signals[reg].name;
    update(reg, terms_.stored(make(id), plan_.signals[id].width));
}

/// Where both sides assign a variable, it needs no value before.
void Body::declare(SignalId id) {
    const Signal& signal = plan_.signals[id];
    if (const auto outer = givenTo_.find(id); outer != givenTo_.end()) {
        target_[id] = target_.at(outer->second);
        if (const auto reg = becomes_.find(outer->second); reg != becomes_.end())
            becomes_[id] = reg->second;
        return;
    }
    if (becomes_.contains(id) && uses_[id] == 1 && !isCut_[id]) {
        target_[id] = plan_.signals[becomes_.at(id)].name;
        return;
    }
    becomes_.erase(id);
    const std::string name =
        plan_.isOnBus[id] ? plan_.names.take(signal.name + "_now") : signal.name;
    statements.push_back(Tree::variable(name, Tree::word(signal.width), {}));
    target_[id] = name;
}

void Body::branch(const Branches& branches, const Branches::Choice& choice) {
    const Term condition = terms_.truth(read({choice.select}));
    for (const SignalId id : choice.members)
        declare(id);
    const std::size_t before = updated_.size();
    ast::Block yes = side(branches, choice.yes);
    const std::vector<SignalId> onYes(updated_.begin() + static_cast<std::ptrdiff_t>(before),
                                      updated_.end());
    for (const SignalId reg : onYes)
        isUpdated_[reg] = false;
    updated_.resize(before);
    ast::Block no = side(branches, choice.no);
    for (const SignalId reg : onYes) {
        isUpdated_[reg] = true;
        updated_.push_back(reg);
    }
    for (const SignalId id : choice.members) {
        const Signal& signal = plan_.signals[id];
        known_[id] = terms_.variable(tree_.name(target_.at(id)), signal.width);
    }
    if (yes.statements.empty() && no.statements.empty()) return;
    const bool isElse = yes.statements.empty();
    const ast::ExprId holds = isElse ? terms_.negated(condition).id : condition.id;
    if (isElse) std::swap(yes, no);
    statements.push_back(ifElse(holds, std::move(yes), std::move(no)));
    for (const SignalId id : choice.members) {
        if (plan_.isOnBus[id]) publish(id, target_.at(id));
    }
}

ast::Block Body::side(const Branches& branches, Branches::ScopeId scope) {
    std::vector<ast::Stmt> outer = std::move(statements);
    statements.clear();
    write(branches, scope);
    ast::Block block;
    block.statements = std::move(statements);
    statements = std::move(outer);
    return block;
}

void Body::give(SignalId id, const netlist::Bits& bits) {
    const std::optional<SignalId> whole = plan_.signals.whole(bits);
    const std::uint32_t width = plan_.signals[id].width;
    const auto reg = becomes_.find(id);
    const bool isNext = reg != becomes_.end();
    if (!isNext) known_[id] = terms_.variable(tree_.name(target_.at(id)), width);
    const bool isGiven = whole && givenTo_.contains(*whole) && givenTo_.at(*whole) == id;
    if (isGiven || (isNext && whole == reg->second)) return;  // it is that already
    const ast::ExprId value = terms_.stored(readToStore(bits), width);
    if (isNext) return update(reg->second, value);
    statements.push_back(Tree::assign(tree_.name(target_.at(id)), value));
}

void Body::update(SignalId reg, ast::ExprId value) {
    const ast::ExprId target = tree_.name(plan_.signals[reg].name);
    targets_.emplace_back(reg, target);
    statements.push_back(Tree::assign(target, value));
    if (isUpdated_[reg]) return;
    isUpdated_[reg] = true;
    updated_.push_back(reg);
}

void Body::commit() {
    std::vector<ast::Stmt> begins;
    std::map<SignalId, std::string> names;
    for (const auto& [reg, target] : targets_) {
        if (!readLate_.contains(reg)) continue;
        const Signal& signal = plan_.signals[reg];
        const auto [name, isNew] = names.try_emplace(reg);
        if (isNew) {
            name->second = plan_.names.take(signal.name + "_next");
            begins.push_back(
                Tree::variable(name->second, Tree::word(signal.width), tree_.name(signal.name)));
            statements.push_back(Tree::assign(tree_.name(signal.name), tree_.name(name->second)));
        }
        tree_.rename(target, name->second);
    }
    statements.insert(statements.begin(), std::make_move_iterator(begins.begin()),
                      std::make_move_iterator(begins.end()));
}

ast::ExprId Body::memory(const netlist::Cell& cell) {
    const ast::ExprId name = tree_.name(names_.memories.at(&cell));
    return plan_.sharedMemories.contains(&cell) ? tree_.member(name, "v") : name;
}

Body::Place Body::placeOf(const netlist::Cell& cell, const Term& address) {
    const ast::Integer size = cell.number("SIZE");
    const ast::Integer first = cell.number("OFFSET");
    const ast::Integer reach = ast::Integer(1) << static_cast<unsigned>(cell.number("ABITS"));
    const Term at = terms_.number(address);
    if (at.isLiteral) {
        const bool isWord = at.value >= first && at.value < first + size;
        return {isWord ? tree_.integer(at.value - first) : ast::ExprId(), {}};
    }
    Place place{at.id, {}};
    if (first != 0)
        place.index = tree_.binary(ast::BinaryOp::Sub, terms_.operand(at), tree_.integer(first));
    if (first + size < reach)
        place.condition =
            tree_.binary(ast::BinaryOp::Lt, terms_.operand(at), tree_.integer(first + size));
    if (first != 0) {
        const ast::ExprId above =
            tree_.binary(ast::BinaryOp::Ge, terms_.operand(at), tree_.integer(first));
        place.condition = place.condition.valid()
                              ? tree_.binary(ast::BinaryOp::LogicalAnd, above, place.condition)
                              : above;
    }
    return place;
}

Term Body::word(const netlist::Cell& cell, const Term& address) {
    const auto width = static_cast<std::uint32_t>(cell.number("WIDTH"));
    const Term none = terms_.constant(0, width);
    const Place place = placeOf(cell, address);
    if (!place.index.valid()) return none;
    const Term found = terms_.variable(tree_.index(memory(cell), place.index), width);
    if (!place.condition.valid()) return found;
    Term condition = terms_.variable(place.condition, 1);
    return terms_.conditional(condition, found, none, width);
}

}  // namespace smec::rtl
