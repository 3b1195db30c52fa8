#include "model/row_checks.h"

#include <algorithm>

namespace sme {
namespace {

std::uint64_t limbsOf(const Type& type) { return (std::uint64_t{type.width} + 63) / 64; }

bool isStoredAs(const Type& type, std::uint64_t bytes) {
    if (type.width > 64) return bytes == 8 * limbsOf(type);
    return bytes == 8 || (bytes == 4 && type.width <= 32) || (bytes == 2 && type.width <= 16)
           || (bytes == 1 && type.width <= 8);
}

/// The number of a row of the table; of a type in another row, one behind all.
std::uint64_t rowNumber(const Type& type, const ImageRows& image) {
    const std::span<Type> all = image.table<Type>();
    const bool isRow = &type >= all.data() && &type < all.data() + all.size();
    return isRow ? static_cast<std::uint64_t>(&type - all.data()) : all.size();
}

void checkEnum(const Type& type, const ImageRows& image) {
    if (image.rowsFrom(type.members) < type.count)
        image.fail(&type.count, "Type::count", "is more members than there are");
    if (type.width <= 64) return;
    for (const EnumMember& member : std::span(type.members, type.count)) {
        if (image.rowsFrom(member.limbs) < limbsOf(type))
            image.fail(&member.limbs, "EnumMember::limbs", "are fewer than its value has");
    }
}

void checkStruct(const Type& type, std::uint64_t number, const ImageRows& image) {
    if (image.rowsFrom(type.fields) < type.count)
        image.fail(&type.count, "Type::count", "is more members than there are");
    for (const StructMember& member : std::span(type.fields, type.count)) {
        if (member.type >= number)
            image.fail(&member.type, "StructMember::type", "is no type in front");
        const std::uint64_t bytes = image.model().types[member.type].bytes;
        if (member.offset > type.bytes || bytes > type.bytes - member.offset)
            image.fail(&member.offset, "StructMember::offset", "is beyond its struct");
    }
}

void checkArray(const Type& type, std::uint64_t number, const ImageRows& image) {
    if (type.element >= number) image.fail(&type.element, "Type::element", "is no type in front");
    if (std::uint64_t{image.model().types[type.element].bytes} * type.count != type.bytes)
        image.fail(&type.bytes, "Type::bytes", "is not that of its elements");
}

/// Leaves of a value, of a type that is right.
std::uint64_t leavesOf(const Model& model, const Type* type) {
    std::uint64_t leaves = 0;
    while (type->kind == Kind::Array || (type->kind == Kind::Struct && type->count > 0)) {
        if (type->kind == Kind::Array) {
            type = &model.types[type->element];
            continue;
        }
        const StructMember& last = type->fields[type->count - 1];
        leaves += last.leaf;
        type = &model.types[last.type];
    }
    return leaves + 1;
}

}  // namespace

void checkRow(const Type& type, const ImageRows& image) {
    const std::uint64_t number = rowNumber(type, image);
    switch (type.kind) {
    case Kind::Array: return checkArray(type, number, image);
    case Kind::Struct: return checkStruct(type, number, image);
    case Kind::Enum: checkEnum(type, image); break;
    case Kind::Bool:
    case Kind::Unsigned:
    case Kind::Signed:
    case Kind::F32:
    case Kind::F64: break;
    }
    if (!isStoredAs(type, type.bytes))
        image.fail(&type.bytes, "Type::bytes", "is not of its width");
    if (type.limits != nullptr && image.rowsFrom(type.limits) < 2 * limbsOf(type))
        image.fail(&type.limits, "Type::limits", "are fewer than two");
}

void checkRow(const WaitPlaces& waits, const ImageRows& image) {
    if (waits.type.kind != Kind::Enum) image.fail(&waits.type, "WaitPlaces::type", "is no enum");
}

void checkRow(const Plane& plane, const ImageRows& image) {
    const Model& model = image.model();
    const std::uint64_t bytes = model.types[plane.type].bytes;
    const std::uint64_t room = plane.home == Home::OneSlot ? model.stateBytes : model.clockedBytes;
    if (plane.offset > room || bytes * plane.instances > room - plane.offset)
        image.fail(&plane.offset, "Plane::offset", "is beyond its region");
    const std::span stages(model.stages, model.stageCount);
    if (std::ranges::none_of(stages, [&](const Stage& its) { return its.group == plane.group; }))
        image.fail(&plane.group, "Plane::group", "is in no stage");
    if (plane.initial == Initial::Zero) return;
    const Type* element = &model.types[plane.type];
    while (plane.initial == Initial::Elements && element->kind == Kind::Array)
        element = &model.types[element->element];
    const std::uint64_t needed =
        element->bytes * (plane.initial == Initial::Column ? std::uint64_t{plane.instances} : 1);
    if (image.bytesFrom(plane.initialData) < needed)
        image.fail(&plane.initialData, "Plane::initialData", "has fewer bytes than it needs");
}

void checkRow(const Class& cls, const ImageRows& image) {
    if (cls.siteCount == 0) image.fail(&cls.siteCount, "Class::siteCount", "is 0");
}

void checkRow(const ArgFormat& format, const ImageRows& image) {
    if (format.kind == ArgKind::Typed && format.type >= image.model().typeCount)
        image.fail(&format.type, "ArgFormat::type", "is no type");
}

void checkRow(const Work& work, const ImageRows& image) {
    if (work.level >= image.model().levels) image.fail(&work.level, "Work::level", "is no level");
    if ((work.entry.instances == nullptr) == (work.entry.block == nullptr))
        image.fail(&work.entry, "Work::entry", "is not one function");
    if (work.entry.block != nullptr && work.count != 1)
        image.fail(&work.count, "Work::count", "is not 1, of a block");
    if (work.granularity == 0) image.fail(&work.granularity, "Work::granularity", "is 0");
}

void checkRow(const NameRun& name, const ImageRows& image) {
    if (name.leaves == nullptr) return;
    const std::uint64_t leaves = leavesOf(image.model(), &image.model().types[name.type]);
    if (image.rowsFrom(name.leaves) < leaves)
        image.fail(&name.leaves, "NameRun::leaves", "are fewer than its type has");
}

}  // namespace sme
