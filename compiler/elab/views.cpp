#include "elab/views.h"

#include <algorithm>

namespace smec::elab {

void append(View& all, const View& part, SourceRange range,
            const std::function<std::string()>& text) {
    const auto note = [&](hir::ShapeId shape) {
        if (std::ranges::find(all.mixed, shape, &SeenShape::shape) == all.mixed.end())
            all.mixed.push_back({shape, range, text()});
    };
    if (all.mixed.empty()) {
        all.shape = part.shape;
        all.dimensions = part.dimensions;
    }
    note(part.shape);
    for (const SeenShape& seen : part.mixed)
        note(seen.shape);
    const std::uint64_t count = part.count();
    for (std::uint64_t i = 0; i < count; ++i)
        all.list.push_back(part.at(i));
    if (!all.list.empty()) all.first = all.list.front();
    all.readOnly = all.readOnly || part.readOnly;
}

hir::ShapeId narrowed(Tree& tree, hir::ShapeId shape, hir::ShapeId wanted) {
    hir::BusShape result = tree.design.shapes[shape.index];
    std::vector<hir::FieldShape> fields;
    for (const hir::FieldShape& field : tree.design.shapes[wanted.index].fields)
        fields.push_back(*std::ranges::find(result.fields, field.name, &hir::FieldShape::name));
    result.fields = std::move(fields);
    return tree.context.internShape(std::move(result));
}

std::string sizesText(const std::vector<std::uint64_t>& dimensions) {
    std::string text;
    for (const std::uint64_t size : dimensions)
        text += fmt::format("{}{}", text.empty() ? "" : " x ", size);
    return text;
}

std::string shapeText(const std::vector<std::uint64_t>& dimensions) {
    if (dimensions.empty()) return "a single bus";
    if (dimensions.size() == 1) return "an array of " + counted(dimensions[0], "bus");
    return "an array of " + sizesText(dimensions) + " buses";
}

}  // namespace smec::elab
