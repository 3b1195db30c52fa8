#include "sema/evaluate_statements.h"

#include <algorithm>

#include "source/overloaded.h"

namespace smec::sema {

using hir::Integer;
using hir::Value;

Flow StatementEvaluator::fail(Failure failure, SourceRange range) {
    steps_.fail(failure, range);
    return Flow::Failed;
}

Flow StatementEvaluator::run(EvaluatedBody& frame, const hir::Block& block) {
    for (const hir::Stmt& statement : block) {
        Flow flow = run(frame, statement);
        if (flow != Flow::Next) return flow;
    }
    return Flow::Next;
}

Flow StatementEvaluator::run(EvaluatedBody& frame, const hir::Stmt& statement) {
    SourceRange range = statement.range;
    if (!steps_.step(range)) return Flow::Failed;
    return smec::visit(
        Overloaded{
            [&](const hir::Assign& n) { return assign(frame, n, range); },
            [&](const hir::InitVar& n) { return init(frame, n, range); },
            [&](const hir::If& n) {
                auto condition = expressions_.eval(frame, n.condition);
                if (!condition) return Flow::Failed;
                return run(frame, condition->boolean() ? n.yes : n.no);
            },
            [&](const hir::For& n) { return loop(frame, n, range); },
            [&](const hir::While& n) { return loop(frame, n, range); },
            [&](const hir::Switch& n) { return choose(frame, n); },
            [&](const hir::Break&) { return Flow::Break; },
            [&](const hir::Continue&) { return Flow::Continue; },
            [&](const hir::Return& n) {
                auto value = expressions_.eval(frame, n.value);
                if (!value) return Flow::Failed;
                frame.result = std::move(*value);
                return Flow::Return;
            },
            [&](const hir::Assert& n) {
                auto condition = expressions_.eval(frame, n.condition);
                if (!condition) return Flow::Failed;
                return condition->boolean() ? Flow::Next : fail(Failure::Assertion, range);
            },
            [&](const AnyOf<hir::Trace, hir::Cover, hir::Stop, hir::Wait, hir::WaitUntil> auto&) {
                return fail(Failure::Prints, range);
            },
        },
        statement.node);
}

Flow StatementEvaluator::init(EvaluatedBody& frame, const hir::InitVar& node, SourceRange range) {
    const hir::TypeId type = frame.body.vars[node.var.index].type;
    if (!steps_.spend(design_.types.leafCount(type) / 4, range)) return Flow::Failed;
    std::optional<Value> value = node.value.valid() ? expressions_.eval(frame, node.value)
                                                    : hir::defaultValue(design_.types, type);
    if (value) value = expressions_.stored(std::move(*value), type, range);
    if (!value) return Flow::Failed;
    frame.vars[node.var.index] = std::move(*value);
    return Flow::Next;
}

Flow StatementEvaluator::assign(EvaluatedBody& frame, const hir::Assign& node, SourceRange range) {
    auto value = expressions_.eval(frame, node.value);
    if (!value) return Flow::Failed;
    const hir::VarId* var = std::get_if<hir::VarId>(&node.place.root);
    if (!var) return fail(Failure::Prints, range);
    value = expressions_.stored(std::move(*value), node.place.type, range);
    if (!value) return Flow::Failed;
    Target target{frame.vars[var->index], frame.body.vars[var->index].type};
    return write(frame, target, node.place, 0, std::move(*value)) ? Flow::Next : Flow::Failed;
}

bool StatementEvaluator::write(EvaluatedBody& frame, Target whole, const hir::Place& place,
                               std::size_t number, Value value) {
    Value& target = whole.value;
    if (number == place.steps.size()) {
        target = std::move(value);
        return true;
    }
    const auto inside = [&](std::size_t element, hir::TypeId type) {
        return write(frame, {target.list().edit(element), type}, place, number + 1,
                     std::move(value));
    };
    return smec::visit(
        Overloaded{
            [&](const hir::MemberStep& step) {
                const auto& type = *design_.types.as<hir::StructType>(whole.type);
                return inside(step.member, type.members[step.member].type);
            },
            [&](const hir::IndexStep& step) {
                auto at = expressions_.index(frame, step.index, target.list().size(), step.range);
                return at && inside(*at, design_.types.as<hir::ArrayType>(whole.type)->element);
            },
            [&](const hir::BitStep& step) {
                auto at = expressions_.index(frame, step.index, widthOf(whole), step.range);
                return at && writeBits(whole, *at, 1, value.boolean() ? 1 : 0);
            },
            [&](const hir::SliceStep& step) {
                return writeBits(whole, step.low, step.high - step.low + 1, value.integer());
            },
            [&](const hir::IndexedSliceStep& step) {
                auto at = expressions_.index(frame, step.low, widthOf(whole) - step.width + 1,
                                             step.range);
                return at && writeBits(whole, *at, step.width, value.integer());
            },
        },
        place.steps[number]);
}

std::uint32_t StatementEvaluator::widthOf(const Target& whole) const {
    return design_.types.as<hir::IntType>(whole.type)->width;
}

bool StatementEvaluator::writeBits(Target whole, std::uint64_t low, std::uint64_t width,
                                   const Integer& value) {
    Value& target = whole.value;
    const hir::IntType& type = *design_.types.as<hir::IntType>(whole.type);
    const Integer& bits = target.integer();
    Integer mask = ((Integer(1) << width) - 1) << low;
    Integer kept = hir::wrap(bits, type.width, false);
    Integer result = (kept - (kept & mask)) + (value << low);
    auto checked =
        expressions_.stored(Value{hir::wrap(result, type.width, type.isSigned)}, whole.type, {});
    if (checked) target = std::move(*checked);
    return checked.has_value();
}

Flow StatementEvaluator::loop(EvaluatedBody& frame, const hir::For& node, SourceRange range) {
    auto from = expressions_.eval(frame, node.from);
    auto to = from ? expressions_.eval(frame, node.to) : std::nullopt;
    if (!to) return Flow::Failed;
    Integer at = from->integer(), end = to->integer();
    bool isDown =
        node.kind == hir::LoopKind::Downto || (node.kind == hir::LoopKind::To && at > end);
    if (node.kind == hir::LoopKind::Until) --end;
    for (; isDown ? at >= end : at <= end; isDown ? --at : ++at) {
        if (!steps_.step(range)) return Flow::Failed;
        frame.vars[node.var.index] = Value{at};
        Flow flow = run(frame, node.body);
        if (flow == Flow::Break) break;
        if (flow == Flow::Return || flow == Flow::Failed) return flow;
    }
    return Flow::Next;
}

Flow StatementEvaluator::loop(EvaluatedBody& frame, const hir::While& node, SourceRange range) {
    while (true) {
        if (!steps_.step(range)) return Flow::Failed;
        auto condition = expressions_.eval(frame, node.condition);
        if (!condition) return Flow::Failed;
        if (!condition->boolean()) return Flow::Next;
        Flow flow = run(frame, node.body);
        if (flow == Flow::Break) return Flow::Next;
        if (flow == Flow::Return || flow == Flow::Failed) return flow;
    }
}

Flow StatementEvaluator::choose(EvaluatedBody& frame, const hir::Switch& node) {
    auto subject = expressions_.eval(frame, node.subject);
    if (!subject) return Flow::Failed;
    const auto holds = [&](const hir::LabelRange& range) {
        return range.low <= subject->integer() && subject->integer() <= range.high;
    };
    for (const hir::SwitchCase& one : node.cases) {
        if (std::ranges::find(one.labels, *subject) != one.labels.end()
            || std::ranges::any_of(one.ranges, holds))
            return run(frame, one.body);
    }
    return node.otherwise ? run(frame, *node.otherwise) : Flow::Next;
}

}  // namespace smec::sema
