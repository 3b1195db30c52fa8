#include "codegen/cpp/print/value.h"

#include <cmath>

#include <fmt/format.h>

#include "ir/arithmetic.h"

namespace smec::codegen::cpp {
namespace {

std::uint64_t limb(const ir::Integer& pattern, std::uint32_t index) {
    return static_cast<std::uint64_t>((pattern >> (64 * index)) & ir::Integer(UINT64_MAX));
}

constexpr std::uint32_t kNamedBits = 1024;  // sme/wide.h has a short name for words up to here
constexpr std::uint32_t kShortLimbs = 4;

/// A number of more than 128 bits whose top bit is 0: small ones as such, long ones with one
/// stretch of ones by its ends.
std::string literalOfMagnitude(const ir::Integer& value, const std::string& type) {
    const std::uint32_t used = ir::bitLength(value);
    if (used <= 64) return fmt::format("{}({}u{})", type, limb(value, 0), used > 32 ? "l" : "");
    if (used > 64 * kShortLimbs) {
        const auto low = static_cast<std::uint32_t>(boost::multiprecision::lsb(value));
        if (value == ir::powerOfTwo(used) - ir::powerOfTwo(low))
            return low == 0 ? fmt::format("{}::ones({})", type, used)
                            : fmt::format("{}::ones({}, {})", type, used, low);
    }
    std::string limbs;
    for (std::uint32_t i = 0; 64 * i < used; ++i)
        limbs += fmt::format("{}0x{:x}u", i == 0 ? "" : ", ", limb(value, i));
    return type + "::of({" + limbs + "})";
}

std::string literalOfLimbs(const ir::Integer& value, const Word& word) {
    const ir::Integer pattern = ir::wrapInteger(value, word.bits, false);
    if (word.bits == 128) {
        const std::string text =
            fmt::format("sme::word128(0x{:x}u, 0x{:x}u)", limb(pattern, 1), limb(pattern, 0));
        return word.isSigned ? "i128(" + text + ")" : text;
    }
    const bool isInverted = bit_test(pattern, word.bits - 1);
    const ir::Integer shown =
        isInverted ? ir::Integer(ir::powerOfTwo(word.bits) - 1 - pattern) : pattern;
    return (isInverted ? "~" : "") + literalOfMagnitude(shown, nameOf(word));
}

bool isPlainLiteral(const std::string& literal) {
    return literal.front() != '-' && literal.front() != '~';
}

/// Of 8 to 64 bits.
std::string literalOfWord(const ir::Integer& value, const Word& word) {
    const ir::Integer wrapped = ir::wrapInteger(value, word.bits, word.isSigned);
    if (!word.isSigned) {
        const char* suffix = word.bits == 64 ? "ul" : word.bits == 32 ? "u" : "";
        return wrapped.str() + suffix;
    }
    const char* suffix = word.bits == 64 ? "l" : "";
    if (word.bits >= 32 && wrapped == -ir::powerOfTwo(word.bits - 1)) {
        return fmt::format("({}{} - 1)", ir::Integer(wrapped + 1).str(), suffix);
    }
    return wrapped.str() + suffix;
}

}  // namespace

std::string nameOf(const Word& word) {
    switch (word.kind) {
    case WordKind::Bool: return "bool";
    case WordKind::F32: return "f32";
    case WordKind::F64: return "f64";
    case WordKind::Int: break;
    }
    if (word.bits > kNamedBits)
        return fmt::format("sme::{}<{}>", word.isSigned ? "Signed" : "Unsigned", word.bits);
    return fmt::format("{}{}", word.isSigned ? 'i' : 'u', word.bits);
}

Value Value::ofInteger(const ir::Integer& value) {
    Value result;
    result.constant = value;
    result.type = wordFor(extentOf({value, value}));
    result.text = literal(value, result.type);
    result.isAtom = isPlainLiteral(result.text);
    return result;
}

std::string Value::operand() const { return isAtom ? text : "(" + text + ")"; }

std::string literal(const ir::Integer& value, const Word& word) {
    if (word.kind == WordKind::Bool) return value != 0 ? "true" : "false";
    if (word.kind != WordKind::Int) return literal(value.convert_to<double>(), word);
    return word.bits >= 128 || word.bits > 64 ? literalOfLimbs(value, word)
                                              : literalOfWord(value, word);
}

std::string literal(double value, const Word& word) {
    const bool isSingle = word.kind == WordKind::F32;
    if (std::isnan(value))
        return fmt::format("sme::canonical({}(__builtin_nan(\"\")))", nameOf(word));
    if (std::isinf(value))
        return fmt::format("{}{}(__builtin_inf())", value < 0 ? "-" : "", nameOf(word));
    std::string text =
        isSingle ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return isSingle ? text + "f" : text;
}

std::string literal(const ir::Constant& constant, const ir::Scalar& scalar) {
    const Word word = variableWord(scalar);
    if (const auto* number = std::get_if<double>(&constant.value)) return literal(*number, word);
    return literal(std::get<ir::Integer>(constant.value), word);
}

Value convert(const Value& value, const Word& to) {
    if (value.constant) {
        Value result = value;
        result.text = literal(*value.constant, to);
        result.type = to;
        result.isAtom = isPlainLiteral(result.text);
        return result;
    }
    if (value.type == to) return value;
    Value result;
    result.type = to;
    // g++ takes `u32(array[call()])` for the declaration of a parameter; `u32(+array[call()])` not.
    const bool isDeclarator = value.text.ends_with(']') && value.text.find('(') != std::string::npos
                              && value.type.isInt() && value.type.bits <= 128;
    result.text = to.kind == WordKind::Bool
                      ? value.operand() + " != 0"
                      : fmt::format("{}({}{})", nameOf(to), isDeclarator ? "+" : "", value.text);
    result.isAtom = to.kind != WordKind::Bool;
    return result;
}

Value settle(const Value& value, const Word& to) {
    return value.constant ? convert(value, to) : value;
}

}  // namespace smec::codegen::cpp
