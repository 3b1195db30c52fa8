// Stores: the value wraps to the type of the place; an index outside fails (or, unchecked, the
// store does nothing).

#include <fmt/format.h>

#include "interp/arithmetic.h"
#include "interp/machine.h"
#include "source/internal_error.h"

namespace smec::interp {

using hir::ExprId;

Value Machine::stored(Value value, TypeId type, SourceRange range) {
    const TypeFacts& facts = context_.types[type.index];
    switch (facts.kind) {
    case TypeFacts::Kind::Integer: return wrap(std::move(value), facts.width, facts.isSigned);
    case TypeFacts::Kind::Ranged:
        if (compareIntegers(value, facts.low) >= 0 && compareIntegers(value, facts.high) <= 0)
            return value;
        if (context_.settings.unchecked) return wrap(std::move(value), facts.width, facts.isSigned);
        throw Failure{fmt::format("value {} is outside of the range {} to {}",
                                  toInteger(value).str(), toInteger(facts.low).str(),
                                  toInteger(facts.high).str()),
                      range};
    case TypeFacts::Kind::Array: {
        const TypeId element = std::get<hir::ArrayType>(context_.design.types[type]).element;
        value.list().transform([&](const Value& v) { return stored(v, element, range); });
        return value;
    }
    case TypeFacts::Kind::Struct: {
        const auto& members = std::get<hir::StructType>(context_.design.types[type]).members;
        for (std::size_t i = 0; i < members.size(); ++i)
            value.list().edit(i) = stored(value.list()[i], members[i].type, range);
        return value;
    }
    case TypeFacts::Kind::Other: return value;
    }
    throw InternalError("unknown kind of type");
}

std::uint32_t Machine::fieldIndex(std::uint32_t port, std::uint32_t field,
                                  std::uint64_t element) const {
    const hir::Design& design = context_.design;
    const hir::BusId bus =
        design.bindings[process_.instance->firstBus + prepared_.portStart[port] + element];
    return design.fieldOf(bus, process_.spec->ports[port].shape, field);
}

TypeId Machine::fieldType(std::uint32_t port, std::uint32_t field) const {
    return context_.design.shapes[process_.spec->ports[port].shape.index].fields[field].type;
}

std::optional<std::uint64_t> Machine::portElement(std::uint32_t port, ExprId element,
                                                  SourceRange range) {
    if (!element.valid()) return 0;
    const hir::Port& declared = process_.spec->ports[port];
    const Value index = evaluate(element);
    const auto position = positionBelow(index, declared.elements);
    if (!position) outOfRange(index, declared.elements, declared.name, range);
    return position;
}

std::optional<std::uint64_t> Machine::positionBelow(const Value& index, std::uint64_t length) {
    const auto position = toUnsigned(index);
    return position && *position < length ? position : std::nullopt;
}

Value Machine::bitOutside(const Value& low, std::uint32_t width) {
    if (compareIntegers(low, small(0)) < 0) return low;
    return binary(hir::BinaryOp::Add, low, small(width - 1));
}

void Machine::outOfRange(const Value& index, std::uint64_t length, const std::string& subject,
                         SourceRange range) const {
    if (context_.settings.unchecked) return;
    throw Failure{fmt::format("index {} is out of range for '{}' of length {}",
                              toInteger(index).str(), subject, length),
                  range};
}

std::string Machine::sourceText(ExprId id) const {
    return std::string(context_.sources.text(body_[id].range));
}

void Machine::assign(const hir::Place& place, Value value) {
    if (const auto* var = std::get_if<hir::VarId>(&place.root)) {
        store(place, &vars_[var->index], body_.vars[var->index].type, 0, std::move(value));
        return;
    }
    const auto& field = std::get<hir::FieldRef>(place.root);
    const auto element = portElement(field.port, field.element, place.range);
    Value* slot =
        element ? &context_.write[fieldIndex(field.port, field.field, *element)] : nullptr;
    store(place, slot, fieldType(field.port, field.field), 0, std::move(value));
}

/// Walks the steps from `step` on. `slot` is null when an index was out of range and checks are
/// off: the remaining indices are evaluated, nothing is stored.
void Machine::store(const hir::Place& place, Value* slot, TypeId type, std::size_t step,
                    Value value) {
    const TypeTable& types = context_.design.types;
    for (; step < place.steps.size(); ++step) {
        if (const auto* member = std::get_if<hir::MemberStep>(&place.steps[step])) {
            type = std::get<hir::StructType>(types[type]).members[member->member].type;
            slot = slot ? &slot->list().edit(member->member) : nullptr;
        } else if (const auto* index = std::get_if<hir::IndexStep>(&place.steps[step])) {
            const auto& array = std::get<hir::ArrayType>(types[type]);
            const Value number = evaluate(index->index);
            const auto position = positionBelow(number, array.count);
            if (!position) outOfRange(number, array.count, placeText(place, step), index->range);
            type = array.element;
            slot = slot && position ? &slot->list().edit(*position) : nullptr;
        } else if (const auto* bit = std::get_if<hir::BitStep>(&place.steps[step])) {
            const Value number = evaluate(bit->index);
            const std::uint32_t width = context_.types[type.index].width;
            const auto position = positionBelow(number, width);
            if (!position) outOfRange(number, width, placeText(place, step), bit->range);
            if (slot && position)
                *slot = stored(withBits(*slot, *position, *position, value), type, place.range);
            return;
        } else if (const auto* slice = std::get_if<hir::SliceStep>(&place.steps[step])) {
            if (slot)
                *slot = stored(withBits(*slot, slice->high, slice->low, value), type, place.range);
            return;
        } else {
            const auto& part = std::get<hir::IndexedSliceStep>(place.steps[step]);
            const Value low = evaluate(part.low);
            const std::uint32_t bits = context_.types[type.index].width;
            const auto first = positionBelow(low, bits - part.width + 1);
            if (!first)
                outOfRange(bitOutside(low, part.width), bits, placeText(place, step), part.range);
            if (slot && first)
                *slot = stored(withBits(*slot, *first + part.width - 1, *first, value), type,
                               place.range);
            return;
        }
    }
    Value result = stored(std::move(value), type, place.range);
    if (slot) *slot = std::move(result);
}

/// The place up to its first `steps` steps, as in the source: "m[k]".
std::string Machine::placeText(const hir::Place& place, std::size_t steps) const {
    std::string text;
    TypeId type;
    if (const auto* var = std::get_if<hir::VarId>(&place.root)) {
        text = body_.vars[var->index].name;
        type = body_.vars[var->index].type;
    } else {
        const auto& ref = std::get<hir::FieldRef>(place.root);
        const hir::Port& port = process_.spec->ports[ref.port];
        text = port.name;
        if (ref.element.valid()) text += "[" + sourceText(ref.element) + "]";
        text += "." + context_.design.shapes[port.shape.index].fields[ref.field].name;
        type = fieldType(ref.port, ref.field);
    }
    for (std::size_t i = 0; i < steps; ++i) {
        if (const auto* member = std::get_if<hir::MemberStep>(&place.steps[i])) {
            const hir::StructMember& step =
                std::get<hir::StructType>(context_.design.types[type]).members[member->member];
            text += "." + step.name;
            type = step.type;
        } else if (const auto* index = std::get_if<hir::IndexStep>(&place.steps[i])) {
            text += "[" + sourceText(index->index) + "]";
            type = std::get<hir::ArrayType>(context_.design.types[type]).element;
        }
    }
    return text;
}

}  // namespace smec::interp
