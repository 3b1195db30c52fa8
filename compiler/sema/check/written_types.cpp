#include "sema/check/written_types.h"

#include "sema/check/constants.h"
#include "sema/check/expressions.h"
#include "sema/check/names.h"
#include "sema/operand_types.h"
#include "source/overloaded.h"

namespace smec::sema {

using hir::TypeId;
using hir::TypeTable;

TypeId WrittenTypes::resolve(const ast::TypeExpr& type) {
    TypeId result = writtenType(type);
    if (!type.bound) return result;
    return rangedType(result, *type.bound, type.range);
}

TypeId WrittenTypes::writtenType(const ast::TypeExpr& type) {
    return smec::visit(Overloaded{[&](const ast::NamedType& n) { return namedType(n, type.range); },
                                  [&](const ast::SizedType& n) { return sizedType(n, type.range); },
                                  [&](const ast::ArrayType& n) { return arrayType(n, type.range); },
                                  [&](const ast::TypeOf& n) { return typeOf(n); }},
                       type.node);
}

TypeId WrittenTypes::namedType(const ast::NamedType& node, SourceRange) {
    const ast::Identifier& first = node.path.front();
    if (node.path.size() == 1) {
        bool isReserved = false;
        if (auto type = builtinType(types_, first.text, isReserved)) return *type;
        if (isReserved) {
            reporter_.report(DiagId::TypeWidth, first.range, first.text);
            return TypeTable::kError;
        }
    }
    Symbol* symbol = typeSymbols_.named(node.path, scope_);
    if (!symbol || !typeSymbols_.resolve(*symbol)) return TypeTable::kError;
    const TypeSymbol& type = std::get<TypeSymbol>(symbol->node);
    if (type.shape) {
        reporter_.report(DiagId::BusTypeAsValue, node.path.back().range, symbol->name);
        return TypeTable::kError;
    }
    uses_.dependOn(type);
    return type.type;
}

TypeId WrittenTypes::sizedType(const ast::SizedType& node, SourceRange range) {
    auto width = constants_.integer(node.width, "a width");
    if (!width) return TypeTable::kError;
    if (*width < 1 || *width > kMaxBits) {
        reporter_.report(DiagId::TypeWidth, range, reporter_.text(range));
        return TypeTable::kError;
    }
    return types_.integer(width->convert_to<std::uint32_t>(), node.isSigned);
}

TypeId WrittenTypes::arrayType(const ast::ArrayType& node, SourceRange range) {
    auto count = constants_.integer(node.size, "an array size");
    TypeId element = resolve(node.element.front());
    if (!count || types_.isError(element)) return TypeTable::kError;
    if (*count < 1) {
        reporter_.report(DiagId::SizeRange, module_[node.size].range, "the array size",
                         count->str(), "at least 1");
        return TypeTable::kError;
    }
    hir::Integer leaves = *count * types_.leafCount(element);
    if (leaves > limits_.leaves) {
        reporter_.report(DiagId::ArrayTooLarge, range, leaves.str(), limits_.leaves);
        return TypeTable::kError;
    }
    return types_.array(element, count->convert_to<std::uint64_t>());
}

TypeId WrittenTypes::typeOf(const ast::TypeOf& node) {
    bool failed = false;
    Symbol* symbol = names_.symbolAt(node.operand, failed);
    if (failed) return TypeTable::kError;
    if (symbol && std::holds_alternative<TypeSymbol>(symbol->node)) {
        const TypeSymbol& type = std::get<TypeSymbol>(symbol->node);
        if (!typeSymbols_.resolve(*symbol)) return TypeTable::kError;
        uses_.dependOn(type);
        return type.shape ? TypeTable::kError : type.type;
    }
    Operand operand = expressions_.checkTypeOnly(node.operand);
    if (operand.perInstance) uses_.dependOn(operand);
    if (operand.kind == Operand::Kind::Bus)
        reporter_.report(DiagId::NotAValue, operand.range, reporter_.text(operand.range), "a bus",
                         "; name one of its fields");
    if (operand.kind == Operand::Kind::Undefined)
        reporter_.report(DiagId::UndefinedUse, operand.range);
    return operand.isValue() ? operand.declared : TypeTable::kError;
}

TypeId WrittenTypes::rangedType(TypeId base, const ast::RangeBound& bound, SourceRange range) {
    auto low = constants_.integer(bound.low, "a range bound");
    auto high = constants_.integer(bound.high, "a range bound");
    if (!low || !high || types_.isError(base)) return TypeTable::kError;
    if (*low > *high) {
        reporter_.report(DiagId::EmptyRange,
                         smec::cover(module_[bound.low].range, module_[bound.high].range),
                         low->str(), high->str());
        return TypeTable::kError;
    }
    const hir::IntType* type = types_.as<hir::IntType>(base);
    bool isFree =
        type && type->flavour == hir::IntFlavour::Unsized && (type->isSigned || *low >= 0);
    bool isInside = type && fits(types_, base, *low) && fits(types_, base, *high);
    bool isTooWide = hir::bitsFor(*low) > kMaxBits - 1 || hir::bitsFor(*high) > kMaxBits - 1;
    if ((!isFree && !isInside) || isTooWide) {
        TypeId element = base;
        while (const auto* array = types_.as<hir::ArrayType>(element))
            element = array->element;
        const std::string hint =
            element == base ? ""
                            : fmt::format("; give it to the elements: type t: {} range {} to {}; "
                                          "and an array of t",
                                          types_.name(element), low->str(), high->str());
        reporter_.report(DiagId::RangeOfType, range, types_.name(base), low->str(), high->str(),
                         hint);
        return TypeTable::kError;
    }
    return types_.ranged(*low, *high);
}

}  // namespace smec::sema
