// Statements pair by pair; expressions over an explicit stack, each pair once: equal expressions of
// a body have one number, so that one which was compared with another one differs from this one.
// Intervals need not be equal. What is chosen by them has to be: the words that hold them, and what
// they prove of an index, a shift count, a divisor or a wrap.

#include "codegen/cpp/decide/same_body.h"

#include <algorithm>
#include <bit>

#include "codegen/cpp/decide/word.h"
#include "ir/arithmetic.h"
#include "ir/visit.h"

namespace smec::codegen::cpp {
namespace {

/// Bits of the smallest word that has so many.
std::uint32_t roundedUp(std::uint32_t bits) {
    if (bits <= 8) return 8;
    return bits <= 64 ? std::bit_ceil(bits) : bits <= 128 ? 128 : (bits + 63) / 64 * 64;
}

/// The same words hold both.
bool fitSameWords(const ir::Interval& a, const ir::Interval& b) {
    if ((a.low < 0) != (b.low < 0)) return false;
    if (roundedUp(ir::bitsOf(a, true)) != roundedUp(ir::bitsOf(b, true))) return false;
    return a.low < 0 || roundedUp(ir::bitsOf(a, false)) == roundedUp(ir::bitsOf(b, false));
}

ir::Interval oneMore(const ir::Interval& range) { return {range.low - 1, range.high + 1}; }

/// The same words shift by all of both. More than 64 Ki bits are never shifted in one.
bool shiftSameWords(const ir::Interval& a, const ir::Interval& b) {
    const auto least = [](const ir::Interval& count) {
        return count.high > ir::kIntegerBits
                   ? UINT32_MAX
                   : roundedUp(static_cast<std::uint32_t>(count.high) + 1);
    };
    return a == b || least(a) == least(b);
}

bool holdsAll(const ir::Wrap& wrap, const ir::Interval& range) {
    const ir::Interval target = ir::intervalOf({ir::ScalarKind::Int, wrap.isSigned, wrap.width});
    return range.low >= target.low && range.high <= target.high;
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
    if (a.node.index() != b.node.index()) return false;
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

/// The counter's word depends on the bounds, and on whether it holds one step beyond them.
bool BodyMatch::same(const ir::For& a, const ir::For& b) {
    if (a.kind != b.kind || !same(a.from, b.from) || !same(a.to, b.to)) return false;
    const ir::Interval rounds = ir::hull(rangeA(a.from), rangeA(a.to));
    const ir::Interval others = ir::hull(rangeB(b.from), rangeB(b.to));
    return fitSameWords({rounds.low - 1, rounds.high}, {others.low - 1, others.high})
           && fitSameWords({rounds.low, rounds.high + 1}, {others.low, others.high + 1})
           && fitSameWords(oneMore(rounds), oneMore(others)) && same(a.var, b.var)
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
            [&](const ir::Wrap& n) { return sameWrap(n, other(n)); },
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

bool BodyMatch::sameWords(ir::ExprId a, ir::ExprId b) const {
    if ((*a_.body)[a].type != ir::ExprType::Int) return true;
    return a_.machines[a.index] == b_.machines[b.index] && fitSameWords(rangeA(a), rangeB(b));
}

bool BodyMatch::sameBinary(const ir::Binary& a, const ir::Binary& b) const {
    using enum ir::BinaryOp;
    if (a.op != b.op) return false;
    const ir::Interval& right = rangeA(a.right);
    const ir::Interval& other = rangeB(b.right);
    if (a.op == Shl || a.op == Shr) return shiftSameWords(right, other);
    if (a.op != Div && a.op != Mod) return true;
    // The lowest number of a word by -1 traps.
    const bool maySwitchSign = right.contains(-1);
    return right.contains(0) == other.contains(0) && maySwitchSign == other.contains(-1)
           && (!maySwitchSign || rangeA(a.left).low == rangeB(b.left).low);
}

bool BodyMatch::sameWrap(const ir::Wrap& a, const ir::Wrap& b) const {
    return a.width == b.width && a.isSigned == b.isSigned
           && holdsAll(a, rangeA(a.operand)) == holdsAll(b, rangeB(b.operand));
}

bool BodyMatch::sameBounds(ir::ExprId a, ir::ExprId b, std::uint64_t length) const {
    if (!a.valid() || !b.valid()) return a == b;
    const auto liesIn = [&](const ir::Interval& range) {
        return range.low >= 0 && range.high < length;
    };
    return liesIn(rangeA(a)) == liesIn(rangeB(b));
}

}  // namespace smec::codegen::cpp
