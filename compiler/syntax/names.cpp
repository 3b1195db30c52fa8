#include "syntax/names.h"

#include <algorithm>
#include <array>

namespace smec::syntax {

// u8, i3, and the types of one spelling. Plain u and i are free.
bool isTypeName(std::string_view name) {
    constexpr std::array<std::string_view, 5> kTypes = {"bool", "f32", "f64", "int", "uint"};
    if (std::find(kTypes.begin(), kTypes.end(), name) != kTypes.end()) return true;
    if (name.size() < 2 || (name[0] != 'u' && name[0] != 'i')) return false;
    return std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view whyReserved(std::string_view name) {
    if (name == "_") return "only an instance can be anonymous";
    if (name.find("__") != std::string_view::npos) return "names with '__' are reserved";
    if (isTypeName(name)) return "it is the name of a type";
    return {};
}

}  // namespace smec::syntax
