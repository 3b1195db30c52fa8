// A held array begins as it was, which is in the other slot. Where an activation sets few of its elements, the
// slots differ in few when the next one begins, and a log tells in which: of `most` elements at most, or all.

#include "plan/set_logs.h"

#include <algorithm>

#include "ir/visit.h"
#include "plan/target.h"

namespace smec::plan {

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
    if (sets == 0) return std::nullopt;
    const std::uint32_t most = type.length / target::kReplayShare;
    const std::uint64_t counted = sets == kAnyNumber ? 0 : sets;  // while running, then
    if (!ledger.ask(
            rules::Rule::SetLogs, rules::Subject::ofClass(cls.index),
            {{ManyElements, type.length, target::kReplayElements}, {ElementsSet, counted, most}}))
        return std::nullopt;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(sets, most));
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

std::optional<LogForm> logOf(const Class& cls, ClassId id, LocalId array,
                             const rules::Asker& ledger) {
    const StorageType& type = cls.body.locals[array.index].type;
    const auto most = mostNoted(type, Counter(array).of(cls.body.statements), ledger, id);
    if (!most) return std::nullopt;
    return LogForm{*most, !isSetInPlaces(cls.body, array, *most)};
}

}  // namespace

std::vector<std::optional<LogForm>>
logsFor(const Design& design, const std::vector<bool>& isReadFirst, const rules::Asker& ledger) {
    std::vector<std::optional<LogForm>> logs(design.planes.size());
    for (std::uint32_t c = 0; c < design.classes.size(); ++c) {
        const Class& cls = design.classes[c];
        for (std::uint32_t i = 0; i < cls.body.locals.size(); ++i) {
            const Local& local = cls.body.locals[i];
            if (local.kind != LocalKind::Output || !local.type.isArray()
                || !cls.outputs[local.slot].hold)
                continue;
            const std::uint32_t plane = cls.outputs[local.slot].plane.index;
            if (!isReadFirst[plane]) logs[plane] = logOf(cls, {c}, {i}, ledger);
        }
    }
    return logs;
}

}  // namespace smec::plan
