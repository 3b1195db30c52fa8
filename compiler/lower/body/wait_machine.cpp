#include "lower/body/wait_machine.h"

#include <algorithm>

#include "hir/waits.h"
#include "ir/arithmetic.h"
#include "lower/body/scalars.h"
#include "lower/body/statements.h"
#include "source/overloaded.h"

// A body that waits becomes a state machine. Statements without a wait stay as they are; those
// around a wait are taken apart into states, which end by going to another state or by leaving the
// activation:
//   a(); while (c) { b(); wait; } d();
// becomes
//   loop { switch (state) {
//     case 0: a(); state = 2; continue;
//     case 1: state = 2; continue;
//     case 2: if (!c) { state = 3; continue; } b(); state = 1; return;
//     case 3: d(); state = 0; return; } }
// States behind waits come first, in source order, so that the number between two activations says
// where the process waits, whatever is around it: hir/waits.h.
// What lives across a wait is kept in hidden variables of the process.

namespace smec::lower {

void WaitMachine::runStates() {
    ir::Block* whole = writer_.block();
    enter(newState());
    reserveWaits();
    takeApart(source_.statements);
    leaveFor(0, SourceRange{});
    closeUnreached();
    writer_.writeTo(whole);

    ir::Switch states{builder_.read(variables_.state()), {}, {}};
    states.otherwise = std::move(states_.back());
    for (std::size_t i = 0; i + 1 < states_.size(); ++i)
        states.cases.push_back({{ir::Integer(i)}, std::move(states_[i])});
    ir::Loop machine{{}, true};
    machine.body.push_back({SourceRange{}, std::move(states)});
    writer_.emit(SourceRange{}, std::move(machine));

    narrowHidden(variables_.state(), states_.size() - 1);
    if (!variables_.waitCount().valid()) return;
    const std::uint32_t bits = narrowHidden(variables_.waitCount(), mostWait_);
    for (const ir::ExprId id : fewerWaits_) {
        if (auto* wrap = std::get_if<ir::Wrap>(&body_.exprs[id.index].node)) wrap->width = bits;
    }
}

/// A hidden variable gets the width that 0 … most needs, which is known only when all is lowered.
std::uint32_t WaitMachine::narrowHidden(ir::LocalId id, const ir::Integer& most) {
    ir::Local& local = body_.locals[id.index];
    const std::uint32_t bits = std::max(ir::bitLength(most), 1U);
    local.range = ir::Interval{0, most};
    local.type.scalar.width = bits;
    const ir::Class& cls = context_.out.classes[shape_.id.index];
    context_.out.planes[cls.state[local.slot].index].type.scalar.width = bits;
    return bits;
}

std::uint32_t WaitMachine::newState() {
    states_.emplace_back();
    return static_cast<std::uint32_t>(states_.size() - 1);
}

void WaitMachine::reserveWaits() {
    for (const hir::Stmt* wait : hir::waitsOf(source_))
        afterWaits_.emplace(wait, newState());
}

/// Behind waits in branches that a constant rules out.
void WaitMachine::closeUnreached() {
    for (std::uint32_t state = 1; state <= afterWaits_.size(); ++state) {
        if (!states_[state].empty()) continue;
        enter(state);
        leaveFor(0, SourceRange{});
    }
}

void WaitMachine::goTo(std::uint32_t state, SourceRange range) {
    writer_.set(range, variables_.state(), {}, numbers_.integer(state));
    writer_.emit(range, ir::Continue{});
}

void WaitMachine::leaveFor(std::uint32_t state, SourceRange range) {
    writer_.set(range, variables_.state(), {}, numbers_.integer(state));
    writer_.emit(range, ir::Return{});
}

void WaitMachine::takeApart(const hir::Block& block) {
    for (const hir::Stmt& stmt : block) {
        if (containsWait(stmt))
            takeApart(stmt);
        else
            statements_.statement(stmt);
    }
}

void WaitMachine::takeApart(const hir::Stmt& stmt) {
    smec::visit(
        Overloaded{
            [&](const AnyOf<hir::Wait, hir::WaitUntil> auto& n) {
                takeApart(n, afterWaits_.at(&stmt), stmt.range);
            },
            [&](const AnyOf<hir::For, hir::While> auto& n) { takeApart(n, stmt.range); },
            [&](const AnyOf<hir::If, hir::Switch> auto&) { takeChoiceApart(stmt); },
            [&](const AnyOf<hir::Assign, hir::InitVar, hir::Break, hir::Continue, hir::Return,
                            hir::Trace, hir::Assert, hir::Cover, hir::Stop> auto&) {
                statements_.statement(stmt);
            },
        },
        stmt.node);
}

/// if and switch: their branches go to states of their own, which meet after it.
void WaitMachine::takeChoiceApart(const hir::Stmt& stmt) {
    std::vector<Branch> branches;
    auto* outer = std::exchange(branches_, &branches);
    statements_.statement(stmt);
    branches_ = outer;
    const std::uint32_t after = newState();
    goTo(after, stmt.range);
    for (const Branch& branch : branches) {
        enter(branch.state);
        takeApart(*branch.block);
        goTo(after, stmt.range);
    }
    enter(after);
}

/// The body of a branch, or the way to the state that holds it.
void WaitMachine::branch(const hir::Block& block, SourceRange range) {
    if (branches_ == nullptr) return statements_.statements(block);
    branches_->push_back({newState(), &block});
    goTo(branches_->back().state, range);
}

void WaitMachine::takeApart(const hir::While& node, SourceRange range) {
    const std::uint32_t head = newState();
    const std::uint32_t after = newState();
    goTo(head, range);
    enter(head);
    const ir::ExprId over = builder_.unary(ir::UnaryOp::Not, scalars_.scalar(node.condition));
    const bool* known = builder_.boolean(over);
    if (!known || *known) {
        ir::Block leave = writer_.capture([&] { goTo(after, range); });
        writer_.emit(range, ir::If{over, std::move(leave), {}});
    }
    statements_.countRound(range);
    loops_.push_back({head, after});
    takeApart(node.body);
    loops_.pop_back();
    goTo(head, range);
    enter(after);
}

void WaitMachine::takeApart(const hir::For& node, SourceRange range) {
    const Counting loop{variables_.scalar(node.var.index), variables_.lastValue(node),
                        source_.vars[node.var.index].type, newState(), range};
    const std::uint32_t next = newState(), after = newState();
    start(node, loop);
    goTo(after, range);

    enter(loop.body);
    statements_.countRound(range);
    loops_.push_back({next, after});
    takeApart(node.body);
    loops_.pop_back();
    goTo(next, range);

    enter(next);
    advance(node.kind, loop);
    goTo(after, range);
    enter(after);
}

/// To the first round, unless there is none.
void WaitMachine::start(const hir::For& node, const Counting& loop) {
    const ir::ExprId from = writer_.held(scalars_.scalar(node.from), loop.range);
    const ir::ExprId to = writer_.held(scalars_.scalar(node.to), loop.range);
    ir::ExprId enters = builder_.constant(true);
    if (node.kind == hir::LoopKind::Until) enters = builder_.binary(ir::BinaryOp::Lt, from, to);
    if (node.kind == hir::LoopKind::Downto) enters = builder_.binary(ir::BinaryOp::Le, to, from);
    ir::If first{enters, {}, {}};
    first.yes = writer_.capture([&] {
        writer_.set(loop.range, loop.last, {}, numbers_.fit(to, loop.type, loop.range));
        roundWith(from, loop);
    });
    writer_.emit(loop.range, std::move(first));
}

/// To the next round, if there is one.
void WaitMachine::advance(hir::LoopKind kind, const Counting& loop) {
    using enum ir::BinaryOp;
    const ir::ExprId at = builder_.read(loop.var), end = builder_.read(loop.last);
    const ir::ExprId above = builder_.binary(Add, at, numbers_.integer(1));
    const ir::ExprId below = builder_.binary(Sub, at, numbers_.integer(1));
    if (kind != hir::LoopKind::Downto) {
        const ir::ExprId bound = kind == hir::LoopKind::Until ? above : at;
        ir::If up{builder_.binary(Lt, bound, end), {}, {}};
        up.yes = writer_.capture([&] { roundWith(above, loop); });
        writer_.emit(loop.range, std::move(up));
    }
    if (kind != hir::LoopKind::Until) {
        ir::If down{builder_.binary(Lt, end, at), {}, {}};
        down.yes = writer_.capture([&] { roundWith(below, loop); });
        writer_.emit(loop.range, std::move(down));
    }
}

void WaitMachine::roundWith(ir::ExprId value, const Counting& loop) {
    writer_.set(loop.range, loop.var, {}, numbers_.fit(value, loop.type, loop.range));
    goTo(loop.body, loop.range);
}

void WaitMachine::takeApart(const hir::Wait& node, std::uint32_t after, SourceRange range) {
    ir::ExprId count;
    if (node.count.valid()) {
        count = writer_.held(scalars_.scalar(node.count), range);
        const ir::ExprId ok = builder_.binary(ir::BinaryOp::Le, numbers_.integer(1), count);
        if (!context_.options.unchecked)
            writer_.check(ok, failSite(ir::FailureKind::WaitCount, range), {count}, range);
        const ir::Integer most = ir::powerOfTwo(64) - 1;
        count = builder_.binary(ir::BinaryOp::Max, builder_.constant(ir::Integer(1)), count);
        count = builder_.binary(ir::BinaryOp::Min, builder_.constant(most), count);
        mostWait_ = std::max(mostWait_, builder_.interval(count).high);
        writer_.set(range, variables_.waitCount(), {}, count);
    }
    leaveFor(after, range);
    enter(after);
    if (!count.valid()) return;
    const ir::ExprId left = builder_.read(variables_.waitCount());
    ir::If more{builder_.binary(ir::BinaryOp::Lt, numbers_.integer(1), left), {}, {}};
    more.yes = writer_.capture([&] {
        const ir::ExprId fewer = builder_.binary(ir::BinaryOp::Sub, left, numbers_.integer(1));
        fewerWaits_.push_back(builder_.wrap(fewer, 64, false));
        writer_.set(range, variables_.waitCount(), {}, fewerWaits_.back());
        writer_.emit(range, ir::Return{});
    });
    writer_.emit(range, std::move(more));
}

void WaitMachine::takeApart(const hir::WaitUntil& node, std::uint32_t after, SourceRange range) {
    leaveFor(after, range);
    enter(after);
    const ir::ExprId over = scalars_.scalar(node.condition);
    ir::Block leave = writer_.capture([&] { writer_.emit(range, ir::Return{}); });
    writer_.emit(range, ir::If{builder_.unary(ir::UnaryOp::Not, over), std::move(leave), {}});
}

}  // namespace smec::lower
