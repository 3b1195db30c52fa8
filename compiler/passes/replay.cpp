#include <algorithm>

#include "ir/builder.h"
#include "ir/visit.h"
#include "passes/passes.h"

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

Plane logPlane(const Plane& array, ClassId owner, std::uint32_t instances, std::uint32_t length) {
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

LocalId localOf(const Class& cls, PlaneId array) {
    for (std::uint32_t i = 0; i < cls.body.locals.size(); ++i) {
        const Local& local = cls.body.locals[i];
        if (local.kind == LocalKind::Output && cls.outputs[local.slot].plane == array) return {i};
    }
    return {};
}

void addLog(Design& design, const LogWanted& wanted) {
    const Plane& array = design.planes[wanted.array.index];
    const ClassId owner = array.owner;
    Class& cls = design.classes[owner.index];
    const LocalId local = localOf(cls, wanted.array);
    const PlaneId plane{static_cast<std::uint32_t>(design.planes.size())};
    design.planes.push_back(logPlane(array, owner, cls.instances, wanted.form.words()));
    cls.outputs[cls.body.locals[local.index].slot].log = {plane, wanted.form};
    const LocalId log{static_cast<std::uint32_t>(cls.body.locals.size())};
    cls.body.locals.push_back({design.planes[plane.index].name, LocalKind::State,
                               design.planes[plane.index].type,
                               static_cast<std::uint32_t>(cls.state.size())});
    cls.state.push_back(plane);
    Noting noting(cls.body, local, log, wanted.form.entries);
    if (wanted.form.isCounted)
        noting.count(cls.body.statements);
    else
        noting.place(cls.body.statements, 0);
}

}  // namespace

bool replaySets(Design& design, std::span<const LogWanted> logs) {
    for (const LogWanted& log : logs)
        addLog(design, log);
    return !logs.empty();
}

}  // namespace smec::passes
