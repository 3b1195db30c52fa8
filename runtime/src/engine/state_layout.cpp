#include "engine/state_layout.h"

namespace sme {
namespace {

void appendShape(std::string& out, const Model& model, std::uint32_t index) {
    const Type& type = model.types[index];
    out.append(type.name);
    switch (type.kind) {
    case Kind::Array: return appendShape(out.append(" of "), model, type.element);
    case Kind::Struct:
        for (std::uint32_t i = 0; i < type.count; ++i)
            appendShape(out.append(1, ' ').append(type.fields[i].name).append(1, ':'), model,
                        type.fields[i].type);
        return;
    case Kind::Enum:
        for (std::uint32_t i = 0; i < type.count; ++i)
            out.append(1, ' ')
                .append(type.members[i].name)
                .append(1, '=')
                .append(std::to_string(type.members[i].value));
        [[fallthrough]];
    default: out.append(1, '/').append(std::to_string(type.width));
    }
}

}  // namespace

std::string shapeOf(const Model& model, std::uint32_t type) {
    std::string shape;
    appendShape(shape, model, type);
    return shape;
}

std::uint64_t bytesOfValue(const Model& model, std::uint32_t index) {
    const Type& type = model.types[index];
    if (type.kind == Kind::Array) return type.count * bytesOfValue(model, type.element);
    if (type.kind != Kind::Struct) return type.bytes;
    std::uint64_t bytes = 0;
    for (std::uint32_t i = 0; i < type.count; ++i)
        bytes += bytesOfValue(model, type.fields[i].type);
    return bytes;
}

}  // namespace sme
