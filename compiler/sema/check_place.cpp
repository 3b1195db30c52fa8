#include <algorithm>

#include "sema/checker.h"
#include "sema/evaluate.h"
#include "sema/operand_types.h"

// The left side of assignments: a variable, a field that the process may drive, a part of one, or a
// whole bus.

namespace smec::sema {

using hir::TypeId;
using hir::TypeTable;

std::optional<Checker::Target> Checker::targetName(const std::string& text, SourceRange range) {
    Target target;
    target.name = text;
    target.place.range = range;
    auto variable = [&](hir::VarId var) {
        target.place.root = var;
        target.place.type = body_.vars[var.index].type;
        return target;
    };
    if (Local* local = findLocal(text)) {
        local->used = true;
        if (!local->isLoop) return variable(local->var);
        core_.report(DiagId::AssignLoopVariable, range, text);
        return std::nullopt;
    }
    if (auto port = portNames_.find(text); port != portNames_.end()) {
        target.isBus = true;
        target.bus = busOperand(port->second, range);
        return target;
    }
    Symbol* symbol = scope_->find(text);
    if (!symbol) {
        if (core_.enumMembers(*scope_, text).empty())
            reportUnknown(text, range);
        else
            core_.report(DiagId::NotAssignable, range, text, "a member of an enum");
        return std::nullopt;
    }
    symbol->used = true;
    if (isUnimported(*symbol)) return std::nullopt;
    if (const VarSymbol* var = std::get_if<VarSymbol>(&symbol->node)) {
        if (mode_ == Mode::Process) return variable(var->var);
        core_.report(DiagId::FunctionScope, range, text, "a variable of the process");
    } else if (std::holds_alternative<ConstSymbol>(symbol->node)) {
        core_.report(DiagId::AssignConstant, range, text);
    } else {
        core_.report(DiagId::NotAssignable, range, text, kindOf(*symbol));
    }
    return std::nullopt;
}

std::optional<Checker::Target> Checker::target(ast::ExprId id) {
    const ast::Expr& expr = module_[id];
    if (const auto* name = std::get_if<ast::Name>(&expr.node))
        return targetName(name->text, expr.range);
    if (const auto* paren = std::get_if<ast::Paren>(&expr.node)) return target(paren->inner);
    bool isPath = std::holds_alternative<ast::Member>(expr.node)
                  || std::holds_alternative<ast::Index>(expr.node);
    bool isSlice = std::holds_alternative<ast::Slice>(expr.node)
                   || std::holds_alternative<ast::IndexedSlice>(expr.node);
    bool failed = false;
    if (Symbol* symbol = isPath ? symbolAt(id, failed) : nullptr) {
        bool isConstant = std::holds_alternative<ConstSymbol>(symbol->node);
        if (isConstant)
            core_.report(DiagId::AssignConstant, expr.range, core_.text(expr.range));
        else
            core_.report(DiagId::NotAssignable, expr.range, core_.text(expr.range),
                         kindOf(*symbol));
        return std::nullopt;
    }
    if (failed) return std::nullopt;
    if (!isPath && !isSlice) {
        check(id);
        core_.report(DiagId::NotAssignable, expr.range, core_.text(expr.range), "a value");
        return std::nullopt;
    }
    if (isPath && startsOutside(id)) {
        std::vector<ast::ExprId> rest;
        Target base;
        base.isBus = true;
        base.bus = busPath(id, rest);
        base.name = core_.text(base.bus.range);
        if (base.bus.isError()) return std::nullopt;
        std::optional<Target> result = std::move(base);
        for (; result && !rest.empty(); rest.pop_back())
            result = targetStep(std::move(*result), rest.back());
        return result;
    }
    ast::ExprId inner = std::visit(Overloaded{[](const ast::Member& n) { return n.base; },
                                              [](const ast::Index& n) { return n.base; },
                                              [](const ast::Slice& n) { return n.base; },
                                              [](const ast::IndexedSlice& n) { return n.base; },
                                              [](const auto&) { return ast::ExprId{}; }},
                                   expr.node);
    auto base = target(inner);
    return base ? targetStep(std::move(*base), id) : std::nullopt;
}

std::optional<Checker::Target> Checker::targetStep(Target base, ast::ExprId id) {
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
    if (result) result->name = core_.text(expr.range);
    return result;
}

// ---------------------------------------------------------------- fields

bool Checker::mayWrite(const hir::Port& port, bool flip) const {
    if (port.origin != hir::PortOrigin::Parameter) return true;
    return isOut_[static_cast<std::size_t>(&port - ports_.data())] != flip;
}

bool Checker::writeField(const Operand& bus, std::uint32_t field, SourceRange range) {
    hir::Port& port = ports_[bus.port];
    const hir::FieldShape& shape = core_.design.shapes[port.shape.index].fields[field];
    if (!mayWrite(port, shape.flip)) {
        core_.report(isOut_[bus.port] ? DiagId::WriteFlip : DiagId::WriteInput, range, shape.name,
                     port.name);
        return false;
    }
    hir::PortField& mark = port.fields[field];
    if (!mark.written) mark.firstWrite = range;
    mark.written = true;
    if (port.isArray) noteElement(elementUses_[bus.port][field].writes, bus, true);
    return true;
}

// ---------------------------------------------------------------- steps

std::optional<Checker::Target> Checker::targetMember(Target base, const ast::Identifier& name,
                                                     SourceRange range) {
    if (base.isBus) {
        auto field = fieldIndex(base.bus, name);
        if (!field) return std::nullopt;
        hir::ExprId element = elementExpr(base.bus);
        if (!writeField(base.bus, *field, range)) return std::nullopt;
        base.isBus = false;
        base.isField = true;
        base.place.root = hir::FieldRef{base.bus.port, *field, element};
        base.place.type =
            core_.design.shapes[ports_[base.bus.port].shape.index].fields[*field].type;
        return base;
    }
    if (core_.types().isError(base.place.type)) return std::nullopt;
    const hir::StructType* type = core_.types().as<hir::StructType>(base.place.type);
    if (!type) {
        core_.report(DiagId::NoMembers, name.range, base.name, core_.types().name(base.place.type));
        return std::nullopt;
    }
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < type->members.size(); ++i) {
        names.push_back(type->members[i].name);
        if (names.back() != name.text) continue;
        base.place.steps.push_back(hir::MemberStep{i});
        base.place.type = type->members[i].type;
        return base;
    }
    std::string nearest = nearestName(name.text, names);
    core_.report(DiagId::UnknownMember, name.range, base.name, name.text,
                 nearest.empty() ? "" : "; did you mean '" + nearest + "'?");
    return std::nullopt;
}

