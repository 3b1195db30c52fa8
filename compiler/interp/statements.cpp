#include "interp/machine.h"

#include <fmt/format.h>

#include "interp/arithmetic.h"
#include "interp/conversions.h"
#include "source/internal_error.h"
#include "source/overloaded.h"

// An explicit stack of frames, one for each block that execution is within, so that a
// body can stop at a wait in the midst of nested loops and go on in a later cycle. A loop's frame
// stands at the end of its block before the first round: the first round starts like every other.
//
//   for i = 0 to 3 { if (c) { wait; … } }        frames while waiting: body, for, if

namespace smec::interp {

using hir::BinaryOp;
using hir::Stmt;

Outcome Machine::run(std::vector<Frame>& frames) {
    frames_ = &frames;
    while (!frames.empty()) {
        Frame& frame = frames.back();
        if (frame.next == frame.block->size()) {
            if (frame.isLoop() && startRound(frame))
                frame.next = 0;
            else
                frames.pop_back();
            continue;
        }
        const Stmt& stmt = (*frame.block)[frame.next++];
        const Flow flow =
            smec::visit([&](const auto& node) { return execute(node, stmt); }, stmt.node);
        if (flow == Flow::Wait) return Outcome::Waiting;
        if (flow == Flow::Return) return Outcome::Returned;
    }
    return Outcome::Finished;
}

void Machine::enter(const hir::Block& block) {
    if (block.empty()) return;
    frames_->emplace_back().block = &block;
}

// ---------------------------------------------------------------- stores

Machine::Flow Machine::execute(const hir::Assign& stmt, const Stmt&) {
    targets_.assign(stmt.place, expressions_.evaluate(stmt.value));
    return Flow::Next;
}

Machine::Flow Machine::execute(const hir::InitVar& stmt, const Stmt& whole) {
    const TypeId type = on_.body().vars[stmt.var.index].type;
    on_.vars[stmt.var.index] =
        stmt.value.valid()
            ? stored(on_.context, expressions_.evaluate(stmt.value), type, whole.range)
            : on_.context.defaultOf(type);
    return Flow::Next;
}

// ---------------------------------------------------------------- control flow

Machine::Flow Machine::execute(const hir::If& stmt, const Stmt&) {
    enter(expressions_.holds(stmt.condition) ? stmt.yes : stmt.no);
    return Flow::Next;
}

Machine::Flow Machine::execute(const hir::Switch& stmt, const Stmt&) {
    const Value subject = expressions_.evaluate(stmt.subject);
    for (const hir::SwitchCase& choice : stmt.cases) {
        bool matches = false;
        for (const hir::Value& label : choice.labels)
            matches = matches || equals(subject, label);
        for (const hir::LabelRange& range : choice.ranges)
            matches = matches
                      || (compareIntegers(number(range.low), subject) <= 0
                          && compareIntegers(subject, number(range.high)) <= 0);
        for (const hir::ExprId label : choice.instanceLabels)
            matches = matches || compareIntegers(subject, expressions_.evaluate(label)) == 0;
        if (!matches) continue;
        enter(choice.body);
        return Flow::Next;
    }
    if (stmt.otherwise) enter(*stmt.otherwise);
    return Flow::Next;
}

Machine::Flow Machine::execute(const hir::For& stmt, const Stmt& whole) {
    Value from = expressions_.evaluate(stmt.from);
    Value to = expressions_.evaluate(stmt.to);
    const int order = compareIntegers(from, to);
    const bool down =
        stmt.kind == hir::LoopKind::Downto || (stmt.kind == hir::LoopKind::To && order > 0);
    if (stmt.kind == hir::LoopKind::Downto && order < 0) return Flow::Next;
    if (stmt.kind == hir::LoopKind::Until && order >= 0) return Flow::Next;
    Frame& frame = frames_->emplace_back();
    frame.block = &stmt.body;
    frame.next = stmt.body.size();
    frame.countLoop = &stmt;
    frame.down = down;
    frame.last =
        stmt.kind == hir::LoopKind::Until ? binary(BinaryOp::Sub, to, small(1)) : std::move(to);
    frame.range = whole.range;
    on_.vars[stmt.var.index] = std::move(from);
    return Flow::Next;
}

Machine::Flow Machine::execute(const hir::While& stmt, const Stmt& whole) {
    Frame& frame = frames_->emplace_back();
    frame.block = &stmt.body;
    frame.next = stmt.body.size();
    frame.whileLoop = &stmt;
    frame.range = whole.range;
    return Flow::Next;
}

bool Machine::startRound(Frame& frame) {
    if (frame.whileLoop && !expressions_.holds(frame.whileLoop->condition)) return false;
    if (frame.countLoop && !startRound(frame, *frame.countLoop)) return false;
    countRound(frame.range);
    return true;
}

/// The variable has its first value already when the first round starts.
bool Machine::startRound(Frame& frame, const hir::For& loop) {
    Value& counter = on_.vars[loop.var.index];
    if (!frame.started) {
        frame.started = true;
        return true;
    }
    if (compareIntegers(counter, frame.last) == 0) return false;
    counter = binary(frame.down ? BinaryOp::Sub : BinaryOp::Add, counter, small(1));
    return true;
}

void Machine::countRound(SourceRange loop) {
    constexpr std::uint64_t kRoundsBetweenLooks = 1 << 14;
    if (on_.context.rounds == on_.context.settings.loopLimit) {
        throw Failure{fmt::format("more than {} loop rounds in one activation",
                                  on_.context.settings.loopLimit),
                      loop};
    }
    if (++on_.context.rounds % kRoundsBetweenLooks == 0 && on_.context.mustEnd()) throw CutOff{};
}

void Machine::leaveToLoop() {
    while (!frames_->back().isLoop())
        frames_->pop_back();
}

Machine::Flow Machine::execute(const hir::Break&, const Stmt&) {
    leaveToLoop();
    frames_->pop_back();
    return Flow::Next;
}

Machine::Flow Machine::execute(const hir::Continue&, const Stmt&) {
    leaveToLoop();
    frames_->back().next = frames_->back().block->size();
    return Flow::Next;
}

Machine::Flow Machine::execute(const hir::Return& stmt, const Stmt& whole) {
    require(function_ != nullptr, "return stands in a function", whole.range);
    result_ =
        stored(on_.context, expressions_.evaluate(stmt.value), function_->result, whole.range);
    return Flow::Return;
}

// ---------------------------------------------------------------- what is said

std::string Machine::text(const hir::Text& text) {
    const TypeTable& types = on_.context.design.types;
    std::string line = text.format.pieces.front();
    for (std::size_t i = 0; i < text.arguments.size(); ++i) {
        const hir::Expr& argument = on_.body()[text.arguments[i]];
        const auto* constant = std::get_if<hir::Constant>(&argument.node);
        const hir::Value value =
            constant && constant->value.valid()
                ? constant->value
                : toHir(types, argument.type, expressions_.evaluate(text.arguments[i]));
        line += hir::format(types, argument.type, widthOf(types, argument.type), value,
                            text.format.specs[i]);
        line += text.format.pieces[i + 1];
    }
    return line;
}

Machine::Flow Machine::execute(const hir::Trace& stmt, const Stmt&) {
    on_.context.say(on_.process, text(stmt.text));
    return Flow::Next;
}

Machine::Flow Machine::execute(const hir::Assert& stmt, const Stmt& whole) {
    if (expressions_.holds(stmt.condition)) return Flow::Next;
    std::string message = stmt.isAssume ? "assumption failed" : "assertion failed";
    if (stmt.text) message += ": " + text(*stmt.text);
    throw Failure{std::move(message), whole.range};
}

/// Counts cycles: a second time in the same activation changes nothing.
Machine::Flow Machine::execute(const hir::Cover& stmt, const Stmt&) {
    if (!expressions_.holds(stmt.condition)) return Flow::Next;
    std::vector<CoverCount>& covers = on_.process.covers;
    if (stmt.index >= covers.size()) covers.resize(stmt.index + 1);
    CoverCount& cover = covers[stmt.index];
    if (cover.lastCycle != on_.context.cycle) ++cover.cycles;
    cover.lastCycle = on_.context.cycle;
    return Flow::Next;
}

Machine::Flow Machine::execute(const hir::Stop& stmt, const Stmt&) {
    const Value status =
        stmt.status.valid() ? wrap(expressions_.evaluate(stmt.status), 8, false) : small(0);
    on_.context.requestStop(on_.process, static_cast<int>(status.small()));
    return Flow::Next;
}

// ---------------------------------------------------------------- waiting

Machine::Flow Machine::execute(const hir::Wait& stmt, const Stmt& whole) {
    on_.process.cyclesToWait = 1;
    if (!stmt.count.valid()) return Flow::Wait;
    const Value count = expressions_.evaluate(stmt.count);
    if (compareIntegers(count, small(1)) < 0) {
        if (on_.context.settings.unchecked) return Flow::Wait;
        throw Failure{"wait count " + toInteger(count).str() + " is below 1", whole.range};
    }
    on_.process.cyclesToWait = toUnsigned(count).value_or(UINT64_MAX);
    return Flow::Wait;
}

Machine::Flow Machine::execute(const hir::WaitUntil& stmt, const Stmt&) {
    on_.process.waitUntil = stmt.condition;
    return Flow::Wait;
}

}  // namespace smec::interp
