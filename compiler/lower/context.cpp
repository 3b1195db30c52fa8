#include "lower/context.h"

#include <algorithm>

#include "source/internal_error.h"
#include "source/overloaded.h"

namespace smec::lower {

std::uint32_t Context::enumeration(hir::TypeId type) {
    auto [it, added] = enums_.try_emplace(type.index, static_cast<std::uint32_t>(out.enums.size()));
    if (!added) return it->second;
    const auto* source = types().as<hir::EnumType>(type);
    require(source != nullptr, "not an enum");
    ir::Enum result{source->name, source->width, source->isSigned, {}};
    for (const auto& member : source->members)
        result.members.push_back({member.name, member.value});
    out.enums.push_back(std::move(result));
    return it->second;
}

std::optional<std::uint32_t> Context::enumerationOf(hir::TypeId type) {
    if (!types().as<hir::EnumType>(type)) return std::nullopt;
    return enumeration(type);
}

ir::TableId Context::table(const ir::Scalar& scalar, ir::Constants values,
                           const std::string& name) {
    std::vector<ir::TableId>& alike = tables_[values];
    const auto known = std::find_if(alike.begin(), alike.end(), [&](ir::TableId id) {
        return out.tables[id.index].type.scalar == scalar;
    });
    if (known != alike.end()) {
        std::string& knownName = out.tables[known->index].name;
        if (knownName.empty()) knownName = name;
        return *known;
    }
    alike.push_back({static_cast<std::uint32_t>(out.tables.size())});
    out.tables.push_back(
        {{scalar, static_cast<std::uint32_t>(values.size())}, std::move(values), name});
    return alike.back();
}

std::uint32_t Context::shape(hir::TypeId type) {
    if (const auto known = shapes_.find(type.index); known != shapes_.end()) return known->second;
    ir::Shape shape;
    smec::visit(Overloaded{
                    [&](const hir::ArrayType& array) {
                        shape.kind = ir::Shape::Kind::Array;
                        shape.element = this->shape(array.element);
                        shape.count = array.count;
                    },
                    [&](const hir::StructType& structure) {
                        shape.kind = ir::Shape::Kind::Struct;
                        shape.name = structure.name;
                        for (std::uint32_t i = 0; i < structure.members.size(); ++i) {
                            const hir::StructMember& member = structure.members[i];
                            shape.members.push_back({member.name, this->shape(member.type),
                                                     layouts.firstLeaf(type, i)});
                        }
                    },
                    [&](const hir::WholeType auto&) {
                        shape.scalar = scalarOf(types(), type);
                        shape.enumeration = enumerationOf(type);
                        shape.range = rangeOf(types(), type);
                    },
                },
                types()[type]);
    out.shapes.push_back(std::move(shape));
    return shapes_[type.index] = static_cast<std::uint32_t>(out.shapes.size() - 1);
}

void Context::notSupported(SourceRange range, const std::string& what) {
    diagnostics.report(DiagId::NotSupported, range, what);
}

std::optional<ir::Interval> Context::trustedRange(hir::TypeId type) const {
    return options.unchecked ? std::nullopt : rangeOf(types(), type);
}

}  // namespace smec::lower
