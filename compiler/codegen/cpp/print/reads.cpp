#include "codegen/cpp/print/reads.h"

#include "codegen/cpp/print/operand.h"
#include "ir/visit.h"
#include "source/internal_error.h"
#include "source/overloaded.h"

namespace smec::codegen::cpp {
namespace {

/// A stored element as a value: bools are stored as bytes.
Value loaded(std::string text, const ir::Scalar& scalar) {
    if (scalar.kind != ir::ScalarKind::Bool) return plain(std::move(text), storedWord(scalar));
    return composed(text + " != 0", kBool);
}

}  // namespace

std::string Reads::element(const std::string& array, ir::ExprId index, std::uint32_t length) const {
    // An index is in range after its check, whatever the word it was computed in.
    const Value& whole = values_[index.index];
    const Value value = whole.type.isWide() ? convert(whole, kU32) : whole;
    if (info_.facts[index.index].isBelow(length)) return fmt::format("{}[{}]", array, value.text);
    return fmt::format("{}[sme::within({}, {})]", array, value.text, length);
}

/// The indices of an array whose elements lie apart are proved (ir::LocalForm::Spread).
std::string Reads::element(const Place& array, ir::ExprId index, std::uint32_t length) const {
    if (array.distance == 1) return element(array.name, index, length);
    const std::string& at = values_[index.index].text;
    const std::string kept = array.isBounded ? fmt::format("sme::within({}, {})", at, length) : at;
    return fmt::format("{}[u64({}) * {}]", array.name, kept, array.distance);
}

std::string Reads::arrayOf(const ir::ReadInput& node) const {
    if (const auto element = constantElement(*info_.body, node))
        return leaves_.inputs.at({node.input, *element}).name;
    const Selection& selection = leaves_.selections.at(node.input);
    const std::string index = element(selection.index, node.element, selection.elements);
    if (selection.slot == Slot::Either)
        return fmt::format("sme::pick<{}>({}, {})", nameOf(selection.type), selection.base, index);
    return fmt::format("({} + {})", selection.base, index);
}

std::string Reads::arrayOf(ir::ExprId id) const {
    return smec::visit(
        Overloaded{
            [&](const ir::ReadLocal& n) { return leaves_.locals[n.local.index].name; },
            [&](const ir::ReadInput& n) { return arrayOf(n); },
            [&](const ir::ReadTable& n) { return arrayOf(n.table); },
            [](const ir::AnyOf<ir::ConstInt, ir::ConstBool, ir::ConstFloat, ir::ReadColumn,
                               ir::Cycle, ir::Seed, ir::Unary, ir::Binary, ir::Select, ir::Wrap,
                               ir::Convert> auto&) -> std::string {
                throw InternalError("codegen: an array argument that is no array");
            },
        },
        (*info_.body)[id].node);
}

Value Reads::of(const ir::ReadInput& node) const {
    const ir::Input& input = inputs_[node.input];
    const ir::Scalar& scalar = input.type.scalar;
    const auto constant = constantElement(*info_.body, node);
    if (input.type.isArray()) {
        const std::string array = arrayOf(node);
        return node.index.valid() ? loaded(element(array, node.index, input.type.length), scalar)
                                  : plain(array, storedWord(scalar));
    }
    if (constant) {
        const Place& place = leaves_.inputs.at({node.input, *constant});
        return plain(place.name, place.type);
    }
    const Selection& selection = leaves_.selections.at(node.input);
    const std::string index = element(selection.index, node.element, selection.elements);
    if (selection.slot == Slot::Either)
        return loaded(
            fmt::format("sme::pick<{}>({}, {})[0]", nameOf(selection.type), selection.base, index),
            scalar);
    return loaded(fmt::format("{}[{}]", selection.base, index), scalar);
}

Value Reads::of(const ir::ReadLocal& node) const {
    const Place& place = leaves_.locals[node.local.index];
    const ir::StorageType& type = info_.body->locals[node.local.index].type;
    if (!node.index.valid()) return plain(place.name, place.type);
    return loaded(element(place, node.index, type.length), type.scalar);
}

Value Reads::of(const ir::ReadTable& node) const {
    const ir::StorageType& type = cpp_.program.design.tables[node.table.index].type;
    const std::string name = arrayOf(node.table);
    if (!node.index.valid()) return plain(name, storedWord(type.scalar));
    return loaded(element(name, node.index, static_cast<std::uint32_t>(type.elements())),
                  type.scalar);
}

}  // namespace smec::codegen::cpp
