#include "sema/check/statements.h"

#include "sema/check/assignments.h"
#include "sema/check/conversions.h"
#include "sema/check/expressions.h"
#include "sema/check/judgements.h"
#include "sema/check/switches.h"
#include "sema/check/texts.h"
#include "sema/check/written_types.h"
#include "sema/flow.h"
#include "sema/operand_types.h"

namespace smec::sema {

using hir::TypeId;
using hir::TypeTable;

hir::Block Statements::loopBody(const ast::Block& body) {
    const Depth::Inside inside = loops_.enter();
    return block(body);
}

/// The smallest type of a constant, or the operand type; constants are the same in all instances
/// that share.
bool Statements::loopBound(Operand& operand, TypeId& type) {
    if (operand.isError() || !operandsAreValues(reporter_, operand, operand)) return false;
    if (!types_.isInteger(operand.type)) {
        reporter_.report(DiagId::LoopBoundType, operand.range, typeName(types_, operand));
        return false;
    }
    type = operand.isConstant() ? smallestType(types_, operand.integer()) : operand.type;
    build_.demand(operand, kAllBits);
    return true;
}

void Statements::loop(const ast::For& node, SourceRange range, hir::Block& out) {
    static constexpr hir::LoopKind kKinds[] = {hir::LoopKind::To, hir::LoopKind::Downto,
                                               hir::LoopKind::Until};
    hir::LoopKind kind = kKinds[static_cast<std::size_t>(node.direction)];
    Operand from = expressions_.check(node.from), to = expressions_.check(node.to);
    TypeId fromType, toType;
    bool fromOk = loopBound(from, fromType), toOk = loopBound(to, toType);
    bool ok = fromOk && toOk;
    bool isConstant = from.isConstant() && to.isConstant();
    if (ok && !isConstant && kind == hir::LoopKind::To)
        reporter_.report(DiagId::LoopDirection, smec::cover(from.range, to.range));
    if (ok && isConstant) judgements_.loop(node, from, to, range);
    TypeId type = ok ? joined(types_, fromType, toType) : TypeTable::kError;
    hir::For loop;
    loop.kind = kind;
    if (ok) {
        // A bound that is not constant is taken modulo the type of the variable where it may lie
        // outside.
        auto bound = [&](Operand& operand, bool isEnd) {
            if (operand.isConstant()) {
                SiteNeeds needs;
                needs.use = SiteUse::Value;
                return build_.use(operand, std::move(needs));
            }
            Interval allowed = intervalOf(types_, type);
            if (isEnd && kind == hir::LoopKind::Until) allowed.high += 1;
            if (allowed.contains(operand.interval)) return operand.id;
            return build_.emit(type, operand.range, hir::CastExpr{operand.id});
        };
        loop.from = bound(from, false);
        loop.to = bound(to, true);
        build_.body().canFail |= !isConstant;
    }
    locals_.open();
    loop.var = locals_.declare(node.variable, type, hir::VarKind::Loop);
    if (ok) ports_.noteLoop(loop.var, {kind, loop.from, loop.to});
    loop.body = loopBody(node.body);
    locals_.close();
    if (ok) out.push_back({range, std::move(loop)});
}

void Statements::loop(const ast::While& node, SourceRange range, hir::Block& out) {
    Operand operand = expressions_.check(node.condition);
    judgements_.condition(node.condition, operand, true);
    hir::While loop;
    bool isTest = !operand.isError() && operandsAreValues(reporter_, operand, operand);
    if (isTest && operand.type != TypeTable::kBool) {
        reporter_.report(DiagId::ConditionType, operand.range, typeName(types_, operand),
                         types_.isInteger(operand.type) ? "; write '!= 0'" : "");
        isTest = false;
    }
    SiteNeeds needs;
    needs.use = SiteUse::Value;  // `while (true)` must wait
    if (isTest) loop.condition = build_.use(operand, std::move(needs));
    loop.body = loopBody(node.body);
    if (!isTest) return;
    if (isTrue(build_.body(), loop.condition)) {
        Ways ways = waysWithoutWait(build_.body(), loop.body);
        if (ways.falls || ways.continues)
            reporter_.report(DiagId::LoopWithoutWait,
                             smec::cover({range.file, range.begin, range.begin}, operand.range));
    }
    build_.body().canFail = true;  // too many rounds
    out.push_back({range, std::move(loop)});
}

}  // namespace smec::sema
