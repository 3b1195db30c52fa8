#include "sema/check/buses.h"

#include "sema/check/indices.h"
#include "sema/check/names.h"
#include "sema/operand_types.h"

namespace smec::sema {

using hir::ExprId;
using hir::TypeId;
using hir::Value;

Operand busOperand(std::uint32_t port, SourceRange range) {
    Operand result;
    result.kind = Operand::Kind::Bus;
    result.port = port;
    result.range = range;
    result.constantElement = 0;
    return result;
}

const std::vector<hir::FieldShape>& declaredFields(BusTypes& types, const Scope& scope,
                                                   const ast::ProcDecl& process, const Ports& ports,
                                                   std::uint32_t port) {
    std::uint32_t number = 0;
    for (const ast::Param& param : process.params) {
        if (param.kind == ast::ParamKind::Const) continue;
        if (number++ != port) continue;
        if (!param.type) break;
        const auto declared = types.resolve(*param.type, scope);
        if (declared) return types.fieldsOf(declared->shape);
        break;
    }
    return ports.fields(port);
}

/// A term of the row-major element number. Each index of several is tested by a look-up in a table
/// of its multiples.
ExprId Buses::elementOffset(Operand& index, std::uint64_t count, std::uint64_t stride,
                            SourceRange range) {
    if (stride == 1 && index.isConstant()) return indices_.use(index, count);
    Value::List multiples;
    for (std::uint64_t i = 0; i < count; ++i)
        multiples.push_back(Value{hir::Integer(i * stride)});
    TypeId type = smallestType(types_, multiples.back().integer());
    ExprId table =
        build_.emit(types_.array(type, count), range, hir::Constant{Value{std::move(multiples)}});
    return build_.emit(type, range, hir::ArrayElement{table, indices_.use(index, count)});
}

Operand Buses::busElement(Operand bus, ast::ExprId expr, SourceRange range, bool isTarget) {
    const hir::Port& port = ports_[bus.port];
    if (bus.dimension >= port.dimensions.size()) {
        reporter_.report(DiagId::NotIndexable, range, reporter_.text(bus.range), "bus");
        return {};
    }
    std::vector<std::uint64_t> dimensions = port.dimensions;
    std::uint64_t count = dimensions[bus.dimension], stride = 1;
    for (std::size_t i = bus.dimension + 1; i < dimensions.size(); ++i)
        stride *= dimensions[i];
    auto index = indices_.checked(expr, count, reporter_.text(bus.range), "element");
    if (!index) return {};
    ++bus.dimension;
    bus.range = range;
    const bool isShaping = ports_.shapesElements(isTarget);
    if (index->perInstance && isShaping) uses_.dependOn(*index);
    if (index->isConstant() && bus.constantElement && (isShaping || !index->perInstance)) {
        bus.constantElement =
            *bus.constantElement + index->integer().convert_to<std::uint64_t>() * stride;
        return bus;
    }
    TypeId type = smallestType(types_, hir::Integer(port.elements - 1));
    if (bus.constantElement && *bus.constantElement > 0) bus.element = elementExpr(bus);
    bus.constantElement.reset();
    ExprId offset = dimensions.size() == 1 ? indices_.use(*index, count)
                                           : elementOffset(*index, count, stride, range);
    bus.element =
        bus.element.valid()
            ? build_.emit(type, range, hir::BinaryExpr{hir::BinaryOp::Add, bus.element, offset})
            : offset;
    return bus;
}

/// The element number of a completely indexed bus; invalid for a single bus.
ExprId Buses::elementExpr(const Operand& bus) {
    if (!ports_[bus.port].isArray || !bus.constantElement) return bus.element;
    hir::Integer number(*bus.constantElement);
    TypeId type = smallestType(types_, number);
    return build_.emit(type, bus.range, hir::Constant{Value{number}});
}

std::optional<std::uint32_t> Buses::fieldIndex(const Operand& bus, const ast::Identifier& name) {
    const hir::Port& port = ports_[bus.port];
    if (bus.dimension < port.dimensions.size()) {
        reporter_.report(DiagId::BusIndexMissing, bus.range, reporter_.text(bus.range));
        return std::nullopt;
    }
    const hir::BusShape& shape = design_.shapes[port.shape.index];
    if (const auto index = shape.fieldNamed(name.text)) return index;
    std::vector<std::string> names;
    for (const hir::FieldShape& field : shape.fields)
        names.push_back(field.name);
    reporter_.report(DiagId::UnknownField, name.range, reporter_.text(bus.range), name.text,
                     hintAmong(name.text, names));
    return std::nullopt;
}

Operand Buses::fieldOf(Operand bus, const ast::Identifier& name, SourceRange range) {
    auto field = fieldIndex(bus, name);
    if (!field) return {};
    if (nesting_.constantOnly && !nesting_.typeOnly)
        return names_.notConstant("a field of a bus", reporter_.text(range), range);
    TypeId type = ports_.fields(bus.port)[*field].type;
    ExprId element = elementExpr(bus);
    if (!nesting_.typeOnly) ports_.noteRead(bus, *field);
    return build_.valueOperand(
        build_.emit(operandType(types_, type), range, hir::ReadField{bus.port, *field, element}),
        type, range);
}

}  // namespace smec::sema
