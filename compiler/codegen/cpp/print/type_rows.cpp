#include "codegen/cpp/print/type_rows.h"

#include <algorithm>
#include <set>

#include "ir/arithmetic.h"

namespace smec::codegen::cpp {
namespace {

const char* kindWord(TypeKind kind) {
    switch (kind) {
    case TypeKind::Bool: return "Bool";
    case TypeKind::Unsigned: return "Unsigned";
    case TypeKind::Signed: return "Signed";
    case TypeKind::Enum: return "Enum";
    case TypeKind::F32: return "F32";
    case TypeKind::F64: return "F64";
    case TypeKind::Array: return "Array";
    case TypeKind::Struct: return "Struct";
    }
    return "";
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

/// The place of a text among those kept so far.
std::size_t numberOf(const std::string& text, std::vector<std::string>& kept) {
    const auto found = std::find(kept.begin(), kept.end(), text);
    const auto number = static_cast<std::size_t>(found - kept.begin());
    if (found == kept.end()) kept.push_back(text);
    return number;
}

class TypePrinter {
public:
    explicit TypePrinter(const CppDesign& cpp)
        : design_(cpp.program.design), types_(cpp.program.model.types) {}

    void print(Writer& out) {
        Writer rows;
        rows.setDepth(1);
        for (const TypeRow& row : types_)
            rows.line("{},", textOf(row));
        for (const std::uint32_t id : enums_)
            printMembers(id, out);
        for (std::size_t i = 0; i < limits_.size(); ++i)
            out.line("constexpr std::uint64_t limits{}[] = {{{}}};", i, limits_[i]);
        for (std::size_t i = 0; i < fields_.size(); ++i)
            out.line("constexpr sme::StructMember fields{}[] = {{{}}};", i, fields_[i]);
        out.open("constexpr sme::Type typeTable[] =");
        out.append(rows.text());
        if (types_.empty()) out.line("{{}}");
        out.close(";");
    }

private:
    std::string textOf(const TypeRow& row) {
        const std::string start = fmt::format("sme::Kind::{}, {}, {}, {}", kindWord(row.kind),
                                              row.width, row.bytes, stringLiteral(row.name));
        switch (row.kind) {
        case TypeKind::Enum: return enumText(row, start);
        case TypeKind::Array:
            return fmt::format("{{{}, {}, {}, nullptr, nullptr, 0, 0}}", start, row.element,
                               row.count);
        case TypeKind::Struct:
            return fmt::format("{{{}, 0, {}, nullptr, fields{}, 0, 0}}", start, row.members.size(),
                               fieldsOf(row));
        case TypeKind::Bool:
        case TypeKind::Unsigned:
        case TypeKind::Signed:
        case TypeKind::F32:
        case TypeKind::F64: break;
        }
        return fmt::format("{{{}, 0, 0, nullptr, nullptr, {}}}", start,
                           row.range && isLong(*row.range) ? limitsOf(row) : ends(row.range));
    }

    std::string enumText(const TypeRow& row, const std::string& start) {
        const ir::Enum& e = design_.enums[*row.enumeration];
        enums_.insert(*row.enumeration);
        const std::string members =
            e.members.empty() ? "nullptr" : fmt::format("members{}", *row.enumeration);
        return fmt::format("{{{}, 0, {}, {}, nullptr, {}, 0}}", start, e.members.size(), members,
                           e.isSigned ? -1 : 0);
    }

    std::string limitsOf(const TypeRow& row) {
        const std::string both =
            limbs(row.range->low, row.width) + ", " + limbs(row.range->high, row.width);
        return fmt::format("0, 0, limits{}", numberOf(both, limits_));
    }

    std::size_t fieldsOf(const TypeRow& row) {
        std::string list;
        for (const TypeMember& member : row.members)
            list +=
                fmt::format("{}{{{}, {}, {}, {}}}", list.empty() ? "" : ", ",
                            stringLiteral(member.name), member.type, member.offset, member.leaf);
        return numberOf(list, fields_);
    }

    void printMembers(std::uint32_t id, Writer& out) const {
        const ir::Enum& e = design_.enums[id];
        if (e.members.empty()) return;
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

    const ir::Design& design_;
    const std::vector<TypeRow>& types_;
    std::set<std::uint32_t> enums_;
    std::vector<std::string> limits_;
    std::vector<std::string> fields_;
};

}  // namespace

void printTypes(const CppDesign& cpp, Writer& out) { TypePrinter(cpp).print(out); }

}  // namespace smec::codegen::cpp
