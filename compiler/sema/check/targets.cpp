#include "sema/check/targets.h"

#include <algorithm>

#include "sema/check/bus_paths.h"
#include "sema/check/buses.h"
#include "sema/check/expressions.h"
#include "sema/check/indices.h"
#include "sema/check/names.h"
#include "sema/evaluate.h"
#include "sema/operand_types.h"
#include "source/overloaded.h"

namespace smec::sema {

using hir::TypeId;
using hir::TypeTable;

namespace {

bool endsInBits(const hir::Place& place) {
    return !place.steps.empty()
           && smec::visit(
               Overloaded{
                   [](const AnyOf<hir::BitStep, hir::SliceStep, hir::IndexedSliceStep> auto&) {
                       return true;
                   },
                   [](const AnyOf<hir::IndexStep, hir::MemberStep> auto&) { return false; },
               },
               place.steps.back());
}

}  // namespace

std::optional<Target> Targets::targetName(const std::string& text, SourceRange range) {
    Target target;
    target.name = text;
    target.place.range = range;
    auto variable = [&](hir::VarId var) {
        target.place.root = var;
        target.place.type = build_.body().vars[var.index].type;
        return target;
    };
    if (Local* local = locals_.find(text)) {
        local->used = true;
        if (!local->isLoop) return variable(local->var);
        reporter_.report(DiagId::AssignLoopVariable, range, text);
        return std::nullopt;
    }
    if (auto port = ports_.find(text)) {
        target.isBus = true;
        target.bus = busOperand(*port, range);
        return target;
    }
    Symbol* symbol = scope_.find(text);
    if (!symbol) {
        if (typeSymbols_.enumMembers(scope_, text).empty())
            names_.reportUnknown(text, range);
        else
            reporter_.report(DiagId::NotAssignable, range, text, "a member of an enum");
        return std::nullopt;
    }
    symbol->used = true;
    if (isUnimported(*symbol)) return std::nullopt;
    if (const VarSymbol* var = std::get_if<VarSymbol>(&symbol->node)) {
        if (mode_ == CheckMode::Process) return variable(var->var);
        reporter_.report(DiagId::FunctionScope, range, text, "a variable of the process");
    } else if (std::holds_alternative<ConstSymbol>(symbol->node)) {
        reporter_.report(DiagId::AssignConstant, range, text);
    } else {
        reporter_.report(DiagId::NotAssignable, range, text, kindOf(*symbol));
    }
    return std::nullopt;
}

std::optional<Target> Targets::target(ast::ExprId id) {
    const ast::Expr& expr = module_[id];
    return smec::visit(
        Overloaded{
            [&](const ast::Name& n) { return targetName(n.text, expr.range); },
            [&](const ast::Paren& n) { return target(n.inner); },
            [&](const AnyOf<ast::Member, ast::Index> auto& n) { return targetPath(id, n.base); },
            [&](const AnyOf<ast::Slice, ast::IndexedSlice> auto& n) {
                return targetPart(id, n.base);
            },
            [&](const AnyOf<ast::IntLiteral, ast::FloatLiteral, ast::BoolLiteral,
                            ast::CharacterLiteral, ast::StringLiteral, ast::Undefined, ast::Star,
                            ast::Unary, ast::Binary, ast::Conditional, ast::ArrayLiteral,
                            ast::Call> auto&) {
                expressions_.check(id);
                reporter_.report(DiagId::NotAssignable, expr.range, reporter_.text(expr.range),
                                 "a value");
                return std::optional<Target>();
            }},
        expr.node);
}

std::optional<Target> Targets::targetPart(ast::ExprId id, ast::ExprId whole) {
    auto base = target(whole);
    return base ? targetStep(std::move(*base), id) : std::nullopt;
}

/// A member or element: of a variable, of a bus, or of something that cannot be assigned to.
std::optional<Target> Targets::targetPath(ast::ExprId id, ast::ExprId base) {
    const ast::Expr& expr = module_[id];
    bool failed = false;
    if (const Symbol* symbol = names_.symbolAt(id, failed)) {
        const std::string text = reporter_.text(expr.range);
        if (std::holds_alternative<ConstSymbol>(symbol->node))
            reporter_.report(DiagId::AssignConstant, expr.range, text);
        else
            reporter_.report(DiagId::NotAssignable, expr.range, text, kindOf(*symbol));
        return std::nullopt;
    }
    if (failed) return std::nullopt;
    return busPaths_.startsOutside(id) ? targetOutside(id) : targetPart(id, base);
}

std::optional<Target> Targets::targetOutside(ast::ExprId id) {
    std::vector<ast::ExprId> rest;
    Target base;
    base.isBus = true;
    base.bus = busPaths_.busPath(id, rest);
    base.name = reporter_.text(base.bus.range);
    if (base.bus.isError()) return std::nullopt;
    std::optional<Target> result = std::move(base);
    for (; result && !rest.empty(); rest.pop_back())
        result = targetStep(std::move(*result), rest.back());
    return result;
}

std::optional<Target> Targets::targetStep(Target base, ast::ExprId id) {
    const ast::Expr& expr = module_[id];
    base.place.range = expr.range;
    std::optional<Target> result;
    if (const auto* member = std::get_if<ast::Member>(&expr.node))
        result = targetMember(std::move(base), member->name, expr.range);
    else if (const auto* index = std::get_if<ast::Index>(&expr.node))
        result = targetIndex(std::move(base), index->index, expr.range);
    else if (const auto* slice = std::get_if<ast::Slice>(&expr.node))
        result = targetSlice(std::move(base), *slice, expr.range);
    else
        result = targetSlice(std::move(base), std::get<ast::IndexedSlice>(expr.node), expr.range);
    if (result) result->name = reporter_.text(expr.range);
    return result;
}

std::optional<Target> Targets::targetMember(Target base, const ast::Identifier& name,
                                            SourceRange range) {
    if (base.isBus) {
        auto field = buses_.fieldIndex(base.bus, name);
        if (!field) return std::nullopt;
        hir::ExprId element = buses_.elementExpr(base.bus);
        if (!ports_.noteWrite(base.bus, *field, range)) return std::nullopt;
        base.isBus = false;
        base.isField = true;
        base.place.root = hir::FieldRef{base.bus.port, *field, element};
        base.place.type = ports_.fields(base.bus.port)[*field].type;
        return base;
    }
    if (types_.isError(base.place.type)) return std::nullopt;
    const hir::StructType* type = types_.as<hir::StructType>(base.place.type);
    if (!type) {
        reporter_.report(DiagId::NoMembers, name.range, base.name, types_.name(base.place.type));
        return std::nullopt;
    }
    if (const auto i = type->memberNamed(name.text)) {
        base.place.steps.push_back(hir::MemberStep{*i});
        base.place.type = type->members[*i].type;
        return base;
    }
    std::vector<std::string> names;
    for (const hir::StructMember& member : type->members)
        names.push_back(member.name);
    reporter_.report(DiagId::UnknownMember, name.range, base.name, name.text,
                     hintAmong(name.text, names));
    return std::nullopt;
}

std::optional<Target> Targets::targetIndex(Target base, ast::ExprId expr, SourceRange range) {
    if (base.isBus) {
        base.bus = buses_.busElement(std::move(base.bus), expr, range, true);
        if (base.bus.isError()) return std::nullopt;
        return base;
    }
    TypeTable& types = types_;
    TypeId type = base.place.type;
    if (types.isError(type)) return std::nullopt;
    const hir::ArrayType* array = types.as<hir::ArrayType>(type);
    if ((!array && !types.isInteger(type)) || endsInBits(base.place)) {
        expressions_.check(expr);
        reporter_.report(DiagId::NotIndexable, range, base.name, types.name(type));
        return std::nullopt;
    }
    std::uint64_t count = array ? array->count : widthOf(types_, type);
    TypeId element = array ? array->element : TypeTable::kBool;
    auto index = indices_.checked(expr, count, base.name, array ? "element" : "bit");
    if (!index) return std::nullopt;
    SourceRange place = index->range;
    hir::ExprId at = indices_.use(*index, count);
    bool isRanged = !array && types.as<hir::IntType>(type)->flavour == hir::IntFlavour::Ranged;
    build_.body().canFail |= isRanged;
    if (array)
        base.place.steps.push_back(hir::IndexStep{at, place});
    else
        base.place.steps.push_back(hir::BitStep{at, place});
    base.place.type = element;
    return base;
}

bool Targets::isSliceable(const Target& base, SourceRange range) {
    const TypeTable& types = types_;
    if (base.isBus) {
        reporter_.report(DiagId::NotSliceable, range, base.name, "bus");
        return false;
    }
    const TypeId type = base.place.type;
    if (types.isError(type)) return false;
    if (types.isInteger(type) && !endsInBits(base.place)) return true;
    reporter_.report(DiagId::NotSliceable, range, base.name, types.name(type));
    return false;
}

Target Targets::slicedTarget(Target base, hir::PlaceStep step, std::uint32_t width) {
    TypeTable& types = types_;
    build_.body().canFail |=
        types.as<hir::IntType>(base.place.type)->flavour == hir::IntFlavour::Ranged;
    base.place.steps.push_back(step);
    base.place.type = types.integer(width, false);
    return base;
}

std::optional<Target> Targets::targetSlice(Target base, const ast::Slice& node, SourceRange range) {
    if (!isSliceable(base, range)) return std::nullopt;
    auto bits = indices_.sliceBounds(node, widthOf(types_, base.place.type), base.name);
    if (!bits) return std::nullopt;
    return slicedTarget(std::move(base), hir::SliceStep{bits->high, bits->low},
                        bits->high - bits->low + 1);
}

std::optional<Target> Targets::targetSlice(Target base, const ast::IndexedSlice& node,
                                           SourceRange range) {
    if (!isSliceable(base, range)) {
        expressions_.check(node.low);
        return std::nullopt;
    }
    const std::uint32_t width = widthOf(types_, base.place.type);
    auto bits = indices_.indexedBits(node, width, base.name);
    if (!bits) return std::nullopt;
    if (const auto known = bits->known())
        return slicedTarget(std::move(base), hir::SliceStep{known->high, known->low}, bits->width);
    const SourceRange place = bits->low.range;
    const hir::ExprId low = indices_.use(bits->low, width - bits->width + 1);
    return slicedTarget(std::move(base), hir::IndexedSliceStep{low, bits->width, place},
                        bits->width);
}

/// What reads the part of `base` that a step selects. `type`: of `base`, then of the part.
Targets::ExprNode Targets::selection(hir::ExprId base, const hir::PlaceStep& step, TypeId& type) {
    TypeTable& types = types_;
    return smec::visit(Overloaded{
                           [&](const hir::IndexStep& n) -> ExprNode {
                               type = types.as<hir::ArrayType>(type)->element;
                               return hir::ArrayElement{base, n.index};
                           },
                           [&](const hir::MemberStep& n) -> ExprNode {
                               type = types.as<hir::StructType>(type)->members[n.member].type;
                               return hir::StructMemberOf{base, n.member};
                           },
                           [&](const hir::BitStep& n) -> ExprNode {
                               type = TypeTable::kBool;
                               return hir::BitSelect{base, n.index};
                           },
                           [&](const hir::SliceStep& n) -> ExprNode {
                               type = types.integer(n.high - n.low + 1, false);
                               return hir::SliceSelect{base, n.high, n.low};
                           },
                           [&](const hir::IndexedSliceStep& n) -> ExprNode {
                               type = types.integer(n.width, false);
                               return hir::IndexedSliceSelect{base, n.low, n.width};
                           },
                       },
                       step);
}

Operand Targets::readBack(const Target& target) {
    TypeTable& types = types_;
    SourceRange range = target.place.range;
    TypeId type;
    hir::ExprId id;
    if (const hir::VarId* var = std::get_if<hir::VarId>(&target.place.root)) {
        type = build_.body().vars[var->index].type;
        id = build_.emit(operandType(types, type), range, hir::ReadVar{*var});
    } else {
        const auto& field = std::get<hir::FieldRef>(target.place.root);
        ports_.noteRead(target.bus, field.field);
        type = ports_.fields(field.port)[field.field].type;
        id = build_.emit(operandType(types, type), range,
                         hir::ReadField{field.port, field.field, field.element});
    }
    for (const hir::PlaceStep& step : target.place.steps) {
        ExprNode node = selection(id, step, type);
        id = build_.emit(operandType(types, type), range, std::move(node));
    }
    return build_.valueOperand(id, type, range);
}

}  // namespace smec::sema
