#include "rtl/body.h"

#include <algorithm>

namespace smec::rtl {
namespace {

constexpr std::uint32_t kLongestExpression = 10;  // operators; longer ones are hard to read

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
      size_(plan.signals.all.size()) {}

void Body::willRead(const netlist::Bits& bits) {
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
    if (isHere) touched.insert(id);
    if (const auto found = known_.find(id); found != known_.end()) return found->second;
    if (isHere) return terms_.variable(tree_.name(signal.name), signal.width);
    if (signal.isComputed() && plan_.process[id] == process_)
        return terms_.exact(make(id), signal.width);
    return terms_.variable(tree_.member(tree_.name(signal.name), "v"), signal.width);
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
    const ast::ExprId value = terms_.stored(make(id), signal.width);
    if (isOut && uses_[id] == 0) {
        statements.push_back(Tree::assign(tree_.member(tree_.name(signal.name), "v"), value));
        return;
    }
    const std::string name = isOut ? plan_.names.take(signal.name + "_now") : signal.name;
    statements.push_back(Tree::variable(name, Tree::word(signal.width), value));
    known_[id] = terms_.variable(tree_.name(name), signal.width);
    if (isOut)
        statements.push_back(
            Tree::assign(tree_.member(tree_.name(signal.name), "v"), tree_.name(name)));
}

void Body::compute(const std::vector<SignalId>& signals) {
    for (const SignalId id : signals)
        plan_.signals.forEachInput(id, [&](const netlist::Bits& bits) { willRead(bits); });
    for (const SignalId id : signals) {
        if (!isWithin(id)) define(id);
    }
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
