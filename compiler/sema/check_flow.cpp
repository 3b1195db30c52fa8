#include <fmt/format.h>

#include "sema/checker.h"
#include "sema/flow.h"
#include "sema/operand_types.h"

// Loops.

namespace smec::sema {

using hir::Integer;
using hir::TypeId;
using hir::TypeTable;

/// The smallest type of a constant, or the operand type; constants are the same in all instances
/// that share.
bool Checker::loopBound(Operand& operand, TypeId& type) {
    if (operand.isError() || !operandsAreValues(operand, operand)) return false;
    if (!core_.types().isInteger(operand.type)) {
        core_.report(DiagId::LoopBoundType, operand.range, typeName(operand));
        return false;
    }
    type = operand.isConstant() ? smallestType(core_.types(), operand.integer()) : operand.type;
    demand(operand, kAllBits);
    return true;
}

void Checker::loop(const ast::For& node, SourceRange range, hir::Block& out) {
    static constexpr hir::LoopKind kKinds[] = {hir::LoopKind::To, hir::LoopKind::Downto,
                                               hir::LoopKind::Until};
    hir::LoopKind kind = kKinds[static_cast<std::size_t>(node.direction)];
    Operand from = check(node.from), to = check(node.to);
    TypeId fromType, toType;
    bool fromOk = loopBound(from, fromType), toOk = loopBound(to, toType);
    bool ok = fromOk && toOk;
    bool isConstant = from.isConstant() && to.isConstant();
    if (ok && !isConstant && kind == hir::LoopKind::To)
        core_.report(DiagId::LoopDirection, smec::cover(from.range, to.range));
    if (ok && isConstant) judgeLoop(node, from, to, range);
    TypeId type = ok ? joined(core_.types(), fromType, toType) : TypeTable::kError;
    hir::For loop;
    loop.kind = kind;
    if (ok) {
        // A bound that is not constant is taken modulo the type of the variable where it may lie
        // outside.
        auto bound = [&](Operand& operand, bool isEnd) {
            if (operand.isConstant()) {
                SiteNeeds needs;
                needs.use = SiteUse::Value;
                return use(operand, std::move(needs));
            }
            Interval allowed = intervalOf(core_.types(), type);
            if (isEnd && kind == hir::LoopKind::Until) allowed.high += 1;
            if (allowed.contains(operand.interval)) return operand.id;
            return emit(type, operand.range, hir::CastExpr{operand.id});
        };
        loop.from = bound(from, false);
        loop.to = bound(to, true);
        body_.canFail |= !isConstant;
    }
    std::size_t begin = locals_.size();
    scopeStarts_.push_back(begin);
    loop.var = declare(node.variable, type, hir::VarKind::Loop);
    if (ok) loopBounds_[loop.var.index] = {kind, loop.from, loop.to};
    ++loopDepth_;
    loop.body = block(node.body);
    --loopDepth_;
    scopeStarts_.pop_back();
    leaveScope(begin);
    if (ok) out.push_back({range, std::move(loop)});
}

void Checker::loop(const ast::While& node, SourceRange range, hir::Block& out) {
    Operand operand = check(node.condition);
    judgeCondition(node.condition, operand, true);
    hir::While loop;
    bool isTest = !operand.isError() && operandsAreValues(operand, operand);
    if (isTest && operand.type != TypeTable::kBool) {
        core_.report(DiagId::ConditionType, operand.range, typeName(operand),
                     core_.types().isInteger(operand.type) ? "; write '!= 0'" : "");
        isTest = false;
    }
    SiteNeeds needs;
    needs.use = SiteUse::Value;  // `while (true)` must wait
    if (isTest) loop.condition = use(operand, std::move(needs));
    ++loopDepth_;
    loop.body = block(node.body);
    --loopDepth_;
    if (!isTest) return;
    if (isTrue(body_, loop.condition)) {
        Ways ways = waysWithoutWait(body_, loop.body);
        if (ways.falls || ways.continues)
            core_.report(DiagId::LoopWithoutWait,
                         smec::cover({range.file, range.begin, range.begin}, operand.range));
    }
    body_.canFail = true;  // too many rounds
    out.push_back({range, std::move(loop)});
}

}  // namespace smec::sema
