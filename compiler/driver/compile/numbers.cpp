#include "driver/compile/numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>

#include "codegen/cpp/target.h"
#include "driver/system/suggestion.h"
#include "ir/target.h"
#include "passes/target.h"
#include "plan/target.h"
#include "rewrite/target.h"
#include "rules/ledger.h"
#include "source/number_values.h"

namespace smec::driver {
namespace {

enum class Origin { Measured, Bound };

struct Number {
    std::string_view name;
    std::string_view unit;
    Origin origin;
    bool isWhole;
    numbers::Values values;
    double (*get)();
    void (*set)(double);
};

template <auto& kPlace>
constexpr Number row(std::string_view name, std::string_view unit, Origin origin,
                     numbers::Values values) {
    using Value = std::remove_reference_t<decltype(kPlace)>;
    return {name,
            unit,
            origin,
            std::is_integral_v<Value>,
            values,
            [] { return static_cast<double>(kPlace); },
            [](double value) { kPlace = static_cast<Value>(value); }};
}

constexpr Number kNumbers[] = {
#define NUMBER(type, name, value, values, unit, origin, source) \
    row<PLACE::name>(#name, unit, Origin::origin, numbers::values),
#define PLACE ir::target::given
#include "ir/numbers.def"
#undef PLACE
#define PLACE rewrite::target::given
#include "rewrite/numbers.def"
#undef PLACE
#define PLACE passes::target::given
#include "passes/numbers.def"
#undef PLACE
#define PLACE plan::target::given
#include "plan/numbers.def"
#undef PLACE
#define PLACE codegen::cpp::target::given
#include "codegen/cpp/numbers.def"
#undef PLACE
#undef NUMBER
};

std::string_view nameOf(Origin origin) {
    switch (origin) {
    case Origin::Measured: return "measured";
    case Origin::Bound: return "a bound";
    }
    return "";
}

/// Negative: it is none.
double valueOf(std::string_view text) {
    double value = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isRead = error == std::errc() && end == text.data() + text.size();
    return isRead && std::isfinite(value) ? value : -1;
}

bool isPowerOfTwo(double value) { return std::log2(value) == std::floor(std::log2(value)); }

/// "a whole number from 1 to 1,024".
std::string valuesOf(const Number& number) {
    const std::string largest = rules::numberText(number.values.largest);
    if (number.values.arePowersOfTwo) return "a power of two up to " + largest;
    return (number.isWhole ? "a whole number from 1 to " : "a number above 0, and up to ")
           + largest;
}

}  // namespace

std::vector<std::string> numberNames() {
    std::vector<std::string> names;
    for (const Number& number : kNumbers)
        names.emplace_back(number.name);
    return names;
}

std::string numberList() {
    std::string list;
    for (const Number& number : kNumbers)
        list += fmt::format("{:20}{:>12} {} ({})\n", number.name, rules::numberText(number.get()),
                            number.unit, nameOf(number.origin));
    list.pop_back();
    return list;
}

std::string setNumber(std::string_view word) {
    const std::size_t equals = word.find('=');
    const std::string name(word.substr(0, equals));
    const auto* const found = std::ranges::find(kNumbers, name, &Number::name);
    if (found == std::end(kNumbers))
        return fmt::format("unknown number '{}'{}", name,
                           didYouMean(name, numberNames(), "'--number help' lists them"));
    const std::string_view text =
        equals == std::string_view::npos ? std::string_view() : word.substr(equals + 1);
    const double value = valueOf(text);
    const bool isGood = value > 0 && value <= found->values.largest
                        && (!found->isWhole || value == std::floor(value))
                        && (!found->values.arePowersOfTwo || isPowerOfTwo(value));
    if (!isGood) return fmt::format("--number {} takes {}, not '{}'", name, valuesOf(*found), text);
    found->set(value);
    return {};
}

}  // namespace smec::driver
