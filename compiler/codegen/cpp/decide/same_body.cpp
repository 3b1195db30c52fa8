// Statements pair by pair; expressions over an explicit stack, each pair once: equal expressions of
// a body have one number, so that one which was compared with another one differs from this one.
// Intervals need not be equal, but what is decided by them: words, and what is proved of an index, a
// shift count, a divisor or a wrap.

#include "codegen/cpp/decide/same_body.h"

#include <algorithm>
#include <bit>

#include "codegen/cpp/decide/word.h"
#include "ir/arithmetic.h"
#include "ir/visit.h"

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

BodyMatch::BodyMatch(const ir::Design& design, const Side& a, const Side& b, SourceLines lines)
    : design_(design),
      cls_(a.cls),
      a_(a.info),
      b_(b.info),
      lines_(lines),
      localOfB_(a_.body->locals.size()),
      localOfA_(b_.body->locals.size()),
      exprOfB_(a_.body->exprs.size()) {}

bool BodyMatch::pairLocals(ir::LocalId a, ir::LocalId b) {
    ir::LocalId& forA = localOfB_[a.index];
    ir::LocalId& forB = localOfA_[b.index];
    if (forA.valid() || forB.valid()) return forA == b && forB == a;
    forA = b;
    forB = a;
    const ir::Local& localA = a_.body->locals[a.index];
    const ir::Local& localB = b_.body->locals[b.index];
    return localA.kind == localB.kind && localA.type == localB.type;
}

// ---------------------------------------------------------------- statements

bool BodyMatch::same(const ir::Block& a, const ir::Block& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](const ir::Stmt& x, const ir::Stmt& y) { return same(x, y); });
}

bool BodyMatch::same(const ir::Stmt& a, const ir::Stmt& b) {
    if (lines_ == SourceLines::Count && a.range != b.range) return false;
    if (a.node.index() != b.node.index() || !sameCounter(a, b)) return false;
    return std::visit(
        [&](const auto& x) { return same(x, std::get<std::remove_cvref_t<decltype(x)>>(b.node)); },
        a.node);
}

bool BodyMatch::same(const ir::Set& a, const ir::Set& b) {
    return same(a.local, b.local) && same(a.value, b.value) && same(a.index, b.index)
           && sameBounds(a.index, b.index, lengthOf(a.local));
}

bool BodyMatch::same(const ir::CopyArray& a, const ir::CopyArray& b) {
    if (!same(a.to, b.to) || a.from.index() != b.from.index()) return false;
    return std::visit(
        [&](const auto& x) { return same(x, std::get<std::remove_cvref_t<decltype(x)>>(b.from)); },
        a.from);
}

bool BodyMatch::same(const ir::FillArray& a, const ir::FillArray& b) {
    return same(a.to, b.to) && same(a.value, b.value);
}

bool BodyMatch::same(const ir::Check& a, const ir::Check& b) {
    return same(a.ok, b.ok) && same(a.args, b.args) && a.site == b.site;
}

bool BodyMatch::same(const ir::If& a, const ir::If& b) {
    return same(a.condition, b.condition) && same(a.yes, b.yes) && same(a.no, b.no);
}

bool BodyMatch::same(const ir::For& a, const ir::For& b) {
    return a.kind == b.kind && same(a.from, b.from) && same(a.to, b.to) && same(a.var, b.var)
           && same(a.body, b.body);
}

bool BodyMatch::same(const ir::Switch& a, const ir::Switch& b) {
    return same(a.subject, b.subject)
           && std::equal(a.cases.begin(), a.cases.end(), b.cases.begin(), b.cases.end(),
                         [&](const ir::SwitchCase& x, const ir::SwitchCase& y) {
                             return x.labels == y.labels && same(x.body, y.body);
                         })
           && same(a.otherwise, b.otherwise);
}

bool BodyMatch::same(const ir::Call& a, const ir::Call& b) {
    return a.function == b.function && same(a.args, b.args)
           && std::equal(a.results.begin(), a.results.end(), b.results.begin(), b.results.end(),
                         [&](ir::LocalId x, ir::LocalId y) { return same(x, y); });
}

