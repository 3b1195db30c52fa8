#include "sema/check/switches.h"

#include <set>

#include "sema/check/constants.h"
#include "sema/check/expressions.h"
#include "sema/check/statements.h"
#include "sema/operand_types.h"

namespace smec::sema {

using hir::Integer;
using hir::TypeTable;

namespace {

Integer numberOf(const hir::Value& value) {
    const bool* flag = std::get_if<bool>(&value.data);
    return flag ? Integer(*flag ? 1 : 0) : value.integer();
}

/// Subjects are exact: `a + b` can be more than its operand type holds.
hir::TypeId typeOfValues(TypeTable& types, const Operand& subject) {
    if (!types.isInteger(subject.type) || subject.interval.unbounded) return subject.type;
    const hir::TypeId values = joined(types, smallestType(types, subject.interval.low),
                                      smallestType(types, subject.interval.high));
    if (holds(types, subject.type, values)) return subject.type;
    return joined(types, operandType(types, subject.type), values);
}

bool takesAnyLabel(const Operand& subject) {
    return subject.interval.unbounded || (subject.isConstant() && subject.unsized);
}

}  // namespace

void Switches::choose(const ast::Switch& node, SourceRange range, hir::Block& out) {
    const std::size_t siteBegin = uses_.siteCount();
    Operand subject = expressions_.check(node.subject);
    hir::Switch result;
    TypeTable& types = types_;
    bool ok = !subject.isError() && operandsAreValues(reporter_, subject, subject);
    if (ok && !types.isInteger(subject.type) && subject.type != TypeTable::kBool
        && !types.is<hir::EnumType>(subject.type)) {
        reporter_.report(DiagId::SwitchType, subject.range, typeName(types_, subject));
        ok = false;
    }
    if (!ok) subject = {};
    build_.demand(subject, kAllBits);
    if (ok) result.subject = build_.leaf(subject);
    Labels labels{subject, typeOfValues(types, subject), {}, {}};
    for (const ast::Case& one : node.cases) {
        result.cases.emplace_back();
        for (const ast::CaseLabel& label : one.labels) {
            if (label.last.valid())
                addRange(label, labels, result);
            else
                addLabel(label.first, labels, result);
        }
        hir::Block body = statements_.block(one.body);
        result.cases.back().body = std::move(body);
    }
    if (node.otherwise) result.otherwise = statements_.block(*node.otherwise);
    if (!ok) return;
    result.coversAll = coversAll(labels);
    if (result.coversAll && types.isInteger(subject.type)) uses_.upgradeSites(siteBegin);
    finishLabels(labels, result);
    warnUncovered(node, subject, result, range);
    out.push_back({range, std::move(result)});
}

/// Whether a value of that type can be compared with the subject, and the subject can have it.
bool Switches::labelFits(const Operand& label, const Labels& labels) {
    TypeTable& types = types_;
    const Operand& subject = labels.subject;
    bool isInteger = types.isInteger(subject.type);
    if (isInteger ? !types.isInteger(label.type) : label.type != subject.type) {
        reporter_.report(DiagId::LabelType, label.range, typeName(types_, label),
                         "'" + reporter_.text(subject.range) + "'", typeName(types_, subject));
        return false;
    }
    if (!isInteger || takesAnyLabel(subject) || fits(types, labels.type, label.integer()))
        return true;
    reporter_.report(DiagId::LabelFit, label.range, label.integer().str(),
                     "'" + reporter_.text(subject.range) + "'",
                     labels.type == subject.type ? typeName(types, subject)
                                                 : types.name(labels.type),
                     types.minimum(labels.type).str(), types.maximum(labels.type).str());
    return false;
}

/// Notes that a case takes these values; false where another one has taken some of them. `shown`:
/// a single label.
bool Switches::take(Labels& labels, const Integer& low, const Integer& high, SourceRange range,
                    const std::string& shown) {
    auto other = labels.places.upper_bound(high);
    if (other == labels.places.begin())
        other = labels.places.end();
    else
        --other;
    if (other == labels.places.end() || other->second.high < low) {
        labels.places.try_emplace(low, Labels::Place{high, range});
        return true;
    }
    const Integer& from = std::max(low, other->first);
    const Integer& to = std::min(high, other->second.high);
    const std::string both = from == to ? from.str() : from.str() + " to " + to.str();
    reporter_.report(DiagId::LabelTwice, range, low == high ? shown : both)
        .note(DiagId::LabelHere, other->second.range);
    return false;
}

void Switches::addLabel(ast::ExprId id, Labels& labels, hir::Switch& out) {
    Operand label = constantOrUndefined(id);
    if (label.isError() || labels.subject.isError() || label.kind == Operand::Kind::Undefined)
        return;
    if (!labelFits(label, labels)) return;
    const Integer value = numberOf(label.value());
    if (!take(labels, value, value, label.range, hir::toString(types_, label.type, label.value())))
        return;
    if (label.perInstance)
        labels.perInstance.emplace_back(out.cases.size() - 1, std::move(label));
    else
        out.cases.back().labels.push_back(label.value());
}

void Switches::addRange(const ast::CaseLabel& range, Labels& labels, hir::Switch& out) {
    Operand first = constants_.constant(range.first, "a label"),
            last = constants_.constant(range.last, "a label");
    if (first.isError() || last.isError() || labels.subject.isError()) return;
    for (const Operand* bound : {&first, &last}) {
        if (!labelFits(*bound, labels)) return;
        if (types_.isInteger(bound->type)) continue;
        reporter_.report(DiagId::LabelRangeType, bound->range, typeName(types_, *bound));
        return;
    }
    const SourceRange place = smec::cover(first.range, last.range);
    for (const Operand* bound : {&first, &last})
        if (bound->perInstance) uses_.dependOn(*bound);
    if (first.integer() > last.integer()) {
        reporter_.report(DiagId::LabelRangeEmpty, place, first.integer().str(),
                         last.integer().str());
        return;
    }
    if (!take(labels, first.integer(), last.integer(), place, first.integer().str())) return;
    out.cases.back().ranges.push_back({first.integer(), last.integer()});
}

/// One label may differ between the instances; several must be equal in all that share, or they
/// could coincide, and so must those that are covered by ranges or cover everything.
void Switches::finishLabels(Labels& labels, hir::Switch& out) {
    bool anyRange = std::ranges::any_of(
        out.cases, [](const hir::SwitchCase& one) { return !one.ranges.empty(); });
    bool isSingle = labels.perInstance.size() == 1 && mode_ == CheckMode::Process
                    && labels.perInstance[0].second.siteSafe && !anyRange && !out.coversAll;
    for (auto& [place, label] : labels.perInstance) {
        if (!isSingle) {
            uses_.dependOn(label);
            out.cases[place].labels.push_back(label.value());
            continue;
        }
        const bool isFree = takesAnyLabel(labels.subject);
        SiteNeeds needs;
        if (isFree)
            needs.use = SiteUse::Width;
        else
            needs.fits = labels.type;
        for (const hir::SwitchCase& one : out.cases)
            needs.distinctFrom.insert(needs.distinctFrom.end(), one.labels.begin(),
                                      one.labels.end());
        if (!isFree) label.type = labels.type;
        out.cases[place].instanceLabels.push_back(build_.use(label, std::move(needs)));
    }
}

Operand Switches::constantOrUndefined(ast::ExprId id) {
    ast::ExprId inner = id;
    while (const auto* paren = std::get_if<ast::Paren>(&module_[inner].node))
        inner = paren->inner;
    if (!std::holds_alternative<ast::Undefined>(module_[inner].node))
        return constants_.constant(id, "a label");
    Operand result;
    result.kind = Operand::Kind::Undefined;
    return result;
}

/// Whether the labels are all values that the subject can have, by the types that were declared.
bool Switches::coversAll(const Labels& labels) const {
    const Operand& subject = labels.subject;
    if (const auto* type = types_.as<hir::EnumType>(subject.type))
        return labels.places.size() == type->members.size();
    const bool isBool = subject.type == TypeTable::kBool;
    if (!isBool && subject.interval.unbounded) return false;
    Integer next = isBool ? Integer(0) : subject.interval.low;
    const Integer last = isBool ? Integer(1) : subject.interval.high;
    for (const auto& [low, place] : labels.places) {
        if (low > next) break;
        if (place.high >= next) next = place.high + 1;
    }
    return next > last;
}

void Switches::warnUncovered(const ast::Switch& node, const Operand& subject,
                             const hir::Switch& out, SourceRange) {
    const hir::EnumType* type = types_.as<hir::EnumType>(subject.type);
    if (!type || out.otherwise) return;
    std::set<Integer> covered;
    for (const hir::SwitchCase& one : out.cases)
        for (const hir::Value& label : one.labels)
            covered.insert(label.integer());
    std::string missing;
    for (const hir::EnumMember& member : type->members) {
        if (!covered.contains(member.value))
            missing += (missing.empty() ? "'" : ", '") + member.name + "'";
    }
    if (!missing.empty())
        reporter_.report(DiagId::EnumSwitch, module_[node.subject].range, missing, type->name);
}

}  // namespace smec::sema
