#include <cmath>
#include <cstdlib>

#include "elab/top.h"

// -G name=value: 12, -3, 0x1F, 0b1010, 1_000, true, 2.5, RUN, state.RUN

namespace smec::elab {

namespace {

std::optional<hir::Integer> parseInteger(std::string_view text) {
    const bool isNegative = text.starts_with('-');
    if (isNegative || text.starts_with('+')) text.remove_prefix(1);
    int base = 10;
    if (text.starts_with("0x") || text.starts_with("0X")) base = 16;
    if (text.starts_with("0o") || text.starts_with("0O")) base = 8;
    if (text.starts_with("0b") || text.starts_with("0B")) base = 2;
    if (base != 10) text.remove_prefix(2);
    if (text.empty() || text.size() > 20'000 || text.front() == '_' || text.back() == '_')
        return std::nullopt;
    hir::Integer value = 0;
    for (const char c : text) {
        if (c == '_') continue;
        int digit = base;
        if (c >= '0' && c <= '9') digit = c - '0';
        if (c >= 'a' && c <= 'f') digit = c - 'a' + 10;
        if (c >= 'A' && c <= 'F') digit = c - 'A' + 10;
        if (digit >= base) return std::nullopt;
        value = value * base + digit;
    }
    return isNegative ? hir::Integer(-value) : value;
}

std::optional<double> parseFloat(std::string_view text) {
    if (text.empty() || text.find_first_not_of("0123456789+-.eE") != std::string_view::npos)
        return std::nullopt;
    const std::string copy(text);
    char* end = nullptr;
    const double value = std::strtod(copy.c_str(), &end);
    return end == copy.c_str() + copy.size() && std::isfinite(value) ? std::optional(value)
                                                                     : std::nullopt;
}

std::optional<hir::Value> parseMember(const hir::EnumType& type, std::string_view text) {
    const std::size_t dot = text.rfind('.');
    if (dot != std::string_view::npos) text.remove_prefix(dot + 1);
    for (const hir::EnumMember& member : type.members) {
        if (member.name == text) return hir::Value{member.value};
    }
    return std::nullopt;
}

std::optional<hir::Value> parseTyped(const hir::TypeTable& types, hir::TypeId type,
                                     std::string_view text) {
    if (const auto* enumType = types.as<hir::EnumType>(type)) return parseMember(*enumType, text);
    if (type == hir::TypeTable::kBool) {
        if (text == "true" || text == "false") return hir::Value{text == "true"};
        return std::nullopt;
    }
    if (types.isFloat(type)) {
        const auto value = parseFloat(text);
        if (!value) return std::nullopt;
        return type == hir::TypeTable::kF32 ? hir::Value{static_cast<float>(*value)}
                                            : hir::Value{*value};
    }
    const auto value = types.isInteger(type) ? parseInteger(text) : std::nullopt;
    if (!value) return std::nullopt;
    const bool isUnbounded = type == hir::TypeTable::kUint || type == hir::TypeTable::kInt;
    const bool fits = isUnbounded ? type == hir::TypeTable::kInt || *value >= 0
                                  : *value >= types.minimum(type) && *value <= types.maximum(type);
    return fits ? std::optional(hir::Value{*value}) : std::nullopt;
}

}  // namespace

std::optional<sema::TypedValue> parseParameter(const hir::TypeTable& types, hir::TypeId type,
                                               std::string_view text) {
    if (!types.isError(type)) {
        auto value = parseTyped(types, type, text);
        return value ? std::optional(sema::TypedValue{std::move(*value), type}) : std::nullopt;
    }
    for (const hir::TypeId guess : {hir::TypeTable::kUint, hir::TypeTable::kInt,
                                    hir::TypeTable::kBool, hir::TypeTable::kF64}) {
        if (auto value = parseTyped(types, guess, text))
            return sema::TypedValue{std::move(*value), guess};
    }
    return std::nullopt;
}

}  // namespace smec::elab
