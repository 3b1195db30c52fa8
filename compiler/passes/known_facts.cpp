// Values lie in slots by expression. Whatever changes a slot first notes what it was, so that undo()
// goes back through the notes. To clear all only moves a bound: entries before it count no more.
//   mark, x < 8 learnt, x assigned, undo:   [note: x < 8 was unknown] [note: x < 8 was true]  ->  []

#include "passes/known_facts.h"

#include <algorithm>
#include <utility>

#include "ir/visit.h"
#include "passes/target.h"

namespace smec::passes {

using namespace ir;

KnownFacts::KnownFacts(const Body& body) : body_(body), readers_(body.locals.size()) {}

std::uint64_t KnownFacts::numberOf(Key key) {
    return std::uint64_t{key.id.index} << 2U | static_cast<std::uint64_t>(key.kind);
}

bool KnownFacts::counts(const Slot& slot) const {
    return !std::holds_alternative<std::monostate>(slot.value) && slot.entry >= oldest_;
}

const KnownFacts::Slot* KnownFacts::find(Key key) const {
    const auto at = slots_.find(numberOf(key));
    return at != slots_.end() && counts(at->second) ? &at->second : nullptr;
}

std::size_t& KnownFacts::countOf(Kind kind) {
    return kind == Kind::Choice ? counts_.choices : counts_.most;
}

const Interval* KnownFacts::interval(ExprId id) const {
    const Slot* slot = find({Kind::Interval, id});
    return slot ? &std::get<Interval>(slot->value) : nullptr;
}

std::optional<bool> KnownFacts::condition(ExprId id) const {
    const Slot* slot = find({Kind::Condition, id});
    return slot ? std::optional(std::get<bool>(slot->value)) : std::nullopt;
}

std::optional<KnownFacts::Choice> KnownFacts::choice(ExprId id) const {
    const Slot* slot = find({Kind::Choice, id});
    return slot ? std::optional(std::get<Choice>(slot->value)) : std::nullopt;
}

void KnownFacts::setInterval(ExprId id, Interval value) {
    set({Kind::Interval, id}, std::move(value));
}

void KnownFacts::setCondition(ExprId id, bool value) { set({Kind::Condition, id}, value); }

void KnownFacts::setChoice(ExprId id, const Choice& value) { set({Kind::Choice, id}, value); }

// ------------------------------------------------------------------ who reads what

const KnownFacts::Reads& KnownFacts::readsOf(ExprId id) {
    const auto [at, isNew] = reads_.try_emplace(id.index);
    Reads& reads = at->second;
    if (!isNew) return reads;
    std::vector<ExprId> pending{id};
    for (int steps = 0; !pending.empty(); ++steps) {
        if (steps == target::kMostSteps) return reads = {true, {}};
        const Expr& next = body_[pending.back()];
        pending.pop_back();
        if (const auto* read = std::get_if<ReadLocal>(&next.node))
            reads.locals.push_back(read->local);
        forEachOperand(next, [&](ExprId operand) { pending.push_back(operand); });
    }
    return reads;
}

bool KnownFacts::readsAny(ExprId id, FunctionRef<bool(LocalId)> isOne) {
    const Reads& reads = readsOf(id);
    if (reads.isTooLarge) return true;
    for (const LocalId local : reads.locals)
        if (isOne(local)) return true;
    return false;
}

bool KnownFacts::factReadsAny(Key key, const Value& value, FunctionRef<bool(LocalId)> isOne) {
    if (readsAny(key.id, isOne)) return true;
    const auto* choice = std::get_if<Choice>(&value);
    return choice && (readsAny(choice->condition, isOne) || readsAny(choice->value, isOne));
}

void KnownFacts::listReader(ExprId id, Key key) {
    const Reads& reads = readsOf(id);
    if (reads.isTooLarge) largeReaders_.push_back(key);
    for (const LocalId local : reads.locals)
        readers_[local.index].push_back(key);
}

void KnownFacts::list(Key key, const Value& value) {
    listReader(key.id, key);
    if (const auto* choice = std::get_if<Choice>(&value)) {
        listReader(choice->condition, key);
        listReader(choice->value, key);
    }
}

// ------------------------------------------------------------------ changes

void KnownFacts::set(Key key, Value value) {
    Slot& slot = slots_[numberOf(key)];
    const bool isListed = !std::holds_alternative<std::monostate>(slot.value);
    const bool isNew = !counts(slot);
    changes_.push_back({key, slot, oldest_, counts_});
    if (isNew) ++countOf(key.kind);
    const bool hasEntry = slot.entry >= std::max(lastMark_, oldest_) && slot.entry < entries_.size()
                          && numberOf(entries_[slot.entry]) == numberOf(key);
    if (!hasEntry) {
        slot.entry = entries_.size();
        entries_.push_back(key);
    }
    slot.value = std::move(value);
    if (!isListed || key.kind == Kind::Choice) list(key, slot.value);
}

void KnownFacts::drop(Key key, Slot& slot) {
    const bool counted = counts(slot);
    changes_.push_back({key, slot, oldest_, counts_});
    if (counted) --countOf(key.kind);
    slot.value = std::monostate{};
}

void KnownFacts::dropReaders(std::vector<Key>& readers, FunctionRef<bool(LocalId)> isForgotten) {
    for (const Key key : std::exchange(readers, {})) {
        Slot& slot = slots_.at(numberOf(key));
        if (std::holds_alternative<std::monostate>(slot.value)) continue;
        if (factReadsAny(key, slot.value, isForgotten)) drop(key, slot);
    }
}

void KnownFacts::forget(LocalId local) {
    const auto isForgotten = [&](LocalId read) { return read == local; };
    dropReaders(readers_[local.index], isForgotten);
    dropReaders(largeReaders_, isForgotten);
}

void KnownFacts::forgetIf(FunctionRef<bool(LocalId)> isForgotten) {
    for (std::size_t i = oldest_; i < entries_.size(); ++i) {
        Slot& slot = slots_.at(numberOf(entries_[i]));
        if (slot.entry != i || std::holds_alternative<std::monostate>(slot.value)) continue;
        if (factReadsAny(entries_[i], slot.value, isForgotten)) drop(entries_[i], slot);
    }
}

void KnownFacts::clear() {
    changes_.push_back({std::nullopt, {}, oldest_, counts_});
    oldest_ = entries_.size();
    counts_ = {};
}

KnownFacts::Mark KnownFacts::mark() {
    lastMark_ = entries_.size();
    return {changes_.size(), entries_.size()};
}

KnownFacts::Changes KnownFacts::undo(Mark mark) {
    Changes undone;
    while (changes_.size() > mark.changes) {
        Change& change = changes_.back();
        oldest_ = change.oldest;
        counts_ = change.counts;
        if (change.key) {
            Slot& slot = slots_.at(numberOf(*change.key));
            std::swap(slot, change.slot);
            const bool isBack = !std::holds_alternative<std::monostate>(slot.value);
            const bool wasListed = !std::holds_alternative<std::monostate>(change.slot.value);
            if (isBack && (!wasListed || change.key->kind == Kind::Choice))
                list(*change.key, slot.value);
        }
        undone.push_back(std::move(change));
        changes_.pop_back();
    }
    entries_.resize(mark.entries);
    return undone;
}

void KnownFacts::redo(Changes changes) {
    for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
        if (!change->key)
            clear();
        else if (std::holds_alternative<std::monostate>(change->slot.value))
            drop(*change->key, slots_.at(numberOf(*change->key)));
        else
            set(*change->key, std::move(change->slot.value));
    }
}

}  // namespace smec::passes
