#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "hir/value.h"
#include "source/overloaded.h"

// Text of values, as trace shows them.
//   {}     12   true   RUN   2.0   [1, 2]   (x: 1, y: 2)
//   {:04x} 000c        negative: two's complement of the operand type, so -1 of an i8 is 00ff
//   {:c}   A           one byte

namespace smec::hir {

namespace {

constexpr std::uint32_t kMaxWidth = 100'000;

template <typename Float>
std::string floatText(Float value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    char buffer[64];
    auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    std::string text(buffer, end);
    if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
    return text;
}

std::string binaryText(const Integer& value) {
    std::string text;
    for (std::uint32_t bit = bitsFor(value); bit-- > 0;)
        text += bit_test(value, bit) ? '1' : '0';
    return text;
}

/// A negative number in two's complement, as wide as its operand type or, if that is too narrow, as
/// it needs.
Integer pattern(const Integer& value, std::uint32_t operandWidth) {
    if (value >= 0) return value;
    return wrap(value, std::max(operandWidth, bitsFor(value)), false);
}

std::string integerText(const Integer& value, std::uint32_t operandWidth, const FormatSpec& spec) {
    switch (spec.radix) {
    case 'x': return pattern(value, operandWidth).str(0, std::ios_base::hex);
    case 'b': return binaryText(pattern(value, operandWidth));
    case 'c':
        return std::string(1, static_cast<char>(wrap(value, 8, false).convert_to<unsigned>()));
    default: return value.str();
    }
}

/// Zeros go after the sign.
std::string pad(std::string text, const FormatSpec& spec) {
    if (text.size() >= spec.width) return text;
    std::size_t missing = spec.width - text.size();
    if (!spec.zero) return std::string(missing, ' ') + text;
    text.insert(text.starts_with('-') ? 1 : 0, missing, '0');
    return text;
}

std::string enumText(const EnumType& type, const Value& value) {
    const EnumMember* member = type.memberOf(value.integer());
    return member ? member->name : value.integer().str();
}

std::uint32_t leafWidth(const TypeTable& types, TypeId type) {
    const IntType* integer = types.as<IntType>(type);
    return integer ? integer->width : 1;
}

struct Formatter {
    const TypeTable& types;
    std::uint32_t operandWidth;
    const Value& value;
    const FormatSpec& spec;

    std::string operator()(const ErrorType&) const { return "?"; }
    std::string operator()(const BoolType&) const { return value.boolean() ? "true" : "false"; }
    std::string operator()(const IntType&) const {
        return pad(integerText(value.integer(), operandWidth, spec), spec);
    }
    std::string operator()(const FloatType& type) const {
        return pad(type.width == 32 ? floatText(std::get<float>(value.data))
                                    : floatText(std::get<double>(value.data)),
                   spec);
    }
    std::string operator()(const StringType&) const { return std::get<std::string>(value.data); }
    std::string operator()(const EnumType& type) const { return enumText(type, value); }
    std::string operator()(const ArrayType& type) const {
        std::string text = "[";
        for (const Value& element : value.list()) {
            if (text.size() > 1) text += ", ";
            text += format(types, type.element, leafWidth(types, type.element), element, spec);
        }
        return text + "]";
    }
    std::string operator()(const StructType& type) const {
        std::string text = "(";
        for (std::size_t i = 0; i < type.members.size(); ++i) {
            if (i != 0) text += ", ";
            const StructMember& member = type.members[i];
            text +=
                member.name + ": "
                + format(types, member.type, leafWidth(types, member.type), value.list()[i], spec);
        }
        return text + ")";
    }
};

std::string notAPlaceholder(std::string_view text) {
    return fmt::format(
        "'{{{}}}' is not a placeholder; write {{}}, {{:[0][width][d|x|b]}} or {{:c}}", text);
}

/// `{x}`, `{0:x}`, `{name}`
std::string meantPlaceholder(std::string_view text) {
    const std::size_t colon = text.find(':');
    const std::string_view form = colon == std::string_view::npos ? text : text.substr(colon + 1);
    if (form == "d" || form == "x" || form == "b")
        return fmt::format("'{{{}}}' is not a placeholder; write {{:{}}}", text, form);
    const bool isName = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz"
                                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.[]")
                        == std::string_view::npos;
    if (isName && (text.front() > '9' || text.front() < '0'))
        return fmt::format("'{{{0}}}' is not a placeholder; write {{}} and ', {0}' after the text",
                           text);
    return notAPlaceholder(text);
}

/// `text` is what stands between the braces.
std::optional<FormatSpec> parseSpec(std::string_view text, std::string& error) {
    FormatSpec spec;
    if (text.empty()) return spec;
    if (text.front() != ':') {
        error = meantPlaceholder(text);
        return std::nullopt;
    }
    std::string_view rest = text.substr(1);
    if (rest.starts_with('0')) {
        spec.zero = true;
        rest.remove_prefix(1);
    }
    while (!rest.empty() && rest.front() >= '0' && rest.front() <= '9') {
        spec.width = std::min<std::uint32_t>(
            spec.width * 10 + static_cast<std::uint32_t>(rest.front() - '0'), kMaxWidth + 1);
        rest.remove_prefix(1);
    }
    if (spec.width > kMaxWidth) {
        error = fmt::format("width of '{{{}}}' is over {}", text, kMaxWidth);
        return std::nullopt;
    }
    if (rest == "d" || rest == "x" || rest == "b" || text == ":c")
        spec.radix = rest.front();
    else if (!rest.empty()) {
        error = rest == "c"
                    ? fmt::format("'{{{}}}' has a width; a character is one byte: {{:c}}", text)
                    : notAPlaceholder(text);
        return std::nullopt;
    }
    return spec;
}

}  // namespace

std::string format(const TypeTable& types, TypeId type, std::uint32_t operandWidth,
                   const Value& value, const FormatSpec& spec) {
    if (!value.valid()) return "?";
    return smec::visit(Formatter{types, operandWidth, value, spec}, types[type]);
}

std::string toString(const TypeTable& types, TypeId type, const Value& value) {
    return format(types, type, leafWidth(types, type), value, FormatSpec{});
}

std::optional<ParsedFormat> parseFormat(std::string_view text, std::string& error) {
    ParsedFormat result;
    result.pieces.emplace_back();
    for (std::size_t at = 0; at < text.size(); ++at) {
        char c = text[at];
        bool isDoubled = at + 1 < text.size() && text[at + 1] == c;
        if (c != '{' && c != '}') {
            result.pieces.back() += c;
        } else if (isDoubled) {
            result.pieces.back() += c;
            ++at;
        } else if (c == '}') {
            error = "'}' without '{'; write '}}' for a brace";
            return std::nullopt;
        } else {
            std::size_t close = text.find('}', at);
            if (close == std::string_view::npos) {
                error = "'{' without '}'; write '{{' for a brace";
                return std::nullopt;
            }
            std::optional<FormatSpec> spec = parseSpec(text.substr(at + 1, close - at - 1), error);
            if (!spec) return std::nullopt;
            result.specs.push_back(*spec);
            result.pieces.emplace_back();
            at = close;
        }
    }
    return result;
}

}  // namespace smec::hir
