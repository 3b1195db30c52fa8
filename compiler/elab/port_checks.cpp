#include <algorithm>

#include "elab/builder.h"
#include "elab/views.h"

// What a port takes. Buses that are listed or collected may have more fields than a typed port asks
// for, and their fields in any order: the port sees those it needs, in one order for all elements.
// `hold` and `delay` stay with each bus.

namespace smec::elab {

namespace {

const hir::FieldShape* fieldNamed(const hir::BusShape& shape, std::string_view name) {
    const auto found = std::ranges::find(shape.fields, name, &hir::FieldShape::name);
    return found == shape.fields.end() ? nullptr : &*found;
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

}  // namespace

bool Builder::checkPort(const PortCheck& check, View& view) {
    if (!checkArray(check, view.dimensions)) return false;
    if (view.mixed.size() > 1) return checkMixed(check, view);
    return checkFields(check, view.shape);
}

bool Builder::checkArray(const PortCheck& check, const std::vector<std::uint64_t>& dimensions) {
    const std::string& name = check.param.ast->name.text;
    const std::vector<ast::ExprId>& wanted = check.param.ast->dimensions;
    const auto fail = [&](DiagId id, const auto&... rest) {
        if (check.isQuiet) return false;
        tree_.diagnostics.report(id, check.range, name, check.entity.name, rest...)
            .note(DiagId::DeclaredHere, check.param.ast->name.range, name);
        return false;
    };
    if (!dimensions.empty() && wanted.empty()) {
        const std::string sizes = dimensions.size() == 1 ? counted(dimensions[0], "bus")
                                                         : sizesText(dimensions) + " buses";
        return fail(DiagId::PortTakesOneBus, check.text, sizes);
    }
    if (dimensions.empty() && !wanted.empty()) return fail(DiagId::PortTakesArray, check.text);
    if (dimensions.size() != wanted.size())
        return fail(DiagId::PortDimensions, counted(wanted.size(), "dimension"), check.text,
                    dimensions.size());
    std::vector<std::uint64_t> sizes = dimensions;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (!wanted[i].valid()) continue;
        const sema::Scope& scope =
            check.param.depends ? *check.inner : tree_.context.moduleScope(check.entity.module);
        const auto size =
            tree_.context.size({check.entity.module, wanted[i]}, scope, "array port size");
        if (!size) return false;
        sizes[i] = *size;
    }
    if (sizes == dimensions) return true;
    return fail(DiagId::PortArraySize,
                sizes.size() == 1 ? counted(sizes[0], "bus") : sizesText(sizes) + " buses",
                check.text, sizesText(dimensions));
}

/// The type of a typed port; null after an error.
const sema::ResolvedBus* Builder::portType(const PortCheck& check) {
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

bool Builder::checkFields(const PortCheck& check, hir::ShapeId shape) {
    const PortParam& param = check.param;
    if (!param.ast->type) return true;
    const sema::ResolvedBus* own = portType(check);
    if (!own) return false;
    if (own->shape == shape) return true;
    const std::vector<hir::FieldShape>& fields = tree_.design.shapes[shape.index].fields;
    const auto isError = [&](hir::TypeId type) { return tree_.design.types.isError(type); };
    bool isGood = true;
    for (const hir::FieldShape& wanted : tree_.design.shapes[own->shape.index].fields) {
        const auto field = std::ranges::find(fields, wanted.name, &hir::FieldShape::name);
        const std::string type = tree_.design.types.name(wanted.type);
        const bool isGoodField =
            field != fields.end()
            && (field->type == wanted.type || isError(field->type) || isError(wanted.type));
        if (isGoodField) continue;
        isGood = false;
        if (check.isQuiet) return false;
        if (field == fields.end()) {
            tree_.diagnostics
                .report(DiagId::PortFieldMissing, check.range, param.ast->name.text,
                        check.entity.name, wanted.name, type, check.text)
                .note(DiagId::DeclaredHere, param.ast->name.range, param.ast->name.text);
        } else {
            tree_.diagnostics
                .report(DiagId::PortFieldType, check.range, wanted.name, check.text,
                        tree_.design.types.name(field->type), param.ast->name.text,
                        check.entity.name, type)
                .note(DiagId::DeclaredHere, param.ast->name.range, param.ast->name.text);
        }
    }
    return isGood;
}

/// Elements of several shapes: each has what the port needs, and from here on is seen as the first.
bool Builder::checkMixed(const PortCheck& check, View& view) {
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
    view.shape = narrowed(view.shape, wanted);
    return true;
}

/// The fields of `wanted` as they are in `shape`.
hir::ShapeId Builder::narrowed(hir::ShapeId shape, hir::ShapeId wanted) {
    hir::BusShape result = tree_.design.shapes[shape.index];
    std::vector<hir::FieldShape> fields;
    for (const hir::FieldShape& field : tree_.design.shapes[wanted.index].fields)
        fields.push_back(*fieldNamed(result, field.name));
    result.fields = std::move(fields);
    return tree_.context.internShape(std::move(result));
}

/// The fields of `seen` with `hold` and `delay` as they are in the bus.
hir::ShapeId Builder::withProperties(hir::ShapeId seen, hir::ShapeId bus) {
    if (seen == bus) return seen;
    const auto [known, isNew] = propertied_.try_emplace({seen.index, bus.index});
    if (isNew) known->second = narrowed(bus, seen);
    return known->second;
}

/// Notes where the bus has the fields of `seen`.
void Builder::mapFields(hir::ShapeId seen, hir::ShapeId bus) {
    if (seen == bus) return;
    const auto [known, isNew] =
        tree_.design.fieldMaps.try_emplace(std::pair{seen.index, bus.index});
    if (!isNew) return;
    const std::vector<hir::FieldShape>& fields = tree_.design.shapes[bus.index].fields;
    for (const hir::FieldShape& field : tree_.design.shapes[seen.index].fields) {
        const auto at = std::ranges::find(fields, field.name, &hir::FieldShape::name);
        known->second.push_back(static_cast<std::uint32_t>(at - fields.begin()));
    }
}

/// How a port sees what is connected: `shapes` keeps what elements that differ are seen as.
PortShape Builder::commitPort(const View& view, std::vector<std::uint64_t>& shapes) {
    PortShape port{view.shape, !view.dimensions.empty(), view.dimensions, {}};
    const std::uint64_t count = view.count();
    for (std::uint64_t element = 0; element < count; ++element) {
        const hir::BusId bus = view.at(element);
        tree_.arguments.push_back(bus);
        const hir::ShapeId own = tree_.design.buses[bus.index].shape;
        const hir::ShapeId seen = withProperties(view.shape, own);
        if (element == 0) port.shape = seen;
        mapFields(port.shape, own);
        mapFields(seen, own);
        if (shapes.empty() && seen != port.shape) shapes.assign(element, port.shape.index);
        if (!shapes.empty()) shapes.push_back(seen.index);
    }
    return port;
}

void Builder::commitPorts(NodeId id, const std::vector<View>& views) {
    Node& node = tree_.nodes[id];
    node.firstArgument = static_cast<std::uint32_t>(tree_.arguments.size());
    tuple_.clear();
    for (std::size_t i = 0; i < views.size(); ++i) {
        std::vector<std::uint64_t> shapes;
        PortShape port = commitPort(views[i], shapes);
        const auto& fields = tree_.design.shapes[port.shape.index].fields;
        const bool drives =
            node.entity->ports[i].isOut || std::ranges::any_of(fields, &hir::FieldShape::flip);
        if (drives) port.elementShapes = shapes;
        Tree::appendPort(tuple_, port);
    }
    node.ports = tree_.portTuples.intern(tuple_);
    if (Frame* frame = tree_.frameOf(id)) {  // opened before, by a path into it
        frame->ports = viewsOf(id);
        if (frame->scope) updatePorts(tree_, id, *frame->scope);
    }
}

}  // namespace smec::elab
