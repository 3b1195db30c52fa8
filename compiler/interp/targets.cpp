#include "interp/targets.h"

#include "interp/arithmetic.h"
#include "interp/conversions.h"
#include "interp/indices.h"
#include "source/overloaded.h"

namespace smec::interp {

void Targets::assign(const hir::Place& place, Value value) {
    Spot spot = smec::visit([&](const auto& start) { return root(start, place); }, place.root);
    for (std::size_t i = 0; i < place.steps.size(); ++i)
        smec::visit([&](const auto& step) { follow(step, {place, i}, spot); }, place.steps[i]);
    if (spot.bits) {
        if (!spot.slot) return;
        value = withBits(*spot.slot, spot.bits->high, spot.bits->low, value);
    }
    Value result = stored(on_.context, std::move(value), spot.type, place.range);
    if (spot.slot) *spot.slot = std::move(result);
}

Targets::Spot Targets::root(const hir::VarId& var, const hir::Place&) {
    return {&on_.vars[var.index], on_.body().vars[var.index].type};
}

Targets::Spot Targets::root(const hir::FieldRef& field, const hir::Place& place) {
    const auto element = expressions_.portElement(field.port, field.element, place.range);
    Value* slot =
        element ? &on_.context.write[fieldIndex(on_, field.port, field.field, *element)] : nullptr;
    return {slot, fieldType(on_, field.port, field.field)};
}

void Targets::follow(const hir::MemberStep& member, const Step&, Spot& spot) {
    const auto& structure = std::get<hir::StructType>(on_.context.design.types[spot.type]);
    spot.type = structure.members[member.member].type;
    if (spot.slot) spot.slot = &spot.slot->list().edit(member.member);
}

void Targets::follow(const hir::IndexStep& index, const Step& at, Spot& spot) {
    const auto& array = std::get<hir::ArrayType>(on_.context.design.types[spot.type]);
    const Value number = expressions_.evaluate(index.index);
    const auto position = positionBelow(number, array.count);
    if (!position) outside(number, array.count, at, index.range);
    spot.type = array.element;
    spot.slot = spot.slot && position ? &spot.slot->list().edit(*position) : nullptr;
}

void Targets::follow(const hir::BitStep& bit, const Step& at, Spot& spot) {
    const Value number = expressions_.evaluate(bit.index);
    const std::uint32_t width = on_.context.types[spot.type.index].width;
    const auto position = positionBelow(number, width);
    if (!position) {
        outside(number, width, at, bit.range);
        spot.slot = nullptr;
    }
    const std::uint64_t only = position.value_or(0);
    spot.bits = Bits{only, only};
}

void Targets::follow(const hir::SliceStep& slice, const Step&, Spot& spot) {
    spot.bits = Bits{slice.high, slice.low};
}

void Targets::follow(const hir::IndexedSliceStep& part, const Step& at, Spot& spot) {
    const Value low = expressions_.evaluate(part.low);
    const std::uint32_t bits = on_.context.types[spot.type.index].width;
    const auto first = positionBelow(low, bits - part.width + 1);
    if (!first) {
        outside(bitOutside(low, part.width), bits, at, part.range);
        spot.slot = nullptr;
    }
    const std::uint64_t lowest = first.value_or(0);
    spot.bits = Bits{lowest + part.width - 1, lowest};
}

void Targets::outside(const Value& index, std::uint64_t length, const Step& at,
                      SourceRange range) const {
    if (!on_.context.settings.unchecked)
        outOfRange(on_.context.settings, index, length, textBefore(at), range);
}

/// As in the source: "m[k]".
std::string Targets::textBefore(const Step& at) const {
    std::string text;
    TypeId type;
    smec::visit(Overloaded{
                    [&](const hir::VarId& var) {
                        text = on_.body().vars[var.index].name;
                        type = on_.body().vars[var.index].type;
                    },
                    [&](const hir::FieldRef& ref) {
                        const hir::Port& port = on_.process.spec->ports[ref.port];
                        const auto& fields = on_.context.design.shapes[port.shape.index].fields;
                        text = port.name;
                        if (ref.element.valid()) text += "[" + on_.sourceText(ref.element) + "]";
                        text += "." + fields[ref.field].name;
                        type = fields[ref.field].type;
                    },
                },
                at.place.root);
    const hir::TypeTable& types = on_.context.design.types;
    for (std::size_t i = 0; i < at.number; ++i)
        smec::visit(Overloaded{
                        [&](const hir::MemberStep& step) {
                            const hir::StructMember& member =
                                std::get<hir::StructType>(types[type]).members[step.member];
                            text += "." + member.name;
                            type = member.type;
                        },
                        [&](const hir::IndexStep& step) {
                            text += "[" + on_.sourceText(step.index) + "]";
                            type = std::get<hir::ArrayType>(types[type]).element;
                        },
                        // nothing comes after these
                        [](const hir::BitStep&) {},
                        [](const hir::SliceStep&) {},
                        [](const hir::IndexedSliceStep&) {},
                    },
                    at.place.steps[i]);
    return text;
}

}  // namespace smec::interp
