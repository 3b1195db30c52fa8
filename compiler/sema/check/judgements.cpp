#include "sema/check/judgements.h"

#include <fmt/format.h>

#include "hir/visit.h"
#include "sema/flow.h"
#include "source/overloaded.h"

// Warnings about what the declared types decide: x < 300 of a u8, u4(b + 16) of a u4, what stands
// after a `break`. One that depends on the instance comes only when it is so in all of them.

namespace smec::sema {

using hir::Integer;

namespace {

Interval valuesOf(const Operand& operand) {
    return operand.isConstant() ? Interval::of(operand.integer()) : operand.interval;
}

std::string shown(const Interval& values) {
    constexpr std::size_t kLongest = 40;  // digits that anybody would read
    const std::string low = values.low.str(), high = values.high.str();
    if (low == high) return low;
    if (low.size() + high.size() > kLongest)
        return fmt::format("a number of {} bits",
                           std::max(hir::bitsFor(values.low), hir::bitsFor(values.high)));
    return low + " to " + high;
}

/// What `left op right` is for all values, if it is one thing.
std::optional<bool> decided(ast::BinaryOp op, const Interval& left, const Interval& right) {
    using enum ast::BinaryOp;
    if (left.unbounded || right.unbounded) return std::nullopt;
    const bool isBelow = left.high < right.low;
    const bool isAbove = left.low > right.high;
    const bool isNotAbove = left.high <= right.low;
    const bool isNotBelow = left.low >= right.high;
    const auto either = [](bool yes, bool no) {
        return yes || no ? std::optional(yes) : std::nullopt;
    };
    switch (op) {
    case Lt: return either(isBelow, isNotBelow);
    case Le: return either(isNotAbove, isAbove);
    case Gt: return either(isAbove, isNotAbove);
    case Ge: return either(isNotBelow, isBelow);
    case Eq: return either(false, isBelow || isAbove);
    case Ne: return either(isBelow || isAbove, false);
    case Mul:
    case Div:
    case Mod:
    case Add:
    case Sub:
    case Shl:
    case Shr:
    case And:
    case Xor:
    case Or:
    case LogicalAnd:
    case LogicalOr: break;
    }
    return std::nullopt;
}

}  // namespace

/// Numbers, true and false, and operators between them.
bool Judgements::isLiteral(ast::ExprId id) const {
    std::vector<ast::ExprId> work{id};
    while (!work.empty()) {
        const auto& node = module_[work.back()].node;
        work.pop_back();
        const bool mayBe = smec::visit(
            Overloaded{
                [](const AnyOf<ast::IntLiteral, ast::BoolLiteral> auto&) { return true; },
                [&](const ast::Paren& n) {
                    work.push_back(n.inner);
                    return true;
                },
                [&](const ast::Unary& n) {
                    work.push_back(n.operand);
                    return true;
                },
                [&](const ast::Binary& n) {
                    work.insert(work.end(), {n.left, n.right});
                    return true;
                },
                [](const AnyOf<ast::FloatLiteral, ast::CharacterLiteral, ast::StringLiteral,
                               ast::Undefined, ast::Name, ast::Member, ast::Index, ast::Star,
                               ast::Slice, ast::IndexedSlice, ast::Conditional, ast::ArrayLiteral,
                               ast::Call> auto&) { return false; },
            },
            node);
        if (!mayBe) return false;
    }
    return true;
}

void Judgements::comparison(const ast::Binary& node, const Operand& left, const Operand& right,
                            std::size_t mark) {
    const bool isComparison = node.op >= ast::BinaryOp::Lt && node.op <= ast::BinaryOp::Ne;
    if (!isComparison || nesting_.assertion || uses_.named() != mark) return;
    if (!left.isValue() || !right.isValue() || (left.isConstant() && right.isConstant())) return;
    const hir::TypeTable& types = types_;
    if (!types.isInteger(left.type) || !types.isInteger(right.type)) return;
    const SourceRange range = smec::cover(left.range, right.range);
    const Interval first = valuesOf(left), second = valuesOf(right);
    const std::optional<bool> result = decided(node.op, first, second);
    if (!result) return reporter_.judge(false, DiagId::ConstantCondition, range);
    std::string because;
    for (const Operand* side : {&left, &right}) {
        if (side->isConstant()) continue;
        because += fmt::format("{}'{}' is {}", because.empty() ? "" : ", ",
                               reporter_.text(side->range), shown(valuesOf(*side)));
    }
    reporter_.judge(true, DiagId::ConstantCondition, range, reporter_.text(range),
                    std::string(*result ? "true" : "false"), because);
}

void Judgements::condition(ast::ExprId expr, const Operand& condition, bool isTrueMeant) {
    if (!condition.isConstant() || condition.type != hir::TypeTable::kBool || !isLiteral(expr))
        return;
    const bool value = condition.value().boolean();
    if (value && isTrueMeant) return;
    reporter_.report(DiagId::ConstantCondition, condition.range, reporter_.text(condition.range),
                     value, "it is a constant");
}

/// Wrapping is how hardware counts; what never fits is none.
void Judgements::stored(const Operand& operand, hir::TypeId type, std::size_t mark) {
    const hir::TypeTable& types = types_;
    const hir::IntType* target = types.as<hir::IntType>(type);
    const bool isNumber = operand.isValue() && types.isInteger(operand.type);
    if (!target || !isNumber || uses_.named() != mark) return;
    if (target->flavour == hir::IntFlavour::Unsized) return;
    const bool isRanged = target->flavour == hir::IntFlavour::Ranged;
    if (isRanged && operand.isConstant()) return;  // an error
    const Interval values = valuesOf(operand);
    // As a signed or unsigned pattern: u8(-1) is all ones, i8(0xFF) is −1.
    const Integer low =
        isRanged ? types.minimum(type) : Integer(-(Integer(1) << (target->width - 1)));
    const Integer high =
        isRanged ? types.maximum(type) : Integer((Integer(1) << target->width) - 1);
    const bool isOutside = !values.unbounded && (values.low > high || values.high < low);
    const DiagId id = isRanged ? DiagId::NeverInRange : DiagId::AlwaysWraps;
    if (!isOutside) return reporter_.judge(false, id, operand.range);
    reporter_.judge(true, id, operand.range, reporter_.text(operand.range), shown(values),
                    isRanged ? shown({low, high}) : types.name(type));
}

void Judgements::index(const Operand& index, std::uint64_t count, std::size_t mark) {
    if (index.isConstant() || uses_.named() != mark || count == 0) return;
    const Interval& values = index.interval;
    const bool isOutside = !values.unbounded && (values.low >= count || values.high < 0);
    if (!isOutside) return reporter_.judge(false, DiagId::NeverInRange, index.range);
    reporter_.judge(true, DiagId::NeverInRange, index.range, reporter_.text(index.range),
                    shown(values), shown({0, count - 1}));
}

void Judgements::loop(const ast::For& node, const Operand& from, const Operand& to,
                      SourceRange range) {
    if (node.direction == ast::LoopDirection::To || !isLiteral(node.from) || !isLiteral(node.to))
        return;
    const bool isUntil = node.direction == ast::LoopDirection::Until;
    const bool isEmpty = isUntil ? from.integer() >= to.integer() : from.integer() < to.integer();
    if (isEmpty)
        reporter_.report(DiagId::EmptyLoop, range, isUntil ? "until" : "downto",
                         from.integer().str(), to.integer().str());
}

namespace {

/// Whether a value, which need not be the same in all instances, decides if what follows is reached.
bool mayDiffer(const hir::Stmt& stmt) {
    return smec::visit(
        Overloaded{
            [](const hir::While&) { return true; },
            [](const AnyOf<hir::Assign, hir::InitVar, hir::If, hir::For, hir::Switch, hir::Break,
                           hir::Continue, hir::Return, hir::Trace, hir::Assert, hir::Cover,
                           hir::Stop, hir::Wait, hir::WaitUntil> auto&) { return false; },
        },
        stmt.node);
}

}  // namespace

void judgeReachable(Reporter& reporter, const hir::Body& body, const hir::Block& block) {
    for (std::size_t i = 0; i < block.size(); ++i) {
        hir::forEachBlock(block[i],
                          [&](const hir::Block& inner) { judgeReachable(reporter, body, inner); });
        if (i + 1 == block.size()) return;
        if (isFailure(body, block[i])) return;  // it says by itself that it is not to be reached
        const bool ends = !goesOn(body, block[i]);
        if (ends || mayDiffer(block[i]))
            reporter.judge(ends, DiagId::Unreachable, block[i + 1].range);
        if (ends) return;
    }
}

void judgeAssertions(Reporter& reporter, const hir::Body& body) {
    const hir::Stmt* failure = certainFailure(body, body.statements);
    if (!failure) return;
    const auto& assertion = std::get<hir::Assert>(failure->node);
    reporter.report(DiagId::AssertionFails, body[assertion.condition].range,
                    assertion.isAssume ? "assume" : "assert");
}

}  // namespace smec::sema
