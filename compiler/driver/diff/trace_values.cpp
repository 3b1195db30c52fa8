#include "driver/diff/trace_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <boost/multiprecision/cpp_int.hpp>
#include <fmt/format.h>

namespace smec::driver {
namespace {

using Number = boost::multiprecision::cpp_int;

std::string_view withoutZeros(std::string_view bits) {
    const std::size_t first = bits.find_first_not_of('0');
    return first == std::string_view::npos ? std::string_view("0") : bits.substr(first);
}

bool isBinary(std::string_view bits) {
    return !bits.empty() && bits.find_first_not_of("01") == std::string_view::npos;
}

std::optional<double> realOf(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isAll = end == text.data() + text.size();
    return error == std::errc() && isAll ? std::optional(value) : std::nullopt;
}

/// An integer in decimal digits, true or false.
std::optional<Number> numberOf(std::string_view text) {
    if (text == "true") return Number(1);
    if (text == "false") return Number(0);
    const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos)
        return std::nullopt;
    Number number(std::string(withoutZeros(digits)));  // a zero in front would mean octal
    return digits.size() < text.size() ? Number(-number) : number;
}

Number numberOfBits(std::string_view bits) {
    Number number = 0;
    for (const char bit : bits)
        number = (number << 1) + (bit - '0');
    return number;
}

bool isTextOfBits(std::string_view text, std::string_view bits, std::uint32_t width) {
    std::optional<Number> number = numberOf(text);
    if (!number || !isBinary(bits)) return text == bits;
    if (*number < 0) *number += Number(1) << width;
    return *number == numberOfBits(bits);
}

bool isSame(double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return a == b && std::signbit(a) == std::signbit(b);
}

bool isSingle(double value) { return static_cast<double>(static_cast<float>(value)) == value; }

std::string inShort(double value) { return fmt::format("{:.16g}", value); }

/// CSV has the shortest digits that are an f32, waves those of the f64 of the same value.
bool isSameReal(std::string_view a, std::string_view b, bool isShort) {
    const std::optional<double> x = realOf(a), y = realOf(b);
    if (!x || !y) return a == b;
    if (isSame(*x, *y)) return true;
    const float single = static_cast<float>(*x), other = static_cast<float>(*y);
    if (isShort)
        return inShort(*x) == inShort(*y) || inShort(single) == inShort(*y)
               || inShort(*x) == inShort(other);
    return isSingle(*x) != isSingle(*y) && isSame(single, other);
}

bool isReal(const TracedSignal& signal) {
    return signal.spelling == Spelling::Real || signal.spelling == Spelling::ShortReal;
}

}  // namespace

bool isSameValue(const TracedSignal& a, std::string_view valueOfA, const TracedSignal& b,
                 std::string_view valueOfB) {
    if (valueOfA == valueOfB && a.spelling == b.spelling) return true;
    if (isReal(a) || isReal(b)) {
        const bool isShort = a.spelling == Spelling::ShortReal || b.spelling == Spelling::ShortReal;
        return isSameReal(valueOfA, valueOfB, isShort);
    }
    if (a.spelling == Spelling::Bits && b.spelling == Spelling::Bits)
        return withoutZeros(valueOfA) == withoutZeros(valueOfB);
    if (a.spelling == Spelling::Bits) return isTextOfBits(valueOfB, valueOfA, a.width);
    return b.spelling == Spelling::Bits && isTextOfBits(valueOfA, valueOfB, b.width);
}

std::string shownValue(const TracedSignal& signal, std::string_view value) {
    if (signal.spelling != Spelling::Bits || !isBinary(value)) return std::string(value);
    return numberOfBits(value).str();
}

}  // namespace smec::driver