bool BodyMatch::same(const ir::Trace& a, const ir::Trace& b) {
    return a.site == b.site && same(a.args, b.args);
}

// ---------------------------------------------------------------- expressions

bool BodyMatch::same(const std::vector<ir::ExprId>& a, const std::vector<ir::ExprId>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](ir::ExprId x, ir::ExprId y) { return same(x, y); });
}

bool BodyMatch::same(ir::ExprId a, ir::ExprId b) {
    if (!a.valid() || !b.valid()) return a == b;
    std::vector<ExprPair> todo{{a, b}};
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
bool BodyMatch::sameNode(ir::ExprId a, ir::ExprId b) {
    const ir::Expr& x = (*a_.body)[a];
    const ir::Expr& y = (*b_.body)[b];
    if (x.type != y.type || x.node.index() != y.node.index() || !sameWords(a, b)) return false;
    const auto other = [&]<typename Node>(const Node&) -> const Node& {
        return std::get<Node>(y.node);
    };
    return std::visit(
        Overloaded{
            [&](const ir::ConstInt& n) { return n.value == other(n).value; },
            [&](const ir::ConstBool& n) { return n.value == other(n).value; },
            [&](const ir::ConstFloat& n) {
                return std::bit_cast<std::uint64_t>(n.value)
                       == std::bit_cast<std::uint64_t>(other(n).value);
            },
            [&](const ir::ReadColumn& n) { return columns_.at(n.column) == other(n).column; },
            [&](const ir::ReadInput& n) { return sameRead(n, other(n)); },
            [&](const ir::ReadLocal& n) {
                return same(n.local, other(n).local)
                       && sameBounds(n.index, other(n).index, lengthOf(n.local));
            },
            [&](const ir::ReadTable& n) {
                return n.table == other(n).table
                       && sameBounds(n.index, other(n).index,
                                     design_.tables[n.table.index].type.elements());
            },
            [](const ir::Cycle&) { return true; },
            [](const ir::Seed&) { return true; },
            [&](const ir::Unary& n) { return n.op == other(n).op; },
            [&](const ir::Binary& n) { return sameBinary(n, other(n)); },
            [](const ir::Select&) { return true; },
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

bool BodyMatch::same(const ir::ReadInput& a, const ir::ReadInput& b) {
    return sameRead(a, b) && same(a.element, b.element) && same(a.index, b.index);
}

bool BodyMatch::sameRead(const ir::ReadInput& a, const ir::ReadInput& b) const {
    const ir::Input& input = cls_.inputs[a.input];
    return inputs_.at(a.input) == b.input && sameBounds(a.element, b.element, input.elements.size())
           && sameBounds(a.index, b.index, input.type.length);
}

bool BodyMatch::sameCounter(const ir::Stmt& a, const ir::Stmt& b) const {
    const auto counterA = a_.counters.find(&a);
    return counterA == a_.counters.end() || counterA->second == b_.counters.at(&b);
}

bool BodyMatch::sameWords(ir::ExprId a, ir::ExprId b) const {
    if ((*a_.body)[a].type != ir::ExprType::Int) return true;
    return factsA(a).word == factsB(b).word && factsA(a).extent == factsB(b).extent
           && factsA(a).isProven == factsB(b).isProven;
}

bool BodyMatch::sameBinary(const ir::Binary& a, const ir::Binary& b) const {
    const bool isShift = a.op == ir::BinaryOp::Shl || a.op == ir::BinaryOp::Shr;
    return a.op == b.op && (!isShift || shiftSameWords(factsA(a.right), factsB(b.right)));
}

bool BodyMatch::sameBounds(ir::ExprId a, ir::ExprId b, std::uint64_t length) const {
    if (!a.valid() || !b.valid()) return a == b;
    return factsA(a).isBelow(length) == factsB(b).isBelow(length);
}

}  // namespace smec::codegen::cpp
