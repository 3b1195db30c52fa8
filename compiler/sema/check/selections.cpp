#include "sema/check/selections.h"

#include <fmt/format.h>

#include "sema/check/bus_paths.h"
#include "sema/check/buses.h"
#include "sema/check/expressions.h"
#include "sema/check/indices.h"
#include "sema/check/names.h"
#include "sema/fold.h"
#include "sema/operand_types.h"
#include "syntax/foreign_types.h"

namespace smec::sema {

using hir::TypeId;
using hir::TypeTable;
using hir::Value;

Operand Selections::member(ast::ExprId id, const ast::Member& node, SourceRange range) {
    bool failed = false;
    if (Symbol* symbol = names_.symbolAt(id, failed))
        return names_.symbolOperand(*symbol, range, id);
    if (failed) return {};
    Symbol* base = names_.symbolAt(node.base, failed);
    if (failed) return {};
    if (base && std::holds_alternative<TypeSymbol>(base->node))
        return names_.enumMember(*base, node.name, range);
    if (busPaths_.startsOutside(id)) return busPaths_.pathOperand(id);
    return memberOf(expressions_.check(node.base), node.name, range);
}

Operand Selections::memberOf(Operand base, const ast::Identifier& name, SourceRange range) {
    if (base.kind == Operand::Kind::Bus) return buses_.fieldOf(std::move(base), name, range);
    if (!base.isValue()) {
        if (base.kind == Operand::Kind::Undefined)
            reporter_.report(DiagId::UndefinedUse, base.range);
        return {};
    }
    const hir::StructType* type = types_.as<hir::StructType>(base.type);
    if (!type && types_.is<hir::ArrayType>(base.type) && syntax::isLength(name.text)) {
        reporter_.report(DiagId::OtherLanguage, range,
                         fmt::format("the language has no '.{}'; write 'len({})'", name.text,
                                     reporter_.text(base.range)));
        return {};
    }
    if (!type) {
        reporter_.report(DiagId::NoMembers, name.range, reporter_.text(base.range),
                         typeName(types_, base));
        return {};
    }
    if (const auto i = type->memberNamed(name.text)) {
        TypeId declared = type->members[*i].type;
        if (base.isConstant()) {
            Operand result = build_.constantOperand(base.value().list()[*i], declared, range);
            merge(result, base);
            return result;
        }
        return build_.valueOperand(
            build_.emit(operandType(types_, declared), range, hir::StructMemberOf{base.id, *i}),
            declared, range);
    }
    std::vector<std::string> names;
    for (const hir::StructMember& member : type->members)
        names.push_back(member.name);
    reporter_.report(DiagId::UnknownMember, name.range, reporter_.text(base.range), name.text,
                     hintAmong(name.text, names));
    return {};
}

Operand Selections::index(ast::ExprId id, const ast::Index& node, SourceRange range) {
    if (busPaths_.startsOutside(id)) return busPaths_.pathOperand(id);
    return indexOf(expressions_.check(node.base), node.index, range);
}

Operand Selections::indexOf(Operand base, ast::ExprId index, SourceRange range) {
    if (base.kind == Operand::Kind::Bus)
        return buses_.busElement(std::move(base), index, range, false);
    if (base.isValue() && types_.is<hir::ArrayType>(base.type))
        return elementOf(std::move(base), index, range);
    if (base.isValue() && types_.isInteger(base.type))
        return bitOfInteger(std::move(base), index, range);
    expressions_.check(index);
    if (base.kind == Operand::Kind::Undefined) reporter_.report(DiagId::UndefinedUse, base.range);
    if (base.isValue())
        reporter_.report(DiagId::NotIndexable, range, reporter_.text(base.range),
                         typeName(types_, base));
    return {};
}

Operand Selections::elementOf(Operand base, ast::ExprId expr, SourceRange range) {
    const hir::ArrayType array = *types_.as<hir::ArrayType>(base.type);
    auto index = indices_.checked(expr, array.count, reporter_.text(base.range), "element");
    if (!index) return {};
    if (!base.isConstant() || !index->isConstant()) {
        hir::ExprId from = build_.use(base), at = indices_.use(*index, array.count);
        return build_.valueOperand(
            build_.emit(operandType(types_, array.element), range, hir::ArrayElement{from, at}),
            array.element, range);
    }
    auto at = index->integer().convert_to<std::size_t>();
    const Value& element = base.value().list()[at];
    bool isUnsized = array.element == TypeTable::kUint || array.element == TypeTable::kInt;
    Operand result = isUnsized ? build_.unsizedConstant(element.integer(), range)
                               : build_.constantOperand(element, array.element, range);
    merge(result, base);
    merge(result, *index);
    return result;
}

Operand Selections::bitOfInteger(Operand base, ast::ExprId expr, SourceRange range) {
    std::uint32_t width = widthOf(types_, base.type);
    auto index = indices_.checked(expr, width, reporter_.text(base.range), "bit");
    if (!index) return {};
    if (base.isConstant() && index->isConstant()) {
        Operand result = build_.constantOperand(
            Value{bitOf(base.integer(), index->integer().convert_to<std::uint64_t>())},
            TypeTable::kBool, range);
        merge(result, base);
        merge(result, *index);
        return result;
    }
    build_.demand(base, width);
    hir::ExprId from = build_.leaf(base), at = indices_.use(*index, width);
    return build_.valueOperand(build_.emit(TypeTable::kBool, range, hir::BitSelect{from, at}),
                               TypeTable::kBool, range);
}

bool Selections::isSliceable(const Operand& base, SourceRange range) {
    if (base.isError() || !operandsAreValues(reporter_, base, base)) return false;
    if (types_.isInteger(base.type)) return true;
    reporter_.report(DiagId::NotSliceable, range, reporter_.text(base.range),
                     typeName(types_, base));
    return false;
}

Operand Selections::sliceOfInteger(const Operand& base, const BitRange& bits, SourceRange range) {
    TypeId type = types_.integer(bits.high - bits.low + 1, false);
    if (base.isConstant()) {
        Operand result = build_.constantOperand(Value{sliceOf(base.integer(), bits.high, bits.low)},
                                                type, range);
        merge(result, base);
        return result;
    }
    build_.demand(base, std::uint64_t{bits.high} + 1);
    return build_.valueOperand(
        build_.emit(type, range, hir::SliceSelect{base.id, bits.high, bits.low}), type, range);
}

Operand Selections::slice(const ast::Slice& node, SourceRange range) {
    Operand base = expressions_.check(node.base);
    if (!isSliceable(base, range)) return {};
    auto bits = indices_.sliceBounds(node, widthOf(types_, base.type), reporter_.text(base.range));
    return bits ? sliceOfInteger(base, *bits, range) : Operand{};
}

Operand Selections::slice(const ast::IndexedSlice& node, SourceRange range) {
    Operand base = expressions_.check(node.base);
    if (!isSliceable(base, range)) {
        expressions_.check(node.low);
        return {};
    }
    const std::uint32_t width = widthOf(types_, base.type);
    auto bits = indices_.indexedBits(node, width, reporter_.text(base.range));
    if (!bits) return {};
    if (const auto known = bits->known()) return sliceOfInteger(base, *known, range);
    build_.demand(base, width);
    hir::ExprId from = build_.leaf(base), low = indices_.use(bits->low, width - bits->width + 1);
    TypeId type = types_.integer(bits->width, false);
    return build_.valueOperand(
        build_.emit(type, range, hir::IndexedSliceSelect{from, low, bits->width}), type, range);
}

}  // namespace smec::sema
