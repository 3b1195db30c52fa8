#include <fmt/format.h>

#include "sema/checker.h"
#include "sema/flow.h"
#include "sema/operand_types.h"

// Loops and switches.

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
        Ways ways = waysWithoutWait(core_.types(), body_, loop.body);
        if (ways.falls || ways.continues)
            core_.report(DiagId::LoopWithoutWait,
                         smec::cover({range.file, range.begin, range.begin}, operand.range));
    }
    body_.canFail = true;  // too many rounds
    out.push_back({range, std::move(loop)});
}

// ---------------------------------------------------------------- switch

void Checker::choose(const ast::Switch& node, SourceRange range, hir::Block& out) {
    Operand subject = check(node.subject);
    hir::Switch result;
    TypeTable& types = core_.types();
    bool ok = !subject.isError() && operandsAreValues(subject, subject);
    if (ok && !types.isInteger(subject.type) && subject.type != TypeTable::kBool
        && !types.is<hir::EnumType>(subject.type)) {
        core_.report(DiagId::SwitchType, subject.range, typeName(subject));
        ok = false;
    }
    if (!ok) subject = {};
    demand(subject, kAllBits);
    if (ok) result.subject = leaf(subject);
    Labels labels{subject, {}, {}};
    for (const ast::Case& one : node.cases) {
        result.cases.emplace_back();
        for (ast::ExprId id : one.labels)
            addLabel(id, labels, result);
        hir::Block body = block(one.body);
        result.cases.back().body = std::move(body);
    }
    if (node.otherwise) result.otherwise = block(*node.otherwise);
    if (!ok) return;
    finishLabels(labels, result);
    warnUncovered(node, subject, result, range);
    out.push_back({range, std::move(result)});
}

void Checker::addLabel(ast::ExprId id, Labels& labels, hir::Switch& out) {
    const TypeTable& types = core_.types();
    const Operand& subject = labels.subject;
    bool isInteger = types.isInteger(subject.type);
    Operand label = constantOrUndefined(id);
    if (label.isError() || subject.isError() || label.kind == Operand::Kind::Undefined) return;
    if (isInteger ? !types.isInteger(label.type) : label.type != subject.type) {
        core_.report(DiagId::LabelType, label.range, typeName(label),
                     "'" + core_.text(subject.range) + "'", typeName(subject));
        return;
    }
    bool isFree = subject.isConstant() && subject.unsized;
    if (isInteger && !isFree && !fits(types, subject.type, label.integer())) {
        core_.report(DiagId::LabelFit, label.range, label.integer().str(),
                     "'" + core_.text(subject.range) + "'", typeName(subject),
                     types.minimum(subject.type).str(), types.maximum(subject.type).str());
        return;
    }
    Integer key = std::holds_alternative<bool>(label.value().data)
                      ? Integer(label.value().boolean() ? 1 : 0)
                      : label.integer();
    auto [known, isNew] = labels.places.try_emplace(std::move(key), label.range);
    if (!isNew) {
        core_
            .report(DiagId::LabelTwice, label.range,
                    hir::toString(types, label.type, label.value()))
            .note(DiagId::LabelHere, known->second);
        return;
    }
    if (label.perInstance)
        labels.perInstance.emplace_back(out.cases.size() - 1, std::move(label));
    else
        out.cases.back().labels.push_back(label.value());
}

/// One label may differ between the instances; several must be equal in all that share, or they
/// could coincide.
void Checker::finishLabels(Labels& labels, hir::Switch& out) {
    bool isSingle = labels.perInstance.size() == 1 && mode_ == Mode::Process
                    && labels.perInstance[0].second.siteSafe;
    for (auto& [place, label] : labels.perInstance) {
        if (!isSingle) {
            dependOn(label);
            out.cases[place].labels.push_back(label.value());
            continue;
        }
        bool isFree = labels.subject.isConstant() && labels.subject.unsized;
        SiteNeeds needs;
        if (isFree)
            needs.use = SiteUse::Width;
        else
            needs.fits = labels.subject.type;
        for (const hir::SwitchCase& one : out.cases)
            needs.distinctFrom.insert(needs.distinctFrom.end(), one.labels.begin(),
                                      one.labels.end());
        if (!isFree) label.type = labels.subject.type;
        out.cases[place].instanceLabels.push_back(use(label, std::move(needs)));
    }
}

Operand Checker::constantOrUndefined(ast::ExprId id) {
    ast::ExprId inner = id;
    while (const auto* paren = std::get_if<ast::Paren>(&module_[inner].node))
        inner = paren->inner;
    if (!std::holds_alternative<ast::Undefined>(module_[inner].node))
        return constant(id, "a label");
    Operand result;
    result.kind = Operand::Kind::Undefined;
    return result;
}

void Checker::warnUncovered(const ast::Switch& node, const Operand& subject, const hir::Switch& out,
                            SourceRange) {
    const hir::EnumType* type = core_.types().as<hir::EnumType>(subject.type);
    if (!type || out.otherwise) return;
    std::string missing;
    for (const hir::EnumMember& member : type->members) {
        bool isCovered = false;
        for (const hir::SwitchCase& one : out.cases)
            for (const hir::Value& label : one.labels)
                isCovered |= label.integer() == member.value;
        if (!isCovered) missing += (missing.empty() ? "'" : ", '") + member.name + "'";
    }
    if (!missing.empty())
        core_.report(DiagId::EnumSwitch, module_[node.subject].range, missing, type->name);
}

}  // namespace smec::sema
