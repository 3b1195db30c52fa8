#include "codegen/cpp/tables/rows.h"

#include <map>

#include "ir/arithmetic.h"

namespace smec::codegen::cpp {
namespace {

void appendLimbs(const ir::Integer& value, std::uint32_t width, std::vector<std::uint64_t>& limbs) {
    const ir::Integer pattern = ir::wrapInteger(value, (width + 63) / 64 * 64, false);
    for (std::uint32_t bit = 0; bit < width; bit += 64)
        limbs.push_back(static_cast<std::uint64_t>((pattern >> bit) & UINT64_MAX));
}

bool isLong(const ir::Interval& range) { return range.low < INT64_MIN || range.high > INT64_MAX; }

class TypeRows {
public:
    TypeRows(const ir::Design& design, ImageBuilder& image) : design_(design), image_(image) {}

    sme::Type of(const TypeRow& row) {
        sme::Type type{};
        type.kind = row.kind;
        type.width = row.width;
        type.bytes = narrow(row.bytes);
        type.name = image_.text(row.name);
        switch (row.kind) {
        case TypeKind::Enum: setMembers(*row.enumeration, type); break;
        case TypeKind::Array:
            type.element = row.element;
            type.count = narrow(row.count);
            break;
        case TypeKind::Struct: setFields(row, type); break;
        case TypeKind::Bool:
        case TypeKind::Unsigned:
        case TypeKind::Signed:
        case TypeKind::F32:
        case TypeKind::F64: setRange(row, type); break;
        }
        return type;
    }

private:
    void setMembers(std::uint32_t id, sme::Type& type) {
        const ir::Enum& e = design_.enums[id];
        type.count = narrow(e.members.size());
        type.low = e.isSigned ? -1 : 0;
        const auto [known, isNew] = members_.try_emplace(id, nullptr);
        if (isNew) known->second = image_.add(membersOf(e));
        type.members = known->second;
    }

    std::vector<sme::EnumMember> membersOf(const ir::Enum& e) {
        std::vector<sme::EnumMember> members;
        for (const ir::EnumMember& member : e.members) {
            std::vector<std::uint64_t> limbs;
            appendLimbs(member.value, e.width, limbs);
            members.push_back({image_.text(member.name),
                               static_cast<std::uint64_t>(ir::wrapInteger(member.value, 64, false)),
                               e.width > 64 ? image_.add(limbs) : nullptr});
        }
        return members;
    }

    void setFields(const TypeRow& row, sme::Type& type) {
        std::vector<sme::StructMember> fields;
        for (const TypeMember& member : row.members)
            fields.push_back(
                {image_.text(member.name), member.type, narrow(member.offset), member.leaf});
        type.fields = image_.add(fields);
        type.count = narrow(fields.size());
    }

    void setRange(const TypeRow& row, sme::Type& type) {
        if (!row.range) return;
        if (isLong(*row.range)) {
            std::vector<std::uint64_t> limits;
            appendLimbs(row.range->low, row.width, limits);
            appendLimbs(row.range->high, row.width, limits);
            type.limits = image_.add(limits);
            return;
        }
        type.low = static_cast<std::int64_t>(row.range->low);
        type.high = static_cast<std::int64_t>(row.range->high);
    }

    const ir::Design& design_;
    ImageBuilder& image_;
    std::map<std::uint32_t, const sme::EnumMember*> members_;  ///< by number of the enum
};

}  // namespace

void addTypes(const Program& program, ImageBuilder& image, sme::Model& model) {
    TypeRows rows(program.design, image);
    std::vector<sme::Type> types;
    for (const TypeRow& row : program.model.types)
        types.push_back(rows.of(row));
    model.types = image.add(types);
    model.typeCount = narrow(types.size());
}

}  // namespace smec::codegen::cpp
