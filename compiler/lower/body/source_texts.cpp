#include "lower/body/source_texts.h"

#include <algorithm>
#include <cctype>

#include "source/overloaded.h"

namespace smec::lower {

std::string SourceTexts::textOf(hir::ExprId id) const {
    const SourceRange range = source_[id].range;
    return context_.options.sources && range.valid()
               ? std::string(context_.options.sources->text(range))
               : std::string();
}

/// The name that an expression is, without that of its module; nothing for other expressions.
std::string SourceTexts::nameOf(hir::ExprId id) const {
    const std::string text = textOf(id);
    const std::string name = text.substr(text.rfind('.') + 1);
    const auto isLetter = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    return std::all_of(name.begin(), name.end(), isLetter)
                   && text.find_first_of("[]() ") == std::string::npos
               ? name
               : std::string();
}

std::string SourceTexts::subjectOf(hir::ExprId id) const {
    if (std::string text = textOf(id); !text.empty()) return text;
    const auto& node = source_[id].node;
    if (const auto* read = std::get_if<hir::ReadVar>(&node))
        return source_.vars[read->var.index].name;
    if (const auto* read = std::get_if<hir::ReadField>(&node)) {
        const hir::Port& port = shape_.spec->ports[read->port];
        return port.name + "." + context_.hir.shapes[port.shape.index].fields[read->field].name;
    }
    return {};
}

/// `type`: of what the step selects from, then of what it selects.
std::string SourceTexts::stepText(const hir::PlaceStep& step, hir::TypeId& type) const {
    return smec::visit(
        Overloaded{
            [&](const hir::MemberStep& n) {
                const auto& member =
                    std::get<hir::StructType>(context_.types()[type]).members[n.member];
                type = member.type;
                return "." + member.name;
            },
            [&](const hir::IndexStep& n) {
                type = std::get<hir::ArrayType>(context_.types()[type]).element;
                return "[" + textOf(n.index) + "]";
            },
            // bits have no name: a report is about the number that they are of
            [](const AnyOf<hir::BitStep, hir::SliceStep, hir::IndexedSliceStep> auto&) {
                return std::string();
            },
        },
        step);
}

std::string SourceTexts::placeText(const hir::Place& place, std::size_t steps) const {
    std::string text;
    hir::TypeId type;
    if (const auto* var = std::get_if<hir::VarId>(&place.root)) {
        text = source_.vars[var->index].name;
        type = source_.vars[var->index].type;
    } else {
        const auto& ref = std::get<hir::FieldRef>(place.root);
        const hir::Port& port = shape_.spec->ports[ref.port];
        const hir::FieldShape& field = context_.hir.shapes[port.shape.index].fields[ref.field];
        text = port.name;
        if (ref.element.valid()) text += "[" + textOf(ref.element) + "]";
        text += "." + field.name;
        type = field.type;
    }
    for (std::size_t i = 0; i < steps; ++i)
        text += stepText(place.steps[i], type);
    return text;
}

}  // namespace smec::lower