namespace {

bool endsInBits(const hir::Place& place) {
    return !place.steps.empty()
           && (std::holds_alternative<hir::BitStep>(place.steps.back())
               || std::holds_alternative<hir::SliceStep>(place.steps.back())
               || std::holds_alternative<hir::IndexedSliceStep>(place.steps.back()));
}

}  // namespace

std::optional<Checker::Target> Checker::targetIndex(Target base, ast::ExprId expr,
                                                    SourceRange range) {
    if (base.isBus) {
        base.bus = busElement(std::move(base.bus), expr, range, true);
        if (base.bus.isError()) return std::nullopt;
        return base;
    }
    TypeTable& types = core_.types();
    TypeId type = base.place.type;
    if (types.isError(type)) return std::nullopt;
    const hir::ArrayType* array = types.as<hir::ArrayType>(type);
    if ((!array && !types.isInteger(type)) || endsInBits(base.place)) {
        check(expr);
        core_.report(DiagId::NotIndexable, range, base.name, types.name(type));
        return std::nullopt;
    }
    std::uint64_t count = array ? array->count : widthOf(type);
    TypeId element = array ? array->element : TypeTable::kBool;
    auto index = checkedIndex(expr, count, base.name, array ? "element" : "bit");
    if (!index) return std::nullopt;
    SourceRange place = index->range;
    hir::ExprId at = useIndex(*index, count);
    bool isRanged = !array && types.as<hir::IntType>(type)->flavour == hir::IntFlavour::Ranged;
    body_.canFail |= isRanged;
    if (array)
        base.place.steps.push_back(hir::IndexStep{at, place});
    else
        base.place.steps.push_back(hir::BitStep{at, place});
    base.place.type = element;
    return base;
}

