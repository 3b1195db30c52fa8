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
    return std::visit(Overloaded{[&](const ast::NamedType& n) { return namedType(n, type.range); },
                                 [&](const ast::SizedType& n) { return sizedType(n, type.range); },
                                 [&](const ast::ArrayType& n) { return arrayType(n, type.range); },
                                 [&](const ast::TypeOf& n) { return typeOf(n); }},
                      type.node);
}

TypeId WrittenTypes::namedType(const ast::NamedType& node, SourceRange) {
    const ast::Identifier& first = node.path.front();
    if (node.path.size() == 1) {
        bool isReserved = false;
        if (auto type = builtinType(core_.types(), first.text, isReserved)) return *type;
        if (isReserved) {
            core_.report(DiagId::TypeWidth, first.range, first.text);
            return TypeTable::kError;
        }
    }
    Symbol* symbol = core_.namedType(node.path, scope_);
    if (!symbol || !core_.resolve(*symbol)) return TypeTable::kError;
    const TypeSymbol& type = std::get<TypeSymbol>(symbol->node);
    if (type.shape) {
        core_.report(DiagId::BusTypeAsValue, node.path.back().range, symbol->name);
        return TypeTable::kError;
    }
    uses_.dependOn(type);
    return type.type;
}

TypeId WrittenTypes::sizedType(const ast::SizedType& node, SourceRange range) {
    auto width = constants_.integer(node.width, "a width");
    if (!width) return TypeTable::kError;
    if (*width < 1 || *width > kMaxBits) {
        core_.report(DiagId::TypeWidth, range, core_.text(range));
        return TypeTable::kError;
    }
    return core_.types().integer(width->convert_to<std::uint32_t>(), node.isSigned);
}

TypeId WrittenTypes::arrayType(const ast::ArrayType& node, SourceRange range) {
    auto count = constants_.integer(node.size, "an array size");
    TypeId element = resolve(node.element.front());
    if (!count || core_.types().isError(element)) return TypeTable::kError;
    if (*count < 1) {
        core_.report(DiagId::SizeRange, module_[node.size].range, "the array size", count->str(),
                     "at least 1");
        return TypeTable::kError;
    }
    hir::Integer leaves = *count * core_.types().leafCount(element);
    if (leaves > core_.limits.leaves) {
        core_.report(DiagId::ArrayTooLarge, range, leaves.str(), core_.limits.leaves);
        return TypeTable::kError;
    }
    return core_.types().array(element, count->convert_to<std::uint64_t>());
}

TypeId WrittenTypes::typeOf(const ast::TypeOf& node) {
    bool failed = false;
    Symbol* symbol = names_.symbolAt(node.operand, failed);
    if (failed) return TypeTable::kError;
    if (symbol && std::holds_alternative<TypeSymbol>(symbol->node)) {
        const TypeSymbol& type = std::get<TypeSymbol>(symbol->node);
        if (!core_.resolve(*symbol)) return TypeTable::kError;
        uses_.dependOn(type);
        return type.shape ? TypeTable::kError : type.type;
    }
    Operand operand = expressions_.checkTypeOnly(node.operand);
    if (operand.perInstance) uses_.dependOn(operand);
    if (operand.kind == Operand::Kind::Bus)
        core_.report(DiagId::NotAValue, operand.range, core_.text(operand.range), "a bus",
                     "; name one of its fields");
    if (operand.kind == Operand::Kind::Undefined) core_.report(DiagId::UndefinedUse, operand.range);
    return operand.isValue() ? operand.declared : TypeTable::kError;
}

TypeId WrittenTypes::rangedType(TypeId base, const ast::RangeBound& bound, SourceRange range) {
    auto low = constants_.integer(bound.low, "a range bound");
    auto high = constants_.integer(bound.high, "a range bound");
    if (!low || !high || core_.types().isError(base)) return TypeTable::kError;
    if (*low > *high) {
        core_.report(DiagId::EmptyRange,
                     smec::cover(module_[bound.low].range, module_[bound.high].range), low->str(),
                     high->str());
        return TypeTable::kError;
    }
    const hir::IntType* type = core_.types().as<hir::IntType>(base);
    bool isFree =
        type && type->flavour == hir::IntFlavour::Unsized && (type->isSigned || *low >= 0);
    bool isInside = type && fits(core_.types(), base, *low) && fits(core_.types(), base, *high);
    bool isTooWide = hir::bitsFor(*low) > kMaxBits - 1 || hir::bitsFor(*high) > kMaxBits - 1;
    if ((!isFree && !isInside) || isTooWide) {
        core_.report(DiagId::RangeOfType, range, core_.types().name(base), low->str(), high->str());
        return TypeTable::kError;
    }
    return core_.types().ranged(*low, *high);
}

}  // namespace smec::sema
