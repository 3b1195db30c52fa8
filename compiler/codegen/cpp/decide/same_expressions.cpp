// Over an explicit stack, each pair once: equal expressions of a body have one number, so that one
// which was compared with another one differs from this one. Intervals need not be equal, but what
// is decided by them: words, and what is proved of an index, a shift count, a divisor or a wrap.

#include "codegen/cpp/decide/same_expressions.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "codegen/cpp/decide/word.h"
#include "ir/arithmetic.h"
#include "ir/visit.h"
#include "source/overloaded.h"

namespace smec::codegen::cpp {
namespace {

/// The same words shift by all of both.
bool shiftSameWords(const ExprFacts& a, const ExprFacts& b) {
    const auto least = [](std::uint64_t count) {
        return count > ir::kIntegerBits ? UINT32_MAX
                                        : roundedUp(static_cast<std::uint32_t>(count) + 1);
    };
    return least(a.atMost) == least(b.atMost);
}

}  // namespace

ExpressionMatch::ExpressionMatch(const ir::Design& design, const ComparedClass& a,
                                 const ComparedClass& b)
    : design_(design),
      cls_(a.cls),
      a_(a.info),
      b_(b.info),
      localOfB_(a_.body->locals.size()),
      localOfA_(b_.body->locals.size()),
      exprOfB_(a_.body->exprs.size()) {}

bool ExpressionMatch::pairLocals(ir::LocalId a, ir::LocalId b) {
    ir::LocalId& forA = localOfB_[a.index];
    ir::LocalId& forB = localOfA_[b.index];
    if (forA.valid() || forB.valid()) return forA == b && forB == a;
    forA = b;
    forB = a;
    const ir::Local& localA = a_.body->locals[a.index];
    const ir::Local& localB = b_.body->locals[b.index];
    return localA.kind == localB.kind && localA.type == localB.type;
}

bool ExpressionMatch::same(const std::vector<ir::ExprId>& a, const std::vector<ir::ExprId>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](ir::ExprId x, ir::ExprId y) { return same(x, y); });
}

bool ExpressionMatch::same(ir::ExprId a, ir::ExprId b) {
    if (!a.valid() || !b.valid()) return a == b;
    std::vector<std::pair<ir::ExprId, ir::ExprId>> todo{{a, b}};
    while (!todo.empty()) {
        const auto [x, y] = todo.back();
        todo.pop_back();
        ir::ExprId& before = exprOfB_[x.index];
        if (before == y) continue;
        if (before.valid() || !sameNode(x, y)) return false;
        before = y;
        const std::size_t first = todo.size();
        ir::forEachOperand((*a_.body)[x], [&](ir::ExprId operand) {
            todo.push_back({operand, {}});
        });
        std::size_t next = first;
        ir::forEachOperand((*b_.body)[y], [&](ir::ExprId operand) {
            if (next < todo.size()) todo[next].second = operand;
            ++next;
        });
        if (next != todo.size()) return false;
    }
    return true;
}

/// Apart from the operands, which are as many.
bool ExpressionMatch::sameNode(ir::ExprId a, ir::ExprId b) {
    const ir::Expr& x = (*a_.body)[a];
    const ir::Expr& y = (*b_.body)[b];
    if (x.type != y.type || x.node.index() != y.node.index() || !sameWords(a, b)) return false;
    const auto other = [&]<typename Node>(const Node&) -> const Node& {
        return std::get<Node>(y.node);
    };
    return smec::visit(
        Overloaded{
            [&](const ir::AnyOf<ir::ConstInt, ir::ConstBool> auto& n) {
                return n.value == other(n).value;
            },
            [&](const ir::ConstFloat& n) {
                return std::bit_cast<std::uint64_t>(n.value)
                       == std::bit_cast<std::uint64_t>(other(n).value);
            },
            [&](const ir::ReadColumn& n) { return columns_.at(n.column) == other(n).column; },
            [&](const ir::ReadInput& n) { return sameRead(n, other(n)); },
            [&](const ir::ReadLocal& n) {
                return pairLocals(n.local, other(n).local)
                       && sameBounds(n.index, other(n).index, lengthOf(n.local));
            },
            [&](const ir::ReadTable& n) {
                return n.table == other(n).table
                       && sameBounds(n.index, other(n).index,
                                     design_.tables[n.table.index].type.elements());
            },
            [&](const ir::Unary& n) { return n.op == other(n).op; },
            [&](const ir::Binary& n) { return sameBinary(n, other(n)); },
            [](const ir::AnyOf<ir::Cycle, ir::Seed, ir::Select> auto&) { return true; },
            [&](const ir::Wrap& n) {
                return n.width == other(n).width && n.isSigned == other(n).isSigned;
            },
            [&](const ir::Convert& n) {
                return n.op == other(n).op && n.width == other(n).width
                       && n.isSigned == other(n).isSigned;
            },
        },
        x.node);
}

bool ExpressionMatch::same(const ir::ReadInput& a, const ir::ReadInput& b) {
    return sameRead(a, b) && same(a.element, b.element) && same(a.index, b.index);
}

bool ExpressionMatch::sameRead(const ir::ReadInput& a, const ir::ReadInput& b) const {
    const ir::Input& input = cls_.inputs[a.input];
    return inputs_.at(a.input) == b.input && sameBounds(a.element, b.element, input.elements.size())
           && sameBounds(a.index, b.index, input.type.length);
}

bool ExpressionMatch::sameWords(ir::ExprId a, ir::ExprId b) const {
    if ((*a_.body)[a].type != ir::ExprType::Int) return true;
    return a_.facts[a.index].word == b_.facts[b.index].word
           && a_.facts[a.index].extent == b_.facts[b.index].extent
           && a_.facts[a.index].isProven == b_.facts[b.index].isProven;
}

bool ExpressionMatch::sameBinary(const ir::Binary& a, const ir::Binary& b) const {
    const bool isShift = a.op == ir::BinaryOp::Shl || a.op == ir::BinaryOp::Shr;
    return a.op == b.op
           && (!isShift || shiftSameWords(a_.facts[a.right.index], b_.facts[b.right.index]));
}

bool ExpressionMatch::sameBounds(ir::ExprId a, ir::ExprId b, std::uint64_t length) const {
    if (!a.valid() || !b.valid()) return a == b;
    return a_.facts[a.index].isBelow(length) == b_.facts[b.index].isBelow(length);
}

}  // namespace smec::codegen::cpp
