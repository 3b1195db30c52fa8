#include <algorithm>

#include "sema/check/ports.h"
#include "sema/evaluate.h"
#include "source/overloaded.h"

// Which elements of an array port a body names. An index that consists of constants and of
// variables of loops with such bounds is evaluated for every round:
//   for i = 0 until 3 { for j = 0 until i { y.v = x[i + j].v; } }   ->   elements 1, 2, 3 of x
// Anything else may be any element.

namespace smec::sema {

namespace {

constexpr std::uint64_t kMaxRounds = 100'000;

}  // namespace

class Ports::Unroller {
public:
    Unroller(Ports& ports, bool isShaping) : ports_(ports), isShaping_(isShaping) {}

    /// The values of `element`; nothing when something else varies, or there are too many rounds.
    std::optional<std::vector<std::uint64_t>> run(hir::ExprId element) {
        if (!collect(element)) return std::nullopt;
        std::sort(vars_.begin(), vars_.end());  // an outer loop's variable is the older one
        values_.resize(ports_.build_.body().vars.size());
        if (!enumerate(element, 0)) return std::nullopt;
        for (const auto& [column, value] : constants_)
            ports_.uses_.fix(column);
        return std::move(elements_);
    }

private:
    /// Notes the loop variables and the constants of the instance in it.
    bool collect(hir::ExprId element) {
        pending_.push_back(element);
        while (!pending_.empty()) {
            const hir::ExprId id = pending_.back();
            pending_.pop_back();
            if (!id.valid() || !collectNode(ports_.build_.body()[id])) return false;
        }
        return true;
    }

    bool collectNode(const hir::Expr& expr) {
        const auto all = [&](const std::vector<hir::ExprId>& operands) {
            pending_.insert(pending_.end(), operands.begin(), operands.end());
            return true;
        };
        return smec::visit(
            Overloaded{
                [](const hir::Constant&) { return true; },
                [&](const hir::InstanceConstant& n) { return instanceConstant(n.index); },
                [&](const hir::ReadVar& n) { return loopVariable(n.var.index); },
                [](const hir::ReadField&) { return false; },
                [&](const AnyOf<hir::ArrayElement, hir::BitSelect> auto& n) {
                    return all({n.base, n.index});
                },
                [&](const AnyOf<hir::SliceSelect, hir::StructMemberOf> auto& n) {
                    return all({n.base});
                },
                [&](const hir::IndexedSliceSelect& n) {
                    return all({n.base, n.low});
                },
                [&](const AnyOf<hir::UnaryExpr, hir::CastExpr> auto& n) {
                    return all({n.operand});
                },
                [&](const hir::BinaryExpr& n) {
                    return all({n.left, n.right});
                },
                [&](const hir::ConditionalExpr& n) {
                    return all({n.condition, n.yes, n.no});
                },
                [&](const hir::MakeArray& n) { return all(n.elements); },
                [&](const hir::MakeStruct& n) { return all(n.members); },
                [&](const hir::CallExpr& n) { return all(n.arguments); },
                [&](const hir::BuiltinExpr& n) {
                    const bool isFixed =
                        n.builtin != hir::Builtin::Cycle && n.builtin != hir::Builtin::Random;
                    return isFixed && all(n.arguments);
                },
            },
            expr.node);
    }

    bool instanceConstant(std::uint32_t number) {
        if (!isShaping_) return false;
        if (const hir::Value* value = ports_.uses_.representative(number))
            constants_.try_emplace(number, *value);
        return constants_.contains(number);
    }

    bool loopVariable(std::uint32_t var) {
        if (std::find(vars_.begin(), vars_.end(), var) != vars_.end()) return true;
        const auto known = ports_.loops_.find(var);
        if (known == ports_.loops_.end()) return false;
        vars_.push_back(var);
        pending_.push_back(known->second.from);
        pending_.push_back(known->second.to);
        return true;
    }

    /// All rounds of the loops from `depth` inwards; false when there are too many.
    bool enumerate(hir::ExprId element, std::size_t depth) {
        if (++rounds_ > kMaxRounds) return false;
        if (depth == vars_.size()) {
            const auto number = evaluate(element);
            if (number && *number >= 0 && *number <= UINT32_MAX)
                elements_.push_back(number->convert_to<std::uint64_t>());
            return true;
        }
        const LoopBounds& loop = ports_.loops_.at(vars_[depth]);
        const auto from = evaluate(loop.from), to = evaluate(loop.to);
        if (!from || !to) return true;
        const bool isDown =
            loop.kind == hir::LoopKind::Downto || (loop.kind == hir::LoopKind::To && *from > *to);
        const hir::Integer end = loop.kind == hir::LoopKind::Until ? hir::Integer(*to - 1) : *to;
        const hir::Integer count = (isDown ? *from - end : end - *from) + 1;
        if (count > kMaxRounds) return false;
        for (int i = 0; i < count; ++i) {
            values_[vars_[depth]] =
                hir::Value{isDown ? hir::Integer(*from - i) : hir::Integer(*from + i)};
            if (!enumerate(element, depth + 1)) return false;
        }
        return true;
    }

    std::optional<hir::Integer> evaluate(hir::ExprId id) {
        Evaluator evaluator(ports_.design_, ports_.limits_.steps);
        const auto value = evaluator.expression(ports_.build_.body(), id, values_, constants_);
        return value ? std::optional(value->integer()) : std::nullopt;
    }

    Ports& ports_;
    const bool isShaping_;
    std::vector<hir::ExprId> pending_;
    std::vector<std::uint32_t> vars_;
    ConstantValues constants_;
    std::vector<hir::Value> values_;  ///< by variable
    std::vector<std::uint64_t> elements_;
    std::uint64_t rounds_ = 0;
};

/// What a combinational process reads decides on the order in which processes run, and what any
/// process drives on who may drive the rest: there the constants of the instance count.
bool Ports::shapesElements(bool isTarget) const {
    return isTarget || kind_ == hir::ProcKind::Combinational;
}

void Ports::noteRead(const Operand& bus, std::uint32_t field) {
    hir::Port& port = ports_[bus.port];
    port.fields[field].read = true;
    if (port.isArray) noteElement(elementUses_[bus.port][field].reads, bus, false);
}

void Ports::noteElement(ElementUses& uses, const Operand& bus, bool isTarget) {
    if (uses.all) return;
    std::vector<std::uint64_t>& known = uses.elements;
    if (bus.constantElement) return known.push_back(*bus.constantElement);
    const auto elements = Unroller(*this, shapesElements(isTarget)).run(bus.element);
    if (elements) known.insert(known.end(), elements->begin(), elements->end());
    const bool isComplete = !known.empty() && uses.finish(ports_[bus.port].elements).isAll();
    uses.all = !elements || isComplete;
}

/// A loop without rounds names none; then the field counts as used of all.
hir::ElementSet Ports::ElementUses::finish(std::uint32_t count) const {
    hir::ElementSet set;
    if (all) return set;
    for (const std::uint64_t element : elements)
        if (element < count) set.listed.push_back(static_cast<std::uint32_t>(element));
    std::sort(set.listed.begin(), set.listed.end());
    set.listed.erase(std::unique(set.listed.begin(), set.listed.end()), set.listed.end());
    if (set.listed.size() == count) set.listed.clear();
    return set;
}

}  // namespace smec::sema
