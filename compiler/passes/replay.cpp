#include <algorithm>
#include <optional>

#include "ir/builder.h"
#include "ir/visit.h"
#include "passes/passes.h"
#include "passes/target.h"

// A held array begins as it was in the cycle before. That is in the other slot, while the one at hand has
// what was there two cycles before: both differ in what the last activation set. So it is noted what an
// activation sets, and the next one takes these elements over from the other slot, and no others.
//
//   m[i] = x;      n = min(log[0], most);  log[n + 1] = i;  log[0] = n + 1;  m[i] = x;
//
// log[0] counts, and is beyond `most` where something is missing: all is taken over then. What sets values
// from outside sets them in both slots, and states have them in both.
//
// Where a few statements outside of loops set elements, each has a word of the log for itself:
//
//   m[i] = x;      log[0] = i;  m[i] = x;
//
// An element that was taken over before is taken over again, which costs less than to count.

namespace smec::passes {

using namespace ir;

namespace {

constexpr std::uint64_t kAnyNumber = UINT64_MAX;

std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
    return a > kAnyNumber - b ? kAnyNumber : a + b;
}
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
    return a != 0 && b > kAnyNumber / a ? kAnyNumber : a * b;
}

/// How many elements of an array an activation sets one by one, at most; of one that goes through
/// several states of a process that waits, in each of them.
class Counter {
public:
    explicit Counter(LocalId array) : array_(array) {}

    std::uint64_t of(const Block& block) const {
        std::uint64_t count = 0;
        for (const Stmt& stmt : block)
            count = sum(count, of(stmt));
        return count;
    }

    bool isIn(const Stmt& stmt) const {
        bool isSet = false;
        forEachBlock(stmt, [&](const Block& inner) { isSet = isSet || of(inner) > 0; });
        return isSet;
    }

private:
    std::uint64_t of(const Stmt& stmt) const {
        if (const auto* set = std::get_if<Set>(&stmt.node)) return set->local == array_ ? 1 : 0;
        std::uint64_t most = 0;
        forEachBlock(stmt, [&](const Block& inner) { most = std::max(most, of(inner)); });
        if (const auto* loop = std::get_if<For>(&stmt.node))
            return product(most, loop->rounds.value_or(most == 0 ? 0 : kAnyNumber));
        const auto* loop = std::get_if<Loop>(&stmt.node);
        return loop && !loop->isStateMachine && most > 0 ? kAnyNumber : most;
    }

    const LocalId array_;
};

/// Elements that may be noted for an array of class `cls`; nothing: it is better copied.
std::optional<std::uint32_t> mostNoted(const StorageType& type, std::uint64_t sets,
                                       const rules::Asker& ledger, ClassId cls) {
    using enum rules::Condition;
    if (!type.isArray() || sets == 0) return std::nullopt;
    const std::uint32_t most = type.length / target::kReplayShare;
    const std::uint64_t counted = sets == kAnyNumber ? 0 : sets;  // while running, then
    if (!ledger.ask(
            rules::Rule::SetLogs, rules::Subject::ofClass(cls.index),
            {{ManyElements, type.length, target::kReplayElements}, {ElementsSet, counted, most}}))
        return std::nullopt;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(sets, most));
}

bool setsAll(const Stmt& stmt, LocalId array) {
    if (const auto* copy = std::get_if<CopyArray>(&stmt.node)) return copy->to == array;
    if (const auto* fill = std::get_if<FillArray>(&stmt.node)) return fill->to == array;
    const auto* call = std::get_if<Call>(&stmt.node);
    return call
           && std::find(call->results.begin(), call->results.end(), array) != call->results.end();
}

/// Whether a few statements set single elements and nothing sets more of the array, each of them once in
/// an activation at most.
bool isSetInPlaces(const Body& body, LocalId array, std::uint32_t most) {
    if (most > target::kReplayPlaces) return false;
    bool isSo = true;
    forEachStmt(body.statements, [&](const Stmt& stmt) {
        const bool isInLoop = isLoop(stmt) && Counter(array).isIn(stmt);
        isSo = isSo && !isInLoop && !setsAll(stmt, array);
    });
    return isSo;
}

/// Puts notes into a body.
class Noting {
public:
    Noting(Body& body, LocalId array, LocalId log, std::uint32_t most)
        : array_(array), log_(log), most_(most), builder_(body) {}

    void count(Block& block) {
        Block result;
        for (Stmt& stmt : block) {
            forEachBlock(stmt, [&](Block& inner) { count(inner); });
            note(stmt, result);
            result.push_back(std::move(stmt));
        }
        block = std::move(result);
    }

