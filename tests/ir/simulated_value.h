#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string>
#include <variant>

#include "ir/arithmetic.h"

/// Values of a design that is simulated: floats in operators, and texts, as `trace` and failures show
/// them.
namespace simulation {

using namespace smec::ir;

using Value = std::variant<Integer, double>;  // bools are 0 and 1

inline Value truth(bool b) { return Integer(b ? 1 : 0); }

inline Value rounded(ExprType type, double x) {
    return type == ExprType::F32 ? static_cast<double>(static_cast<float>(x)) : x;
}

inline Value floatOperation(BinaryOp op, ExprType type, double x, double y) {
    switch (op) {
    case BinaryOp::FAdd: return rounded(type, x + y);
    case BinaryOp::FSub: return rounded(type, x - y);
    case BinaryOp::FMul: return rounded(type, x * y);
    case BinaryOp::FDiv: return rounded(type, x / y);
    case BinaryOp::FLt: return truth(x < y);
    case BinaryOp::FLe: return truth(x <= y);
    case BinaryOp::FEq: return truth(x == y);
    case BinaryOp::FNe: return truth(x != y);
    default: throw std::runtime_error("float operator");
    }
}

inline Integer saturated(double x, std::uint32_t width, bool isSigned) {
    const Interval all = intervalOf(Scalar{ScalarKind::Int, isSigned, width});
    if (std::isnan(x)) return 0;
    if (std::isinf(x)) return x < 0 ? all.low : all.high;
    return std::clamp(Integer(std::trunc(x)), all.low, all.high);
}

inline std::string binaryDigits(const Integer& x) {
    std::string out;
    for (std::uint32_t i = std::max(1U, bitLength(x)); i-- > 0;)
        out += bit_test(x, i) ? '1' : '0';
    return out;
}

inline std::string floatDigits(double x, bool isSingle) {
    if (std::isnan(x)) return "nan";
    char buffer[64];
    char* end = isSingle ? std::to_chars(buffer, buffer + 64, static_cast<float>(x)).ptr
                         : std::to_chars(buffer, buffer + 64, x).ptr;
    std::string digits(buffer, end);
    if (digits.find_first_not_of("-0123456789") == std::string::npos) digits += ".0";
    return digits;
}

inline std::string memberName(const Enum& type, const Integer& value) {
    for (const EnumMember& member : type.members)
        if (member.value == value) return member.name;
    return value.str();
}

inline std::string integerDigits(const Integer& n, std::uint32_t bits, char radix) {
    if (radix == 'x') return wrapInteger(n, bits, false).str(0, std::ios_base::hex);
    if (radix == 'b') return binaryDigits(wrapInteger(n, bits, false));
    return n.str();
}

/// `spec`: ":08x" and the like, may be empty. Zeros stand after the sign.
inline std::string shown(const Value& value, const ArgFormat& format, const Design& design,
                         std::string spec) {
    if (!spec.empty()) spec.erase(0, 1);
    const bool hasWidth = spec.find_first_of("0123456789") != std::string::npos;
    const std::size_t width = hasWidth ? std::stoul(spec) : 0;
    std::string digits;
    if (const auto* x = std::get_if<double>(&value)) {
        digits = floatDigits(*x, format.type == ExprType::F32);
    } else {
        const Integer& n = std::get<Integer>(value);
        if (format.type == ExprType::Bool) return n != 0 ? "true" : "false";
        if (format.enumeration) return memberName(design.enums[*format.enumeration], n);
        digits = integerDigits(n, format.bits, spec.empty() ? 'd' : spec.back());
    }
    if (digits.size() >= width) return digits;
    if (spec[0] != '0') return std::string(width - digits.size(), ' ') + digits;
    return digits.insert(digits[0] == '-' ? 1 : 0, width - digits.size(), '0');
}

}  // namespace simulation
