// A body that waits becomes a state machine. Statements without a wait stay as they are; those
// around a wait are taken apart into states, which end by going to another state or by leaving the
// activation:
//   a(); while (c) { b(); wait; } d();
// becomes
//   loop { switch (state) {
//     case 0: a(); state = 1; continue;
//     case 1: if (!c) { state = 3; continue; } b(); state = 2; return;
//     case 2: state = 1; continue;
//     case 3: d(); state = 0; return; } }
// What lives across a wait is kept in hidden variables of the process.

#include "lower/wait.h"

#include <algorithm>

#include "hir/visit.h"
#include "ir/arithmetic.h"
#include "lower/body.h"
#include "source/internal_error.h"

namespace smec::lower {

bool containsWait(const hir::Stmt& stmt) {
    if (std::holds_alternative<hir::Wait>(stmt.node)
        || std::holds_alternative<hir::WaitUntil>(stmt.node))
        return true;
    bool found = false;
    hir::forEachBlock(stmt, [&](const hir::Block& block) { found = found || containsWait(block); });
    return found;
}

bool containsWait(const hir::Block& block) {
    return std::any_of(block.begin(), block.end(),
                       [](const hir::Stmt& stmt) { return containsWait(stmt); });
}

namespace {

void collect(const hir::Block& block, WaitPlan& plan) {
    bool waitsLater = false;
    std::vector<hir::VarId> kept;
    for (auto stmt = block.rbegin(); stmt != block.rend(); ++stmt) {
        const auto* variable = std::get_if<hir::InitVar>(&stmt->node);
        if (variable && waitsLater) kept.push_back(variable->var);
        waitsLater = waitsLater || containsWait(*stmt);
    }
    plan.kept.insert(plan.kept.end(), kept.rbegin(), kept.rend());
    for (const hir::Stmt& stmt : block) {
        if (!containsWait(stmt)) continue;
        if (const auto* wait = std::get_if<hir::Wait>(&stmt.node))
            plan.counts = plan.counts || wait->count.valid();
        if (const auto* loop = std::get_if<hir::For>(&stmt.node)) {
            plan.kept.push_back(loop->var);
            plan.loops.push_back(loop);
        }
        hir::forEachBlock(stmt, [&](const hir::Block& inner) { collect(inner, plan); });
    }
}

}  // namespace

WaitPlan planWaits(const hir::Body& body) {
    WaitPlan plan;
    collect(body.statements, plan);
    return plan;
}

// ---------------------------------------------------------------- states

void BodyLowering::runStates() {
    ir::Block* whole = block_;
    enter(newState());
    takeApart(source_.statements);
    leaveFor(0, SourceRange{});
    block_ = whole;

    ir::Switch states{builder_.read(state_), {}, {}};
    states.otherwise = std::move(states_.back());
    for (std::size_t i = 0; i + 1 < states_.size(); ++i)
        states.cases.push_back({{ir::Integer(i)}, std::move(states_[i])});
    ir::Loop machine{{}, true};
    machine.body.push_back({SourceRange{}, std::move(states)});
    emit(SourceRange{}, std::move(machine));

    narrowHidden(state_, states_.size() - 1);
    if (!waitCount_.valid()) return;
    const std::uint32_t bits = narrowHidden(waitCount_, mostWait_);
    for (const ir::ExprId id : fewerWaits_) {
        if (auto* wrap = std::get_if<ir::Wrap>(&body_.exprs[id.index].node)) wrap->width = bits;
    }
}

/// A hidden variable gets the width that 0 … most needs, which is known only when all is lowered.
std::uint32_t BodyLowering::narrowHidden(ir::LocalId id, const ir::Integer& most) {
    ir::Local& local = body_.locals[id.index];
    const std::uint32_t bits = std::max(ir::bitLength(most), 1U);
    local.range = ir::Interval{0, most};
    local.type.scalar.width = bits;
    const ir::Class& cls = context_.out.classes[shape_.id.index];
    context_.out.planes[cls.state[local.slot].index].type.scalar.width = bits;
    return bits;
}

std::uint32_t BodyLowering::newState() {
    states_.emplace_back();
    return static_cast<std::uint32_t>(states_.size() - 1);
}

void BodyLowering::goTo(std::uint32_t state, SourceRange range) {
    set(range, state_, {}, integer(state));
    emit(range, ir::Continue{});
}

void BodyLowering::leaveFor(std::uint32_t state, SourceRange range) {
    set(range, state_, {}, integer(state));
    emit(range, ir::Return{});
}

void BodyLowering::takeApart(const hir::Block& block) {
    for (const hir::Stmt& stmt : block) {
        if (containsWait(stmt))
            takeApart(stmt);
        else
            statement(stmt);
    }
}

void BodyLowering::takeApart(const hir::Stmt& stmt) {
    if (const auto* wait = std::get_if<hir::Wait>(&stmt.node)) return takeApart(*wait, stmt.range);
    if (const auto* wait = std::get_if<hir::WaitUntil>(&stmt.node))
        return takeApart(*wait, stmt.range);
    if (const auto* loop = std::get_if<hir::For>(&stmt.node)) return takeApart(*loop, stmt.range);
    if (const auto* loop = std::get_if<hir::While>(&stmt.node)) return takeApart(*loop, stmt.range);
    takeChoiceApart(stmt);
}

/// if and switch: their branches go to states of their own, which meet behind.
void BodyLowering::takeChoiceApart(const hir::Stmt& stmt) {
    std::vector<Branch> branches;
    auto* outer = std::exchange(branches_, &branches);
    statement(stmt);
    branches_ = outer;
    const std::uint32_t behind = newState();
    goTo(behind, stmt.range);
    for (const Branch& branch : branches) {
        enter(branch.state);
        takeApart(*branch.block);
        goTo(behind, stmt.range);
    }
    enter(behind);
}

/// The body of a branch, or the way to the state that holds it.
void BodyLowering::branch(const hir::Block& block, SourceRange range) {
    if (branches_ == nullptr) return statements(block);
    branches_->push_back({newState(), &block});
    goTo(branches_->back().state, range);
}

void BodyLowering::takeApart(const hir::While& node, SourceRange range) {
    const std::uint32_t head = newState();
    const std::uint32_t behind = newState();
    goTo(head, range);
    enter(head);
    const ir::ExprId over = builder_.unary(ir::UnaryOp::Not, scalar(node.condition));
    const bool* known = builder_.boolean(over);
    if (!known || *known) {
        ir::Block leave = capture([&] { goTo(behind, range); });
        emit(range, ir::If{over, std::move(leave), {}});
    }
    countRound(range);
    waitLoops_.push_back({head, behind});
    takeApart(node.body);
    waitLoops_.pop_back();
    goTo(head, range);
    enter(behind);
}

void BodyLowering::takeApart(const hir::For& node, SourceRange range) {
    using enum ir::BinaryOp;
    const ir::LocalId var = vars_[node.var.index][0];
    const ir::LocalId last = lastValues_.at(&node);
    const hir::TypeId type = source_.vars[node.var.index].type;
    const std::uint32_t body = newState(), next = newState(), behind = newState();
    const ir::ExprId from = held(scalar(node.from), range);
    const ir::ExprId to = held(scalar(node.to), range);
    const auto stepTo = [&](ir::ExprId value) {
        set(range, var, {}, fit(value, type, range));
        goTo(body, range);
    };
    ir::ExprId enters = builder_.constant(true);
    if (node.kind == hir::LoopKind::Until) enters = builder_.binary(Lt, from, to);
    if (node.kind == hir::LoopKind::Downto) enters = builder_.binary(Le, to, from);
    ir::If first{enters, {}, {}};
    first.yes = capture([&] {
        set(range, last, {}, fit(to, type, range));
        stepTo(from);
    });
    emit(range, std::move(first));
    goTo(behind, range);

    enter(body);
    countRound(range);
    waitLoops_.push_back({next, behind});
    takeApart(node.body);
    waitLoops_.pop_back();
    goTo(next, range);

    enter(next);
    const ir::ExprId at = builder_.read(var), end = builder_.read(last);
    const ir::ExprId above = builder_.binary(Add, at, integer(1));
    const ir::ExprId below = builder_.binary(Sub, at, integer(1));
    if (node.kind != hir::LoopKind::Downto) {
        const ir::ExprId bound = node.kind == hir::LoopKind::Until ? above : at;
        ir::If up{builder_.binary(Lt, bound, end), {}, {}};
        up.yes = capture([&] { stepTo(above); });
        emit(range, std::move(up));
    }
    if (node.kind != hir::LoopKind::Until) {
        ir::If down{builder_.binary(Lt, end, at), {}, {}};
        down.yes = capture([&] { stepTo(below); });
        emit(range, std::move(down));
    }
    goTo(behind, range);
    enter(behind);
}

void BodyLowering::takeApart(const hir::Wait& node, SourceRange range) {
    const std::uint32_t behind = newState();
    ir::ExprId count;
    if (node.count.valid()) {
        count = held(scalar(node.count), range);
        const ir::ExprId ok = builder_.binary(ir::BinaryOp::Le, integer(1), count);
        if (!context_.options.unchecked)
            check(ok, failSite(ir::FailureKind::WaitCount, range), {count}, range);
        const ir::Integer most = ir::powerOfTwo(64) - 1;
        count = builder_.binary(ir::BinaryOp::Max, builder_.constant(ir::Integer(1)), count);
        count = builder_.binary(ir::BinaryOp::Min, builder_.constant(most), count);
        mostWait_ = std::max(mostWait_, builder_.interval(count).high);
        set(range, waitCount_, {}, count);
    }
    leaveFor(behind, range);
    enter(behind);
    if (!count.valid()) return;
    const ir::ExprId left = builder_.read(waitCount_);
    ir::If more{builder_.binary(ir::BinaryOp::Lt, integer(1), left), {}, {}};
    more.yes = capture([&] {
        const ir::ExprId fewer = builder_.binary(ir::BinaryOp::Sub, left, integer(1));
        fewerWaits_.push_back(builder_.wrap(fewer, 64, false));
        set(range, waitCount_, {}, fewerWaits_.back());
        emit(range, ir::Return{});
    });
    emit(range, std::move(more));
}

void BodyLowering::takeApart(const hir::WaitUntil& node, SourceRange range) {
    const std::uint32_t behind = newState();
    leaveFor(behind, range);
    enter(behind);
    const ir::ExprId over = scalar(node.condition);
    ir::Block leave = capture([&] { emit(range, ir::Return{}); });
    emit(range, ir::If{builder_.unary(ir::UnaryOp::Not, over), std::move(leave), {}});
}

}  // namespace smec::lower