bool Checker::isSliceable(const Target& base, SourceRange range) {
    const TypeTable& types = core_.types();
    if (base.isBus) {
        core_.report(DiagId::NotSliceable, range, base.name, "bus");
        return false;
    }
    const TypeId type = base.place.type;
    if (types.isError(type)) return false;
    if (types.isInteger(type) && !endsInBits(base.place)) return true;
    core_.report(DiagId::NotSliceable, range, base.name, types.name(type));
    return false;
}

Checker::Target Checker::slicedTarget(Target base, hir::PlaceStep step, std::uint32_t width) {
    TypeTable& types = core_.types();
    body_.canFail |= types.as<hir::IntType>(base.place.type)->flavour == hir::IntFlavour::Ranged;
    base.place.steps.push_back(step);
    base.place.type = types.integer(width, false);
    return base;
}

std::optional<Checker::Target> Checker::targetSlice(Target base, const ast::Slice& node,
                                                    SourceRange range) {
    if (!isSliceable(base, range)) return std::nullopt;
    auto bits = sliceBounds(node, widthOf(base.place.type), base.name);
    if (!bits) return std::nullopt;
    return slicedTarget(std::move(base), hir::SliceStep{bits->high, bits->low},
                        bits->high - bits->low + 1);
}

std::optional<Checker::Target> Checker::targetSlice(Target base, const ast::IndexedSlice& node,
                                                    SourceRange range) {
    if (!isSliceable(base, range)) {
        check(node.low);
        return std::nullopt;
    }
    const std::uint32_t width = widthOf(base.place.type);
    auto bits = indexedBits(node, width, base.name);
    if (!bits) return std::nullopt;
    if (const auto known = bits->known())
        return slicedTarget(std::move(base), hir::SliceStep{known->high, known->low}, bits->width);
    const SourceRange place = bits->low.range;
    const hir::ExprId low = useIndex(bits->low, width - bits->width + 1);
    return slicedTarget(std::move(base), hir::IndexedSliceStep{low, bits->width, place},
                        bits->width);
}

/// The present value of a target, for compound assignments. A field gives its read slot.
Operand Checker::readBack(const Target& target) {
    TypeTable& types = core_.types();
    SourceRange range = target.place.range;
    TypeId type;
    hir::ExprId id;
    if (const hir::VarId* var = std::get_if<hir::VarId>(&target.place.root)) {
        type = body_.vars[var->index].type;
        id = emit(operandType(types, type), range, hir::ReadVar{*var});
    } else {
        const auto& field = std::get<hir::FieldRef>(target.place.root);
        noteRead(target.bus, field.field);
        type = core_.design.shapes[ports_[field.port].shape.index].fields[field.field].type;
        id = emit(operandType(types, type), range,
                  hir::ReadField{field.port, field.field, field.element});
    }
    for (const hir::PlaceStep& step : target.place.steps) {
        decltype(hir::Expr::node) node;
        if (const auto* index = std::get_if<hir::IndexStep>(&step)) {
            type = types.as<hir::ArrayType>(type)->element;
            node = hir::ArrayElement{id, index->index};
        } else if (const auto* member = std::get_if<hir::MemberStep>(&step)) {
            type = types.as<hir::StructType>(type)->members[member->member].type;
            node = hir::StructMemberOf{id, member->member};
        } else if (const auto* bit = std::get_if<hir::BitStep>(&step)) {
            type = TypeTable::kBool;
            node = hir::BitSelect{id, bit->index};
        } else if (const auto* slice = std::get_if<hir::SliceStep>(&step)) {
            type = types.integer(slice->high - slice->low + 1, false);
            node = hir::SliceSelect{id, slice->high, slice->low};
        } else {
            const auto& part = std::get<hir::IndexedSliceStep>(step);
            type = types.integer(part.width, false);
            node = hir::IndexedSliceSelect{id, part.low, part.width};
        }
        id = emit(operandType(types, type), range, std::move(node));
    }
    return valueOperand(id, type, range);
}

}  // namespace smec::sema
