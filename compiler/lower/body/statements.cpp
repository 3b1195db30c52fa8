#include "lower/body/statements.h"

#include "ir/arithmetic.h"
#include "lower/body/parts.h"
#include "lower/body/scalars.h"
#include "lower/body/stores.h"
#include "lower/body/wait_machine.h"
#include "source/internal_error.h"
#include "source/overloaded.h"

namespace smec::lower {

void Statements::statements(const hir::Block& block) {
    for (const hir::Stmt& stmt : block)
        statement(stmt);
}

void Statements::statement(const hir::Stmt& stmt) {
    smec::visit([&](const auto& node) { lower(node, stmt.range); }, stmt.node);
}

void Statements::lower(const hir::InitVar& node, SourceRange range) {
    const Part to = parts_.variable(node.var);
    if (node.value.valid())
        stores_.storeValue(to, node.value, range);
    else
        stores_.storeDefault(to, range);
}

void Statements::lower(const hir::If& node, SourceRange range) {
    const ir::ExprId condition = scalars_.scalar(node.condition);
    if (const bool* known = builder_.boolean(condition))
        return waits_.branch(*known ? node.yes : node.no, range);
    ir::If choice{condition, {}, {}};
    choice.yes = writer_.capture([&] { waits_.branch(node.yes, range); });
    choice.no = writer_.capture([&] { waits_.branch(node.no, range); });
    writer_.emit(range, std::move(choice));
}

/// Loops between constants are not counted one by one (see limitLoops).
std::optional<std::uint64_t> Statements::roundsOf(ir::LoopKind kind, ir::ExprId from,
                                                  ir::ExprId to) const {
    const ir::Integer *a = builder_.integer(from), *b = builder_.integer(to);
    if (!a || !b) return std::nullopt;
    const ir::Integer rounds = ir::roundsOf(kind, *a, *b).count;
    return rounds <= kUncountedRounds ? std::optional(static_cast<std::uint64_t>(rounds))
                                      : std::nullopt;
}

void Statements::lower(const hir::For& node, SourceRange range) {
    const ir::ExprId from = scalars_.scalar(node.from);
    ir::ExprId to = scalars_.scalar(node.to);
    ir::LoopKind kind = ir::LoopKind::Either;
    if (node.kind == hir::LoopKind::Until) {
        to = builder_.binary(ir::BinaryOp::Sub, to, numbers_.integer(1));
        kind = ir::LoopKind::Up;
    } else if (node.kind == hir::LoopKind::Downto) {
        kind = ir::LoopKind::Down;
    } else if (builder_.interval(from).high <= builder_.interval(to).low) {
        kind = ir::LoopKind::Up;
    } else if (builder_.interval(from).low >= builder_.interval(to).high) {
        kind = ir::LoopKind::Down;
    }
    ir::For loop{variables_.scalar(node.var.index), kind, from, to, {}, roundsOf(kind, from, to)};
    loop.body = writer_.capture([&] {
        if (!loop.rounds) countRound(range);
        loopBody(node.body);
    });
    writer_.emit(range, std::move(loop));
}

/// The condition is tested at the head of every round, where `continue` arrives too.
void Statements::lower(const hir::While& node, SourceRange range) {
    ir::Loop loop;
    loop.body = writer_.capture([&] {
        const ir::ExprId condition = scalars_.scalar(node.condition);
        const ir::ExprId over = builder_.unary(ir::UnaryOp::Not, condition);
        const bool* known = builder_.boolean(over);
        if (!known || *known) {
            ir::Block leave;
            leave.push_back({source_[node.condition].range, ir::Break{}});
            if (known)
                *writer_.block() = std::move(leave);
            else
                writer_.emit(range, ir::If{over, std::move(leave), {}});
        }
        if (!known || !*known) {
            countRound(range);
            loopBody(node.body);
        }
    });
    writer_.emit(range, std::move(loop));
}

void Statements::loopBody(const hir::Block& body) {
    ++structuredLoops_;
    statements(body);
    --structuredLoops_;
}

/// The loop that `break` and `continue` belong to, if it was taken apart.
const WaitMachine::Loop* Statements::waitLoop() const {
    return structuredLoops_ == 0 ? waits_.loop() : nullptr;
}

void Statements::countRound(SourceRange range) {
    writer_.emit(range,
                 ir::CountRound{writer_.addSite(failSite(ir::FailureKind::LoopLimit, range))});
}

void Statements::lower(const hir::Break&, SourceRange range) {
    if (const auto* loop = waitLoop()) return waits_.goTo(loop->after, range);
    writer_.emit(range, ir::Break{});
}

void Statements::lower(const hir::Continue&, SourceRange range) {
    if (const auto* loop = waitLoop()) return waits_.goTo(loop->next, range);
    writer_.emit(range, ir::Continue{});
}

void Statements::lower(const hir::Return& node, SourceRange range) {
    ir::Return result;
    if (function_ && !isAggregate(context_.types(), function_->result)) {
        result.values.push_back(
            numbers_.fit(scalars_.scalar(node.value), function_->result, range));
    } else if (function_) {
        const Part value = parts_.ownPart(node.value);
        for (const ir::LocalId leaf : localsOf(value))
            result.values.push_back(builder_.read(leaf));
    }
    writer_.emit(range, std::move(result));
}

void Statements::lower(const hir::Stop& node, SourceRange range) {
    const ir::ExprId status = node.status.valid()
                                  ? builder_.wrap(scalars_.scalar(node.status), 8, false)
                                  : numbers_.integer(0);
    writer_.emit(range, ir::Stop{status});
}

/// Counts the cycle, once.
void Statements::lower(const hir::Cover& node, SourceRange range) {
    if (context_.options.isHardware) return;
    const ir::LocalId covered = variables_.covered(node.index);
    const ir::LocalId counter = variables_.hidden((shape_.usesRandom ? 1 : 0) + node.index);
    ir::If branch{scalars_.scalar(node.condition), {}, {}};
    if (covered.valid())
        branch.condition =
            builder_.binary(ir::BinaryOp::BoolAnd, branch.condition,
                            builder_.unary(ir::UnaryOp::Not, builder_.read(covered)));
    branch.yes = writer_.capture([&] {
        const ir::ExprId next =
            builder_.binary(ir::BinaryOp::Add, builder_.read(counter), numbers_.integer(1));
        writer_.set(range, counter, {}, builder_.wrap(next, 64, false));
        if (covered.valid()) writer_.set(range, covered, {}, builder_.constant(true));
    });
    writer_.emit(range, std::move(branch));
}

void Statements::lower(const hir::Wait&, SourceRange range) {
    throw InternalError("a statement that waits was not taken apart", range);
}

void Statements::lower(const hir::WaitUntil&, SourceRange range) {
    throw InternalError("a statement that waits was not taken apart", range);
}

}  // namespace smec::lower
