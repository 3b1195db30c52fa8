#include "elab/port_checks.h"

#include <algorithm>

#include "elab/views.h"

namespace smec::elab {

namespace {

const hir::FieldShape* fieldNamed(const hir::BusShape& shape, std::string_view name) {
    const auto number = shape.fieldNamed(name);
    return number ? &shape.fields[*number] : nullptr;
}

/// What tells two shapes apart; empty when they have the same fields.
std::string difference(const hir::Design& design, const SeenShape& a, const SeenShape& b,
                       bool isTyped, const hir::BusShape& wanted) {
    const hir::BusShape& left = design.shapes[a.shape.index];
    const hir::BusShape& right = design.shapes[b.shape.index];
    for (const hir::FieldShape& field : right.fields) {
        if (!isTyped && !fieldNamed(left, field.name))
            return fmt::format("'{}' has a field '{}' and '{}' has not", b.text, field.name,
                               a.text);
    }
    for (const hir::FieldShape& field : wanted.fields) {
        const hir::FieldShape* one = fieldNamed(left, field.name);
        const hir::FieldShape* other = fieldNamed(right, field.name);
        if (!one || !other)
            return fmt::format("'{}' has a field '{}' and '{}' has not", a.text, field.name,
                               b.text);
        const bool isError = design.types.isError(one->type) || design.types.isError(other->type);
        if (one->type != other->type && !isError)
            return fmt::format("field '{}' is of type {} in '{}' and {} in '{}'", field.name,
                               design.types.name(one->type), a.text, design.types.name(other->type),
                               b.text);
        if (one->flip != other->flip)
            return fmt::format("field '{}' is 'flip' in '{}' and not in '{}'", field.name,
                               one->flip ? a.text : b.text, one->flip ? b.text : a.text);
    }
    return {};
}

/// "3 buses", "2 x 3 buses"
std::string countText(const std::vector<std::uint64_t>& dimensions) {
    return dimensions.size() == 1 ? counted(dimensions[0], "bus")
                                  : sizesText(dimensions) + " buses";
}

}  // namespace

bool PortChecks::check(const PortCheck& check, View& view) {
    if (!checkArray(check, view.dimensions)) return false;
    if (view.mixed.size() > 1) return checkMixed(check, view);
    return checkFields(check, view.shape);
}

bool PortChecks::checkArray(const PortCheck& check, const std::vector<std::uint64_t>& dimensions) {
    const std::string& name = check.param.ast->name.text;
    const std::vector<ast::ExprId>& wanted = check.param.ast->dimensions;
    const auto fail = [&](DiagId id, const auto&... rest) {
        if (check.isQuiet) return false;
        tree_.diagnostics.report(id, check.range, name, check.entity.name, rest...)
            .note(DiagId::DeclaredHere, check.param.ast->name.range, name);
        return false;
    };
    if (!dimensions.empty() && wanted.empty())
        return fail(DiagId::PortTakesOneBus, check.text, countText(dimensions));
    if (dimensions.empty() && !wanted.empty()) return fail(DiagId::PortTakesArray, check.text);
    if (dimensions.size() != wanted.size())
        return fail(DiagId::PortDimensions, counted(wanted.size(), "dimension"), check.text,
                    dimensions.size());
    const auto sizes = wantedSizes(check, dimensions);
    if (!sizes) return false;
    if (*sizes == dimensions) return true;
    return fail(DiagId::PortArraySize, countText(*sizes), check.text, sizesText(dimensions));
}

/// The sizes that are written, and those connected where none is; nothing after an error.
std::optional<std::vector<std::uint64_t>>
PortChecks::wantedSizes(const PortCheck& check, const std::vector<std::uint64_t>& dimensions) {
    const std::vector<ast::ExprId>& written = check.param.ast->dimensions;
    std::vector<std::uint64_t> sizes = dimensions;
    for (std::size_t i = 0; i < written.size(); ++i) {
        if (!written[i].valid()) continue;
        const sema::Scope& scope =
            check.param.depends ? *check.inner : tree_.context.moduleScope(check.entity.module);
        const auto size =
            tree_.context.size({check.entity.module, written[i]}, scope, "array port size");
        if (!size) return std::nullopt;
        sizes[i] = *size;
    }
    return sizes;
}

/// The type of a typed port; null after an error.
const sema::ResolvedBus* PortChecks::portType(const PortCheck& check) {
    if (check.param.depends) {
        instanceType_ = tree_.context.resolveBusType(*check.param.ast->type, *check.inner);
        return instanceType_ ? &*instanceType_ : nullptr;
    }
    const auto [known, isNew] = portTypes_.try_emplace(check.param.ast);
    if (isNew)
        known->second = tree_.context.resolveBusType(
            *check.param.ast->type, tree_.context.moduleScope(check.entity.module));
    return known->second ? &*known->second : nullptr;
}

bool PortChecks::checkFields(const PortCheck& check, hir::ShapeId shape) {
    if (!check.param.ast->type) return true;
    const sema::ResolvedBus* own = portType(check);
    if (!own) return false;
    if (own->shape == shape) return true;
    bool isGood = true;
    for (const hir::FieldShape& wanted : tree_.design.shapes[own->shape.index].fields) {
        if (checkField(check, wanted, tree_.design.shapes[shape.index])) continue;
        if (check.isQuiet) return false;
        isGood = false;
    }
    return isGood;
}

bool PortChecks::checkField(const PortCheck& check, const hir::FieldShape& wanted,
                            const hir::BusShape& shape) {
    const hir::TypeTable& types = tree_.design.types;
    const hir::FieldShape* field = fieldNamed(shape, wanted.name);
    if (field
        && (field->type == wanted.type || types.isError(field->type) || types.isError(wanted.type)))
        return true;
    if (check.isQuiet) return false;
    const ast::Identifier& port = check.param.ast->name;
    const std::string type = types.name(wanted.type);
    if (!field) {
        tree_.diagnostics
            .report(DiagId::PortFieldMissing, check.range, port.text, check.entity.name,
                    wanted.name, type, check.text)
            .note(DiagId::DeclaredHere, port.range, port.text);
    } else {
        tree_.diagnostics
            .report(DiagId::PortFieldType, check.range, wanted.name, check.text,
                    types.name(field->type), port.text, check.entity.name, type)
            .note(DiagId::DeclaredHere, port.range, port.text);
    }
    return false;
}

/// Elements of several shapes: each has what the port needs, and from here on is seen as the first.
bool PortChecks::checkMixed(const PortCheck& check, View& view) {
    hir::ShapeId wanted = view.shape;
    if (check.param.ast->type) {
        for (const SeenShape& seen : view.mixed) {
            PortCheck element = check;
            element.range = seen.range;
            element.text = seen.text;
            if (!checkFields(element, seen.shape)) return false;
        }
        wanted = portType(check)->shape;
    }
    const SeenShape& first = view.mixed.front();
    for (const SeenShape& seen : view.mixed) {
        const std::string what =
            difference(tree_.design, first, seen, check.param.ast->type.has_value(),
                       tree_.design.shapes[wanted.index]);
        if (what.empty()) continue;
        tree_.diagnostics.report(DiagId::ElementsDiffer, seen.range, check.text, what);
        return false;
    }
    view.shape = narrowed(tree_, view.shape, wanted);
    return true;
}

}  // namespace smec::elab
