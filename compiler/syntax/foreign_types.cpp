#include "syntax/foreign_types.h"

#include <algorithm>
#include <array>
#include <utility>

#include "syntax/names.h"

namespace smec::syntax {

namespace {

using Spelling = std::pair<std::string_view, std::string_view>;

constexpr std::array<Spelling, 38> kForeignTypes = {{
    {"char", "u8"},
    {"byte", "u8"},
    {"short", "i16"},
    {"long", "i64"},
    {"unsigned", "u32"},
    {"signed", "i32"},
    {"size_t", "u64"},
    {"usize", "u64"},
    {"isize", "i64"},
    {"float", "f32"},
    {"double", "f64"},
    {"real", "f64"},
    {"boolean", "bool"},
    {"Boolean", "bool"},
    {"Bool", "bool"},
    {"BOOL", "bool"},
    {"_Bool", "bool"},
    {"integer", "int"},
    {"natural", "uint"},
    {"positive", "uint"},
    {"bit", "u1"},
    {"logic", "u1"},
    {"reg", "u1"},
    {"wire", "u1"},
    {"std_logic", "u1"},
    {"std_ulogic", "u1"},
    {"sc_logic", "u1"},
    {"bit_vector", "u8"},
    {"std_logic_vector", "u8"},
    {"std_ulogic_vector", "u8"},
    {"sc_uint", "u8"},
    {"sc_int", "i8"},
    {"ap_uint", "u8"},
    {"ap_int", "i8"},
    {"UInt", "u8"},
    {"SInt", "i8"},
    {"Bits", "u8"},
    {"bits", "u8"},
}};

constexpr std::string_view kNoNull =
    "there is no null; a bool beside a value says whether it is valid";

constexpr std::string_view kNoClock =
    "a body runs once in every cycle, there is no clock to look at";

constexpr std::string_view kNoReset =
    "there is no reset to look at: variables and fields start at their first values";

constexpr std::string_view kPlainName = "a variable is named as it is, 'n'";
constexpr std::string_view kCast = "a cast is 'u8(...)'";

constexpr std::array<Spelling, 32> kNames = {{
    {"rising_edge", kNoClock},
    {"falling_edge", kNoClock},
    {"posedge", kNoClock},
    {"negedge", kNoClock},
    {"clk", kNoClock},
    {"clock", kNoClock},
    {"rst", kNoReset},
    {"rst_n", kNoReset},
    {"reset", kNoReset},
    {"self", kPlainName},
    {"this", kPlainName},
    {"static_cast", kCast},
    {"resize", kCast},
    {"conv_integer", kCast},
    {"conv_std_logic_vector", kCast},
    {"to_integer", kCast},
    {"to_unsigned", kCast},
    {"to_signed", kCast},
    {"True", "write 'true'"},
    {"TRUE", "write 'true'"},
    {"False", "write 'false'"},
    {"FALSE", "write 'false'"},
    {"null", kNoNull},
    {"NULL", kNoNull},
    {"nullptr", kNoNull},
    {"None", kNoNull},
    {"nil", kNoNull},
    {"sizeof", "write 'len' for the elements of an array"},
    {"length", "write 'len'"},
    {"log2", "write 'clog2'"},
    {"concat", "write 'cat'"},
    {"_", "the other values of a 'switch' are 'default { ... }'"},
}};

std::string_view found(const auto& table, std::string_view name) {
    const auto at = std::find_if(table.begin(), table.end(),
                                 [&](const Spelling& each) { return each.first == name; });
    return at == table.end() ? std::string_view() : at->second;
}

bool isNumber(std::string_view text) {
    return !text.empty()
           && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// int8_t, uint16, UInt32
std::string sizedInteger(std::string_view name) {
    if (name.ends_with("_t")) name.remove_suffix(2);
    const bool isUnsigned = name.starts_with("u") || name.starts_with("U");
    if (isUnsigned) name.remove_prefix(1);
    if (!name.starts_with("int") && !name.starts_with("Int")) return {};
    name.remove_prefix(3);
    return isNumber(name) ? (isUnsigned ? "u" : "i") + std::string(name) : std::string();
}

}  // namespace

std::string nativeType(std::string_view name) {
    if (isTypeName(name)) return std::string(name);
    if (const std::string_view type = found(kForeignTypes, name); !type.empty())
        return std::string(type);
    return sizedInteger(name);
}

std::string nativeType(std::string_view name, std::string_view width) {
    const std::string type = nativeType(name);
    if (type.empty() || (type[0] != 'u' && type[0] != 'i')) return {};
    const std::string sign = type.substr(0, 1);
    if (isNumber(width)) return sign + std::string(width);
    return sign + "(" + std::string(width) + ")";
}

bool isLength(std::string_view name) {
    return name == "length" || name == "len" || name == "size" || name == "count";
}

bool looksAtClock(std::string_view function) { return found(kNames, function) == kNoClock; }

std::string nameHint(std::string_view name) {
    if (isTypeName(name)) return "; it is a type: a cast is '" + std::string(name) + "(...)'";
    const std::string_view hint = found(kNames, name);
    return hint.empty() ? std::string() : "; " + std::string(hint);
}

}  // namespace smec::syntax
