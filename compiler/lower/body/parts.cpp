#include "lower/body/parts.h"

#include "ir/arithmetic.h"
#include "ir/visit.h"
#include "lower/body/calls.h"
#include "lower/body/scalars.h"
#include "lower/body/source_texts.h"
#include "lower/body/stores.h"
#include "source/internal_error.h"
#include "source/overloaded.h"

// Values that have parts. `m[1][k].x` is walked from its root to a leaf and an index: leaf ".x",
// index 1 * 3 + k.

namespace smec::lower {

Part Parts::variable(hir::VarId var) {
    const hir::TypeId type = source_.vars[var.index].type;
    return {Part::Locals{&variables_.of(var.index)}, type, type, 0, {}, {}};
}

Part Parts::field(std::uint32_t port, std::uint32_t field, hir::ExprId element, bool written,
                  SourceRange range) {
    const hir::Port& declared = shape_.spec->ports[port];
    const hir::TypeId type = context_.hir.shapes[declared.shape.index].fields[field].type;
    Part result{Part::Locals{&variables_.output(port, field)}, type, type, 0, {}, {}, {}};
    if (!written) {
        require(shape_.inputs[port][field] != kNone,
                "a field is read that the specialisation does not list");
        result.root = Part::Inputs{shape_.inputs[port][field]};
    }
    const hir::PortField& used = declared.fields[field];
    if (element.valid())
        selectElement(result, declared, written ? used.writtenElements : used.readElements, element,
                      range);
    return result;
}

/// From an element of the port to its place among those that the class uses. The checker has seen
/// that there are no others.
ir::ExprId Parts::usedIndex(const hir::Port& port, const hir::ElementSet& used,
                            ir::ExprId element) {
    ir::Constants places(port.elements, ir::Constant{ir::Integer(0)});
    for (std::size_t i = 0; i < used.listed.size(); ++i)
        places.edit(used.listed[i]).value = ir::Integer(i);
    if (const ir::Integer* known = builder_.integer(element)) {
        const bool isInside = *known >= 0 && *known < port.elements;
        return isInside ? numbers_.constantOf(places[static_cast<std::size_t>(*known)],
                                              ir::ExprType::Int)
                        : numbers_.integer(0);
    }
    const ir::Scalar word{ir::ScalarKind::Int, false, 32};
    return builder_.add(
        {ir::ExprType::Int, ir::ReadTable{context_.table(word, std::move(places)), element}});
}

void Parts::selectElement(Part& part, const hir::Port& port, const hir::ElementSet& used,
                          hir::ExprId element, SourceRange range) {
    ir::ExprId index =
        indexBelow(scalars_.scalar(element), port.elements, range, port.name, part.inside);
    const bool areNeighbours =
        !used.isAll() && !part.inside.valid()
        && used.listed.back() - used.listed.front() + 1 == used.listed.size();
    if (areNeighbours)
        index = builder_.binary(ir::BinaryOp::Sub, index, numbers_.integer(used.listed.front()));
    else if (!used.isAll())
        index = usedIndex(port, used, index);
    if (used.count(port.elements) > 1) part.element = index;
}

Part Parts::constant(const hir::Value& value, hir::ExprId id) const {
    const hir::TypeId type = source_[id].type;
    return {Part::Fixed{&value, sourceTexts_.nameOf(id)}, type, type, 0, {}, {}};
}

Part Parts::part(hir::ExprId id) {
    const hir::Expr& expr = source_[id];
    return smec::visit(
        Overloaded{
            [&](const hir::Constant& n) { return constant(n.value, id); },
            [&](const hir::InstanceConstant& n) {
                const ConstantSource& source = shape_.constants[n.index];
                if (source.uniform) return constant(*source.uniform, id);
                return Part{Part::PerInstance{&source}, expr.type, expr.type, 0, {}, {}};
            },
            [&](const hir::ReadVar& n) { return variable(n.var); },
            [&](const hir::ReadField& n) {
                return field(n.port, n.field, n.element, false, expr.range);
            },
            [&](const hir::ArrayElement& n) {
                Part base = part(n.base);
                const ir::ExprId index = scalars_.scalar(n.index);
                return element(std::move(base), index, expr.range, sourceTexts_.subjectOf(n.base));
            },
            [&](const hir::StructMemberOf& n) { return member(part(n.base), n.member); },
            [&](const hir::CastExpr& n) {  // of a struct or array: to its own type
                if (isAggregate(context_.types(), expr.type)
                    && expr.type == source_[n.operand].type)
                    return part(n.operand);
                return materialise(id);
            },
            [&](const hir::CallExpr& n) { return calls_.callForPart(n, expr); },
            [&](const AnyOf<hir::BitSelect, hir::SliceSelect, hir::IndexedSliceSelect,
                            hir::UnaryExpr, hir::BinaryExpr, hir::ConditionalExpr, hir::MakeArray,
                            hir::MakeStruct, hir::BuiltinExpr> auto&) { return materialise(id); },
        },
        expr.node);
}

/// In locals whose leaves are whole: a copy, unless it is a variable itself.
Part Parts::ownPart(hir::ExprId id) {
    const Part value = part(id);
    const bool isWhole = std::holds_alternative<Part::Locals>(value.root) && value.leaf == 0
                         && value.type == value.rootType && value.indices.empty()
                         && !value.element.valid();
    if (isWhole) return value;
    const hir::TypeId type = source_[id].type;
    const Part own{Part::Locals{&writer_.tempsFor(type)}, type, type, 0, {}, {}, {}};
    stores_.copy(own, value, source_[id].range);
    return own;
}

/// In temporaries.
Part Parts::materialise(hir::ExprId id) {
    const hir::Expr& expr = source_[id];
    const Part result{Part::Locals{&writer_.tempsFor(expr.type)}, expr.type, expr.type, 0, {}, {}};
    stores_.storeLiteral(result, id, storedAt_.valid() ? storedAt_ : expr.range);
    return result;
}

Part Parts::member(Part base, std::uint32_t member) {
    const auto* type = context_.types().as<hir::StructType>(base.type);
    require(type != nullptr, "a member of no struct");
    base.leaf += context_.layouts.firstLeaf(base.type, member);
    base.type = type->members[member].type;
    return base;
}

ir::ExprId Parts::indexBelow(ir::ExprId index, std::uint64_t count, SourceRange range,
                             const std::string& subject, ir::ExprId& inside) {
    const ir::ExprId ok = numbers_.within(index, 0, ir::Integer(count) - 1);
    const bool* known = builder_.boolean(ok);
    const bool isInside = known && *known, isOutside = known && !*known;
    if (!context_.options.unchecked || isInside) {
        writer_.check(ok, failSite(ir::FailureKind::IndexOutOfRange, range, subject),
                      {index, numbers_.integer(count)}, range);
        return isOutside ? numbers_.integer(0) : shortIndex(index);
    }
    inside = inside.valid() ? builder_.binary(ir::BinaryOp::BoolAnd, inside, ok) : ok;
    return shortIndex(builder_.select(ok, index, numbers_.integer(0)));
}

/// An index that is in range, after its check, in a word that can address.
ir::ExprId Parts::shortIndex(ir::ExprId index) {
    const ir::Interval& range = builder_.interval(index);
    const bool isLong = ir::isUnbounded(range) || ir::bitsOf(range, range.low < 0) > 64;
    return isLong ? builder_.wrap(index, 32, false) : index;
}

Part Parts::element(Part base, ir::ExprId index, SourceRange range, const std::string& subject) {
    const auto* type = context_.types().as<hir::ArrayType>(base.type);
    require(type != nullptr, "an element of no array", range);
    index = indexBelow(index, type->count, range, subject, base.inside);
    base.indices.push_back(index);
    base.type = type->element;
    return base;
}

Part Parts::elementAt(const Part& base, std::uint64_t index) {
    Part result = base;
    result.indices.push_back(numbers_.integer(index));
    result.type = std::get<hir::ArrayType>(context_.types()[base.type]).element;
    return result;
}

const Leaf& Parts::leafOf(const Part& part, std::uint32_t offset) {
    return context_.layouts.of(part.rootType)[part.leaf + offset];
}

std::uint64_t Parts::remaining(const Part& part, const Leaf& leaf) const {
    std::uint64_t count = 1;
    for (std::size_t i = part.indices.size(); i < leaf.dimensions.size(); ++i)
        count *= leaf.dimensions[i];
    return count;
}

ir::ExprId Parts::offsetOf(const Part& part, const Leaf& leaf) {
    const bool isLocal = std::holds_alternative<Part::Locals>(part.root);
    const ir::ExprId element = isLocal ? part.element : ir::ExprId{};
    if (leaf.dimensions.empty()) return element;
    ir::ExprId offset = element.valid() ? element : numbers_.integer(0);
    for (std::size_t i = 0; i < leaf.dimensions.size(); ++i) {
        if (i != 0 || element.valid())
            offset =
                builder_.binary(ir::BinaryOp::Mul, offset, numbers_.integer(leaf.dimensions[i]));
        if (i < part.indices.size())
            offset = builder_.binary(ir::BinaryOp::Add, offset, part.indices[i]);
    }
    // A check that every index is in range stands in front, so the offset is too; its type says so
    // to the analysis where it can.
    return offset;
}

/// The scalar at `within` elements after the start of the part's leaf.
ir::ExprId Parts::read(const Part& part, std::uint32_t leaf, ir::ExprId within) {
    const Leaf& source = leafOf(part, leaf);
    const ir::ExprType type = exprTypeOf(source.scalar);
    ir::ExprId index = offsetOf(part, source);
    if (within.valid()) index = builder_.binary(ir::BinaryOp::Add, index, within);
    const std::uint32_t number = part.leaf + leaf;
    const ir::ExprId value = smec::visit(
        Overloaded{
            [&](const Part::Locals& root) { return builder_.read((*root.leaves)[number], index); },
            [&](const Part::Inputs& root) {
                return builder_.add(
                    {type, ir::ReadInput{root.first + number, part.element, index}});
            },
            [&](const Part::Fixed& root) { return readFixed(root, part, number, index); },
            [&](const Part::PerInstance& root) {
                return readPerInstance(*root.constant, number, type, index);
            },
        },
        part.root);
    if (!part.inside.valid()) return value;
    const ir::Constant fallback =
        lower::constantOf(hir::defaultValue(context_.types(), source.type));
    return builder_.select(part.inside, value, numbers_.constantOf(fallback, type));
}

ir::ExprId Parts::readFixed(const Part::Fixed& root, const Part& part, std::uint32_t leaf,
                            ir::ExprId index) {
    ir::Constants constants =
        std::move(constantsOf(context_.types(), part.rootType, *root.value)[leaf]);
    const Leaf& source = context_.layouts.of(part.rootType)[leaf];
    const ir::ExprType type = exprTypeOf(source.scalar);
    if (!index.valid()) return numbers_.constantOf(constants[0], type);
    if (const ir::Integer* known = builder_.integer(index)) {
        if (*known >= 0 && *known < constants.size())
            return numbers_.constantOf(constants[static_cast<std::size_t>(*known)], type);
    }
    const ir::TableId table = context_.table(source.scalar, std::move(constants), root.name);
    return builder_.add({type, ir::ReadTable{table, index}});
}

ir::ExprId Parts::readPerInstance(const ConstantSource& constant, std::uint32_t leaf,
                                  ir::ExprType type, ir::ExprId index) {
    const ConstantLeaf& source = constant.leaves[leaf];
    if (!source.table.valid()) return builder_.add({type, ir::ReadColumn{source.column}});
    const ir::ExprId start = builder_.add({ir::ExprType::Int, ir::ReadColumn{source.column}});
    return builder_.add(
        {type, ir::ReadTable{source.table, builder_.binary(ir::BinaryOp::Add, start, index)}});
}

}  // namespace smec::lower
