#include "codegen/cpp/decide/type_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "plan/plan.h"

namespace smec::codegen::cpp {
namespace {

std::string nameOfScalar(const ir::Scalar& scalar, const std::optional<ir::Interval>& range) {
    switch (scalar.kind) {
    case ir::ScalarKind::Bool: return "bool";
    case ir::ScalarKind::F32: return "f32";
    case ir::ScalarKind::F64: return "f64";
    case ir::ScalarKind::Int: break;
    }
    const std::string name = fmt::format("{}{}", scalar.isSigned ? 'i' : 'u', scalar.width);
    if (!range) return name;
    return fmt::format("{} (range {} to {})", name, range->low.str(), range->high.str());
}

TypeKind kindOf(const ir::Scalar& scalar) {
    switch (scalar.kind) {
    case ir::ScalarKind::Bool: return TypeKind::Bool;
    case ir::ScalarKind::F32: return TypeKind::F32;
    case ir::ScalarKind::F64: return TypeKind::F64;
    case ir::ScalarKind::Int: break;
    }
    return scalar.isSigned ? TypeKind::Signed : TypeKind::Unsigned;
}

std::uint32_t widthOf(const ir::Scalar& scalar) {
    if (scalar.kind == ir::ScalarKind::Bool) return 1;
    if (scalar.kind == ir::ScalarKind::F32) return 32;
    return scalar.kind == ir::ScalarKind::F64 ? 64 : scalar.width;
}

TypeRow arrayOf(std::uint32_t element, std::uint64_t count, std::uint64_t bytes, std::string name) {
    TypeRow row{TypeKind::Array};
    row.bytes = bytes;
    row.name = std::move(name);
    row.element = element;
    row.count = count;
    return row;
}

}  // namespace

std::uint32_t TypeTable::add(TypeRow row) {
    const auto found = std::find(rows_.begin(), rows_.end(), row);
    const auto number = static_cast<std::uint32_t>(found - rows_.begin());
    if (found == rows_.end()) rows_.push_back(std::move(row));
    return number;
}

std::uint32_t TypeTable::ofScalar(const ir::Scalar& scalar,
                                  std::optional<std::uint32_t> enumeration,
                                  const std::optional<ir::Interval>& range) {
    TypeRow row{enumeration ? TypeKind::Enum : kindOf(scalar)};
    row.bytes = plan::storageBytes(scalar);
    if (enumeration) {
        row.width = design_.enums[*enumeration].width;
        row.name = design_.enums[*enumeration].name;
        row.enumeration = enumeration;
    } else {
        row.width = widthOf(scalar);
        row.name = nameOfScalar(scalar, range);
        row.range = range;
    }
    return add(std::move(row));
}

std::uint32_t TypeTable::of(const ir::Plane& plane) {
    std::uint32_t type = ofScalar(plane.type.scalar, plane.enumeration, plane.range);
    if (!plane.type.isArray()) return type;
    std::vector<std::uint64_t> dimensions = plane.dimensions;
    if (dimensions.empty()) dimensions.push_back(plane.type.length);
    std::string name = plane.enumeration ? design_.enums[*plane.enumeration].name
                                         : nameOfScalar(plane.type.scalar, plane.range);
    std::uint64_t bytes = plan::storageBytes(plane.type.scalar);
    for (auto length = dimensions.rbegin(); length != dimensions.rend(); ++length) {
        name = fmt::format("[{}]{}", *length, name);
        bytes *= *length;
        type = add(arrayOf(type, *length, bytes, name));
    }
    return type;
}

std::uint64_t TypeTable::bytesOf(std::uint32_t number) const {
    const ir::Shape& shape = design_.shapes[number];
    if (shape.kind == ir::Shape::Kind::Scalar) return plan::storageBytes(shape.scalar);
    if (shape.kind == ir::Shape::Kind::Array) return shape.count * bytesOf(shape.element);
    std::uint64_t bytes = 0;
    for (const ir::Shape::Member& member : shape.members)
        bytes += bytesOf(member.shape);
    return bytes;
}

std::string TypeTable::nameOf(std::uint32_t number) const {
    const ir::Shape& shape = design_.shapes[number];
    if (shape.kind == ir::Shape::Kind::Struct) return shape.name;
    if (shape.kind == ir::Shape::Kind::Array)
        return fmt::format("[{}]{}", shape.count, nameOf(shape.element));
    return shape.enumeration ? design_.enums[*shape.enumeration].name
                             : nameOfScalar(shape.scalar, shape.range);
}

std::uint32_t TypeTable::ofShape(std::uint32_t number) {
    const ir::Shape& shape = design_.shapes[number];
    if (shape.kind == ir::Shape::Kind::Scalar)
        return ofScalar(shape.scalar, shape.enumeration, shape.range);
    if (shape.kind == ir::Shape::Kind::Array) {
        const std::uint32_t element = ofShape(shape.element);
        return add(arrayOf(element, shape.count, bytesOf(number), nameOf(number)));
    }
    TypeRow row{TypeKind::Struct};
    row.name = shape.name;
    for (const ir::Shape::Member& member : shape.members) {
        row.members.push_back({member.name, ofShape(member.shape), row.bytes, member.leaf});
        row.bytes += bytesOf(member.shape);
    }
    return add(std::move(row));
}

}  // namespace smec::codegen::cpp
