#include "codegen/cpp/print/types_table.h"

#include <algorithm>

#include "ir/arithmetic.h"
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

const char* kindOf(const ir::Scalar& scalar) {
    switch (scalar.kind) {
    case ir::ScalarKind::Bool: return "Bool";
    case ir::ScalarKind::F32: return "F32";
    case ir::ScalarKind::F64: return "F64";
    case ir::ScalarKind::Int: break;
    }
    return scalar.isSigned ? "Signed" : "Unsigned";
}

std::uint32_t widthOf(const ir::Scalar& scalar) {
    if (scalar.kind == ir::ScalarKind::Bool) return 1;
    if (scalar.kind == ir::ScalarKind::F32) return 32;
    return scalar.kind == ir::ScalarKind::F64 ? 64 : scalar.width;
}

std::string limbs(const ir::Integer& value, std::uint32_t width) {
    const ir::Integer pattern = ir::wrapInteger(value, (width + 63) / 64 * 64, false);
    std::string list;
    for (std::uint32_t bit = 0; bit < width; bit += 64)
        list += fmt::format("{}0x{:x}u", bit == 0 ? "" : ", ",
                            static_cast<std::uint64_t>((pattern >> bit) & UINT64_MAX));
    return list;
}

bool isLong(const ir::Interval& range) { return range.low < INT64_MIN || range.high > INT64_MAX; }

/// `low, high` of a declared range that is not long.
std::string ends(const std::optional<ir::Interval>& range) {
    if (!range) return "0, 0";
    const auto text = [](const ir::Integer& x) {
        return x == INT64_MIN ? std::string("INT64_MIN") : x.str();
    };
    return text(range->low) + ", " + text(range->high);
}

}  // namespace

std::uint32_t TypesTable::add(const std::string& row) {
    const auto [it, isNew] = numbers_.emplace(row, static_cast<std::uint32_t>(rows_.size()));
    if (isNew) rows_.push_back(row);
    return it->second;
}

std::uint32_t TypesTable::ofScalar(const ir::Scalar& scalar,
                                   std::optional<std::uint32_t> enumeration,
                                   const std::optional<ir::Interval>& range) {
    const std::uint32_t bytes = plan::storageBytes(scalar);
    if (enumeration) {
        enums_[*enumeration] = true;
        const ir::Enum& e = design_.enums[*enumeration];
        const std::string members =
            e.members.empty() ? "nullptr" : fmt::format("members{}", *enumeration);
        return add(fmt::format("{{sme::Kind::Enum, {}, {}, {}, 0, {}, {}, nullptr, {}, 0}}",
                               e.width, bytes, stringLiteral(e.name), e.members.size(), members,
                               e.isSigned ? -1 : 0));
    }
    return add(
        fmt::format("{{sme::Kind::{}, {}, {}, \"{}\", 0, 0, nullptr, nullptr, {}}}", kindOf(scalar),
                    widthOf(scalar), bytes, nameOfScalar(scalar, range),
                    range && isLong(*range) ? "0, 0, " + addLimits(*range, scalar) : ends(range)));
}

std::string TypesTable::addLimits(const ir::Interval& range, const ir::Scalar& scalar) {
    const std::string list =
        limbs(range.low, scalar.width) + ", " + limbs(range.high, scalar.width);
    const auto found = std::find(limits_.begin(), limits_.end(), list);
    const auto number = static_cast<std::size_t>(found - limits_.begin());
    if (found == limits_.end()) limits_.push_back(list);
    return fmt::format("limits{}", number);
}

std::uint32_t TypesTable::of(const ir::Plane& plane) {
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
        type = add(fmt::format("{{sme::Kind::Array, 0, {}, {}, {}, {}, nullptr, nullptr, 0, 0}}",
                               bytes, stringLiteral(name), type, *length));
    }
    return type;
}

std::uint64_t TypesTable::bytesOf(std::uint32_t number) const {
    const ir::Shape& shape = design_.shapes[number];
    if (shape.kind == ir::Shape::Kind::Scalar) return plan::storageBytes(shape.scalar);
    if (shape.kind == ir::Shape::Kind::Array) return shape.count * bytesOf(shape.element);
    std::uint64_t bytes = 0;
    for (const ir::Shape::Member& member : shape.members)
        bytes += bytesOf(member.shape);
    return bytes;
}

std::string TypesTable::nameOf(std::uint32_t number) const {
    const ir::Shape& shape = design_.shapes[number];
    if (shape.kind == ir::Shape::Kind::Struct) return shape.name;
    if (shape.kind == ir::Shape::Kind::Array)
        return fmt::format("[{}]{}", shape.count, nameOf(shape.element));
    return shape.enumeration ? design_.enums[*shape.enumeration].name
                             : nameOfScalar(shape.scalar, shape.range);
}

std::uint32_t TypesTable::ofShape(std::uint32_t number) {
    const ir::Shape& shape = design_.shapes[number];
    if (shape.kind == ir::Shape::Kind::Scalar)
        return ofScalar(shape.scalar, shape.enumeration, shape.range);
    if (shape.kind == ir::Shape::Kind::Array)
        return add(fmt::format("{{sme::Kind::Array, 0, {}, {}, {}, {}, nullptr, nullptr, 0, 0}}",
                               bytesOf(number), stringLiteral(nameOf(number)),
                               ofShape(shape.element), shape.count));
    std::string list;
    std::uint64_t offset = 0;
    for (const ir::Shape::Member& member : shape.members) {
        list += fmt::format("{}{{{}, {}, {}, {}}}", list.empty() ? "" : ", ",
                            stringLiteral(member.name), ofShape(member.shape), offset, member.leaf);
        offset += bytesOf(member.shape);
    }
    auto found = std::find(members_.begin(), members_.end(), list);
    if (found == members_.end()) found = members_.insert(members_.end(), list);
    return add(fmt::format("{{sme::Kind::Struct, 0, {}, {}, 0, {}, nullptr, fields{}, 0, 0}}",
                           offset, stringLiteral(shape.name), shape.members.size(),
                           found - members_.begin()));
}

void TypesTable::print(Writer& out) const {
    for (const auto& [id, used] : enums_) {
        const ir::Enum& e = design_.enums[id];
        if (e.members.empty()) continue;
        std::string list, longValues;
        for (std::size_t i = 0; i < e.members.size(); ++i) {
            const ir::EnumMember& member = e.members[i];
            list += fmt::format("{}{{{}, {}", i == 0 ? "" : ", ", stringLiteral(member.name),
                                limbs(ir::wrapInteger(member.value, 64, false), 64));
            if (e.width > 64) {
                list += fmt::format(", memberLimbs{} + {}", id, i * ((e.width + 63) / 64));
                longValues += (i == 0 ? "" : ", ") + limbs(member.value, e.width);
            }
            list += "}";
        }
        if (!longValues.empty())
            out.line("constexpr std::uint64_t memberLimbs{}[] = {{{}}};", id, longValues);
        out.line("constexpr sme::EnumMember members{}[] = {{{}}};", id, list);
    }
    for (std::size_t i = 0; i < limits_.size(); ++i)
        out.line("constexpr std::uint64_t limits{}[] = {{{}}};", i, limits_[i]);
    for (std::size_t i = 0; i < members_.size(); ++i)
        out.line("constexpr sme::StructMember fields{}[] = {{{}}};", i, members_[i]);
    out.open("constexpr sme::Type typeTable[] =");
    for (const std::string& row : rows_)
        out.line("{},", row);
    if (rows_.empty()) out.line("{{}}");
    out.close(";");
}

}  // namespace smec::codegen::cpp