    /// From word `at` of the log on; returns the first one that is free. Of branches that exclude one
    /// another all begin at the same.
    std::uint32_t place(Block& block, std::uint32_t at) {
        Block result;
        for (Stmt& stmt : block) {
            std::uint32_t next = at;
            forEachBlock(stmt, [&](Block& inner) { next = std::max(next, place(inner, at)); });
            at = next;
            const auto* set = std::get_if<Set>(&stmt.node);
            if (set && set->local == array_) {
                const ExprId index = builder_.wrap(set->index, 32, false);
                result.push_back({stmt.range, Set{log_, builder_.constant(Integer(at++)), index}});
            }
            result.push_back(std::move(stmt));
        }
        block = std::move(result);
        return at;
    }

private:
    void note(const Stmt& stmt, Block& to) {
        if (const auto* set = std::get_if<Set>(&stmt.node)) {
            if (set->local == array_) noteElement(set->index, stmt.range, to);
        } else if (setsAll(stmt, array_)) {
            to.push_back({stmt.range, Set{log_, zero(), builder_.constant(Integer(most_) + 1)}});
        }
    }

    void noteElement(ExprId index, SourceRange range, Block& to) {
        const ExprId one = builder_.constant(Integer(1));
        const ExprId count = builder_.binary(BinaryOp::Min, builder_.read(log_, zero()),
                                             builder_.constant(Integer(most_)));
        const ExprId next = builder_.binary(BinaryOp::Add, count, one);
        to.push_back({range, Set{log_, next, builder_.wrap(index, 32, false)}});
        to.push_back({range, Set{log_, zero(), next}});
    }

    ExprId zero() { return builder_.constant(Integer(0)); }

    const LocalId array_;
    const LocalId log_;
    const std::uint32_t most_;
    Builder builder_;
};

Plane logOf(const Plane& array, ClassId owner, std::uint32_t instances, std::uint32_t length) {
    Plane log;
    log.name = array.name + ".set";
    log.kind = PlaneKind::State;
    log.type = {{ScalarKind::Int, false, 32}, length};
    log.dimensions = {length};
    log.owner = owner;
    log.instances = instances;
    log.hidden = true;
    for (std::uint32_t i = 0; i < length; ++i)
        log.initial.values.push_back({Integer(0)});
    return log;
}

bool replay(Design& design, ClassId id, const rules::Asker& ledger) {
    Class& cls = design.classes[id.index];
    bool changed = false;
    for (std::uint32_t i = 0; i < cls.body.locals.size(); ++i) {
        const Local local = cls.body.locals[i];
        if (local.kind != LocalKind::Output || !cls.outputs[local.slot].hold) continue;
        const auto most = mostNoted(local.type, Counter({i}).of(cls.body.statements), ledger, id);
        if (!most) continue;
        const bool isInPlaces = isSetInPlaces(cls.body, {i}, *most);
        const std::uint32_t length = isInPlaces ? *most : *most + 2;
        const auto slot = static_cast<std::uint32_t>(cls.state.size());
        const PlaneId plane{static_cast<std::uint32_t>(design.planes.size())};
        const Plane& array = design.planes[cls.outputs[local.slot].plane.index];
        design.planes.push_back(logOf(array, id, cls.instances, length));
        cls.state.push_back(plane);
        cls.outputs[local.slot].log = plane;
        const LocalId log{static_cast<std::uint32_t>(cls.body.locals.size())};
        cls.body.locals.push_back({design.planes[plane.index].name, LocalKind::State,
                                   design.planes[plane.index].type, slot});
        Noting noting(cls.body, {i}, log, *most);
        if (isInPlaces)
            noting.place(cls.body.statements, 0);
        else
            noting.count(cls.body.statements);
        changed = true;
    }
    return changed;
}

/// Without what sets a local.
void removeSets(Block& block, LocalId local) {
    std::erase_if(block, [&](const Stmt& stmt) {
        const auto* set = std::get_if<Set>(&stmt.node);
        return set != nullptr && set->local == local;
    });
    for (Stmt& stmt : block)
        forEachBlock(stmt, [&](Block& inner) { removeSets(inner, local); });
}

void dropNote(Class& cls, PlaneId log) {
    for (std::uint32_t i = 0; i < cls.body.locals.size(); ++i) {
        const Local& local = cls.body.locals[i];
        if (local.kind == LocalKind::State && cls.state[local.slot] == log)
            removeSets(cls.body.statements, {i});
    }
}

}  // namespace

std::vector<std::uint32_t> dropNotes(Design& design, const std::vector<bool>& inPlace) {
    std::vector<std::uint32_t> changed;
    for (std::uint32_t i = 0; i < design.classes.size(); ++i) {
        Class& cls = design.classes[i];
        bool isChanged = false;
        for (const Output& output : cls.outputs) {
            if (!output.log || !inPlace[output.plane.index]) continue;
            dropNote(cls, *output.log);
            isChanged = true;
        }
        if (isChanged) changed.push_back(i);
    }
    return changed;
}

bool replaySets(Design& design, const rules::Asker& ledger) {
    bool changed = false;
    for (std::uint32_t i = 0; i < design.classes.size(); ++i)
        changed = replay(design, {i}, ledger) || changed;
    return changed;
}

}  // namespace smec::passes
