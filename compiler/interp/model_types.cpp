#include "interp/model_types.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "hir/waits.h"
#include "interp/value_bytes.h"
#include "source/internal_error.h"
#include "source/line_names.h"
#include "source/overloaded.h"

namespace smec::interp {

namespace {

sme::Kind kindOfScalar(const TypeTable& types, TypeId type) {
    return smec::visit(
        Overloaded{
            [](const hir::BoolType&) { return sme::Kind::Bool; },
            [](const hir::FloatType& t) { return t.width == 32 ? sme::Kind::F32 : sme::Kind::F64; },
            [](const hir::EnumType&) { return sme::Kind::Enum; },
            [](const hir::IntType& t) {
                return t.isSigned ? sme::Kind::Signed : sme::Kind::Unsigned;
            },
            [](const AnyOf<hir::ErrorType, hir::StringType, hir::ArrayType, hir::StructType> auto&)
                -> sme::Kind { throw InternalError("not a scalar type"); },
        },
        types[type]);
}

}  // namespace

const sme::Type& ModelTypes::of(TypeId type) {
    const auto known = known_.find(type.index);
    return known != known_.end() ? known->second
                                 : known_.emplace(type.index, made(type)).first->second;
}

const sme::Type& ModelTypes::ofWaits(const hir::Specialisation& spec,
                                     const SourceManager& sources) {
    const auto [known, isNew] = waits_.try_emplace(&spec);
    if (!isNew) return known->second;
    std::vector<SourceRange> ranges;
    for (const hir::Stmt* wait : hir::waitsOf(spec.body))
        ranges.push_back(wait->range);
    std::vector<sme::EnumMember>& members = members_.emplace_back();
    members.push_back({"start", 0});
    for (std::string& name : lineNames(sources, ranges))
        members.push_back({names_.emplace_back(std::move(name)).c_str(), members.size()});
    sme::Type& type = known->second;
    type = {};
    type.kind = sme::Kind::Enum;
    type.width = static_cast<std::uint32_t>(std::bit_width(ranges.size()));
    type.bytes = sizeof(std::uint32_t);
    type.name = "wait";
    type.members = members.data();
    type.count = static_cast<std::uint32_t>(members.size());
    return type;
}

sme::EnumMember ModelTypes::memberOf(const hir::EnumMember& member, std::size_t bytes) {
    std::vector<std::uint64_t>& limbs = limbs_.emplace_back();
    const std::size_t count = std::max<std::size_t>(1, bytes / 8);
    for (std::size_t i = 0; i < count; ++i) {
        const hir::Integer limb = hir::shiftedRight(member.value, 64 * i);
        limbs.push_back(*toUnsigned(wrap(number(limb), 64, false)));
    }
    return {member.name.c_str(), limbs[0], bytes > 8 ? limbs.data() : nullptr};
}

sme::Type ModelTypes::made(TypeId type) {
    sme::Type result{};
    result.kind = kindOfScalar(types_, type);
    result.width = widthOf(types_, type);
    result.bytes = static_cast<std::uint32_t>(bytesOf(types_, type));
    result.name = names_.emplace_back(types_.name(type)).c_str();
    if (const auto* choice = types_.as<hir::EnumType>(type)) {
        std::vector<sme::EnumMember>& members = members_.emplace_back();
        for (const hir::EnumMember& member : choice->members)
            members.push_back(memberOf(member, result.bytes));
        result.members = members.data();
        result.count = static_cast<std::uint32_t>(members.size());
        result.low = choice->isSigned ? -1 : 0;
    }
    return result;
}

}  // namespace smec::interp
