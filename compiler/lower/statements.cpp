#include "ir/arithmetic.h"
#include "ir/visit.h"
#include "lower/body.h"
#include "source/internal_error.h"

namespace smec::lower {

void BodyLowering::statements(const hir::Block& block) {
    for (const hir::Stmt& stmt : block)
        statement(stmt);
}

void BodyLowering::statement(const hir::Stmt& stmt) {
    std::visit([&](const auto& node) { lower(node, stmt.range); }, stmt.node);
}

void BodyLowering::lower(const hir::InitVar& node, SourceRange range) {
    const Part to = variable(node.var);
    if (node.value.valid())
        storeValue(to, node.value, range);
    else
        storeDefault(to, range);
}

void BodyLowering::lower(const hir::If& node, SourceRange range) {
    const ir::ExprId condition = scalar(node.condition);
    if (const bool* known = builder_.boolean(condition))
        return branch(*known ? node.yes : node.no, range);
    ir::If choice{condition, {}, {}};
    choice.yes = capture([&] { branch(node.yes, range); });
    choice.no = capture([&] { branch(node.no, range); });
    emit(range, std::move(choice));
}

// ---------------------------------------------------------------- loops

/// Loops between constants are not counted one by one (see limitLoops).
std::optional<std::uint64_t> BodyLowering::roundsOf(ir::LoopKind kind, ir::ExprId from,
                                                    ir::ExprId to) const {
    const ir::Integer *a = builder_.integer(from), *b = builder_.integer(to);
    if (!a || !b) return std::nullopt;
    const ir::Integer rounds = ir::roundsOf(kind, *a, *b).count;
    return rounds <= kUncountedRounds ? std::optional(static_cast<std::uint64_t>(rounds))
                                      : std::nullopt;
}

void BodyLowering::lower(const hir::For& node, SourceRange range) {
    const ir::ExprId from = scalar(node.from);
    ir::ExprId to = scalar(node.to);
    ir::LoopKind kind = ir::LoopKind::Either;
    if (node.kind == hir::LoopKind::Until) {
        to = builder_.binary(ir::BinaryOp::Sub, to, integer(1));
        kind = ir::LoopKind::Up;
    } else if (node.kind == hir::LoopKind::Downto) {
        kind = ir::LoopKind::Down;
    } else if (builder_.interval(from).high <= builder_.interval(to).low) {
        kind = ir::LoopKind::Up;
    } else if (builder_.interval(from).low >= builder_.interval(to).high) {
        kind = ir::LoopKind::Down;
    }
    ir::For loop{vars_[node.var.index][0], kind, from, to, {}, roundsOf(kind, from, to)};
    loop.body = capture([&] {
        if (!loop.rounds) countRound(range);
        ++structuredLoops_;
        statements(node.body);
        --structuredLoops_;
    });
    emit(range, std::move(loop));
}

/// The condition is tested at the head of every round, where `continue` arrives too.
void BodyLowering::lower(const hir::While& node, SourceRange range) {
    ir::Loop loop;
    loop.body = capture([&] {
        const ir::ExprId condition = scalar(node.condition);
        const ir::ExprId over = builder_.unary(ir::UnaryOp::Not, condition);
        const bool* known = builder_.boolean(over);
        if (!known || *known) {
            ir::Block leave;
            leave.push_back({source_[node.condition].range, ir::Break{}});
            if (known)
                *block_ = std::move(leave);
            else
                emit(range, ir::If{over, std::move(leave), {}});
        }
        if (!known || !*known) {
            countRound(range);
            ++structuredLoops_;
            statements(node.body);
            --structuredLoops_;
        }
    });
    emit(range, std::move(loop));
}

void BodyLowering::countRound(SourceRange range) {
    emit(range, ir::CountRound{addSite(failSite(ir::FailureKind::LoopLimit, range))});
}

void BodyLowering::lower(const hir::Break&, SourceRange range) {
    if (structuredLoops_ == 0 && !waitLoops_.empty()) return goTo(waitLoops_.back().behind, range);
    emit(range, ir::Break{});
}
void BodyLowering::lower(const hir::Continue&, SourceRange range) {
    if (structuredLoops_ == 0 && !waitLoops_.empty()) return goTo(waitLoops_.back().next, range);
    emit(range, ir::Continue{});
}

void BodyLowering::lower(const hir::Return& node, SourceRange range) {
    ir::Return result;
    if (function_ && !isAggregate(context_.types(), function_->result)) {
        result.values.push_back(fit(scalar(node.value), function_->result, range));
    } else if (function_) {
        const Part value = ownPart(node.value);
        for (const ir::LocalId leaf : localsOf(value))
            result.values.push_back(builder_.read(leaf));
    }
    emit(range, std::move(result));
}

// ---------------------------------------------------------------- switch

/// Comparisons choose it: a label differs between the instances, or a range is too long to be
/// listed.
bool BodyLowering::isCompared(const hir::SwitchCase& choice) const {
    static constexpr int kListed = 32;
    if (std::ranges::any_of(choice.ranges, [](const hir::LabelRange& range) {
            return range.high - range.low >= kListed;
        }))
        return true;
    for (hir::ExprId label : choice.instanceLabels) {
        const auto* constant = std::get_if<hir::InstanceConstant>(&source_[label].node);
        if (constant && !shape_.constants[constant->index].uniform) return true;
    }
    return false;
}

ir::ExprId BodyLowering::matches(const hir::SwitchCase& choice, ir::ExprId subject) {
    ir::ExprId any = builder_.constant(false);
    auto add = [&](ir::ExprId label) {
        any = builder_.binary(ir::BinaryOp::BoolOr, any,
                              builder_.binary(ir::BinaryOp::Eq, subject, label));
    };
    for (const hir::Value& label : choice.labels) {
        if (label.valid())
            add(integer(
                std::get<ir::Integer>(lower::constantOf(label).value)));  // 'U matches nothing
    }
    for (hir::ExprId label : choice.instanceLabels)
        add(scalar(label));
    for (const hir::LabelRange& range : choice.ranges)
        any = builder_.binary(ir::BinaryOp::BoolOr, any, within(subject, range.low, range.high));
    return any;
}

/// Cases exclude one another, so that those which comparisons choose, from `next` on, can be asked
/// for in front of the others.
void BodyLowering::switchOnComparisons(const hir::Switch& node, ir::ExprId subject,
                                       SourceRange range, std::size_t next) {
    while (next < node.cases.size() && !isCompared(node.cases[next]))
        ++next;
    if (next == node.cases.size()) return switchOnLabels(node, subject, range);
    ir::If choice{matches(node.cases[next], subject), {}, {}};
    choice.yes = capture([&] { branch(node.cases[next].body, range); });
    choice.no = capture([&] { switchOnComparisons(node, subject, range, next + 1); });
    emit(range, std::move(choice));
}

std::vector<ir::Integer> BodyLowering::listed(const hir::SwitchCase& choice) const {
    std::vector<ir::Integer> labels;
    auto add = [&](const hir::Value& label) {
        if (label.valid()) labels.push_back(std::get<ir::Integer>(lower::constantOf(label).value));
    };
    for (const hir::Value& label : choice.labels)
        add(label);
    for (hir::ExprId label : choice.instanceLabels) {
        if (const auto* constant = std::get_if<hir::InstanceConstant>(&source_[label].node))
            add(*shape_.constants[constant->index].uniform);
    }
    for (const hir::LabelRange& range : choice.ranges) {
        for (ir::Integer label = range.low; label <= range.high; ++label)
            labels.push_back(label);
    }
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    return labels;
}

void BodyLowering::lower(const hir::Switch& node, SourceRange range) {
    ir::ExprId subject = scalar(node.subject);
    if (body_[subject].type == ir::ExprType::Bool)
        subject = builder_.convert(ir::ConvertOp::BoolToInt, subject, ir::ExprType::Int);
    switchOnComparisons(node, subject, range, 0);
}

void BodyLowering::switchOnLabels(const hir::Switch& node, ir::ExprId subject, SourceRange range) {
    ir::Switch result{subject, {}, {}};
    for (const hir::SwitchCase& choice : node.cases) {
        if (isCompared(choice)) continue;
        ir::SwitchCase out{listed(choice), {}};
        if (out.labels.empty()) continue;  // never chosen
        out.body = capture([&] { branch(choice.body, range); });
        result.cases.push_back(std::move(out));
    }
    if (result.cases.empty()) {
        if (node.otherwise) branch(*node.otherwise, range);
        return;
    }
    if (node.otherwise) result.otherwise = capture([&] { branch(*node.otherwise, range); });
    emit(range, std::move(result));
}

void BodyLowering::lower(const hir::Stop& node, SourceRange range) {
    const ir::ExprId status =
        node.status.valid() ? builder_.wrap(scalar(node.status), 8, false) : integer(0);
    emit(range, ir::Stop{status});
}

/// Counts the cycle, once.
void BodyLowering::lower(const hir::Cover& node, SourceRange range) {
    const ir::LocalId covered = covered_[node.index];
    const ir::LocalId counter = hidden_[(shape_.usesRandom ? 1 : 0) + node.index];
    const ir::ExprId isNew =
        builder_.binary(ir::BinaryOp::BoolAnd, scalar(node.condition),
                        builder_.unary(ir::UnaryOp::Not, builder_.read(covered)));
    ir::If branch{isNew, {}, {}};
    branch.yes = capture([&] {
        const ir::ExprId next =
            builder_.binary(ir::BinaryOp::Add, builder_.read(counter), integer(1));
        set(range, counter, {}, builder_.wrap(next, 64, false));
        set(range, covered, {}, builder_.constant(true));
    });
    emit(range, std::move(branch));
}
void BodyLowering::lower(const hir::Wait& node, SourceRange range) { takeApart(node, range); }
void BodyLowering::lower(const hir::WaitUntil& node, SourceRange range) { takeApart(node, range); }

}  // namespace smec::lower
