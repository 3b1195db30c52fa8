#include "driver/diff/trace_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

#include "formats/number_text.h"

namespace smec::driver {
namespace {

using Number = boost::multiprecision::cpp_int;

bool isBinary(std::string_view bits) {
    return !bits.empty() && bits.find_first_not_of("01") == std::string_view::npos;
}

std::optional<double> realOf(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isAll = end == text.data() + text.size();
    return error == std::errc() && isAll ? std::optional(value) : std::nullopt;
}

Number numberOfLimbs(const std::vector<std::uint64_t>& limbs) {
    Number number;
    import_bits(number, limbs.begin(), limbs.end(), 64, false);
    return number;
}

/// A number as simulators read it in a file of inputs, true or false.
std::optional<Number> numberOf(std::string_view text) {
    constexpr std::size_t kLongest = 140'000;  // of any value, with a '_' before each digit
    if (text.size() > kLongest) return std::nullopt;
    std::vector<std::uint64_t> limbs(text.size() / 16 + 2);  // four bits a letter
    if (sme::readNumberOrBool(text, limbs) != sme::NumberRead::Good) return std::nullopt;
    const Number number = numberOfLimbs(limbs);
    if (limbs.back() >> 63 == 0) return number;
    return Number(number - (Number(1) << static_cast<unsigned>(64 * limbs.size())));
}

Number numberOfBits(std::string_view bits) {
    std::vector<std::uint64_t> limbs(bits.size() / 64 + 1);
    for (std::size_t i = 0; i < bits.size(); ++i)
        if (bits[bits.size() - 1 - i] == '1') limbs[i / 64] |= std::uint64_t{1} << i % 64;
    return numberOfLimbs(limbs);
}

bool isSameText(std::string_view a, std::string_view b) {
    if (a == b) return true;
    const std::optional<Number> x = numberOf(a);
    return x && x == numberOf(b);
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

/// CSV has the shortest digits that are an f32, waves those of the f64 of the same value.
bool isSameReal(std::string_view a, std::string_view b) {
    const std::optional<double> x = realOf(a), y = realOf(b);
    if (!x || !y) return a == b;
    if (isSame(*x, *y)) return true;
    const float single = static_cast<float>(*x), other = static_cast<float>(*y);
    return isSingle(*x) != isSingle(*y) && isSame(single, other);
}

bool isReal(const TracedSignal& signal) { return signal.spelling == Spelling::Real; }

}  // namespace

std::string_view withoutZeros(std::string_view bits) {
    const std::size_t first = bits.find_first_not_of('0');
    return first == std::string_view::npos ? std::string_view("0") : bits.substr(first);
}

bool isSameValue(const TracedSignal& a, std::string_view valueOfA, const TracedSignal& b,
                 std::string_view valueOfB) {
    if (valueOfA == valueOfB && a.spelling == b.spelling) return true;
    if (isReal(a) || isReal(b)) return isSameReal(valueOfA, valueOfB);
    if (a.spelling == Spelling::Bits && b.spelling == Spelling::Bits)
        return withoutZeros(valueOfA) == withoutZeros(valueOfB);
    if (a.spelling == Spelling::Bits) return isTextOfBits(valueOfB, valueOfA, a.width);
    if (b.spelling == Spelling::Bits) return isTextOfBits(valueOfA, valueOfB, b.width);
    return isSameText(valueOfA, valueOfB);
}

std::string shownValue(const TracedSignal& signal, std::string_view value) {
    if (signal.spelling != Spelling::Bits || !isBinary(value)) return std::string(value);
    constexpr std::size_t kWidestDecimal = 8'192;
    const bool isHex = value.size() > kWidestDecimal;
    return isHex ? "0x" + numberOfBits(value).str(0, std::ios::hex) : numberOfBits(value).str();
}

}  // namespace smec::driver
