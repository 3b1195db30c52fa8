#include "driver/verilog/scan/constants.h"

#include <array>
#include <cctype>

namespace smec::driver::scan {
namespace {

constexpr int kDeepestExpression = 60;
constexpr std::int64_t kMost = std::int64_t{1} << 62;

int digitOf(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

unsigned shiftOf(char base) {
    switch (base | 0x20) {
    case 'b': return 1;
    case 'o': return 3;
    case 'h': return 4;
    default: return 0;
    }
}

void takeDigits(std::string_view digits, unsigned shift, Literal& literal) {
    literal.known = ~std::uint64_t{0};
    for (const char c : digits) {
        const char lower = static_cast<char>(c | 0x20);
        const bool isX = lower == 'x', isZ = lower == 'z' || c == '?';
        literal.hasX |= isX;
        literal.hasZ |= isZ;
        const int digit = isX || isZ ? 0 : digitOf(c);
        if (digit < 0) continue;
        const std::uint64_t before = literal.value;
        if (shift == 0) {
            literal.value = before * 10 + static_cast<std::uint64_t>(digit);
            literal.isLarge |= before > (std::uint64_t{1} << 59);
        } else {
            literal.value = before << shift | static_cast<std::uint64_t>(digit);
            literal.known = literal.known << shift | (isX || isZ ? 0 : (1u << shift) - 1);
            literal.isLarge |= before >> (63 - shift) != 0;
        }
    }
}

int precedenceOf(std::string_view sign) {
    static constexpr std::array<std::pair<std::string_view, int>, 27> kTable{
        {{"||", 1}, {"&&", 2}, {"|", 3},   {"^", 4},   {"~^", 4},  {"^~", 4}, {"&", 5},
         {"==", 6}, {"!=", 6}, {"===", 6}, {"!==", 6}, {"<", 7},   {"<=", 7}, {">", 7},
         {">=", 7}, {"<<", 8}, {">>", 8},  {"<<<", 8}, {">>>", 8}, {"+", 9},  {"-", 9},
         {"*", 10}, {"/", 10}, {"%", 10},  {"**", 11}, {"->", 0},  {"?", 0}}};
    for (const auto& [text, precedence] : kTable)
        if (text == sign) return precedence;
    return 0;
}

using Value = std::optional<std::int64_t>;
__extension__ typedef __int128 Wide;

Value kept(Wide value) {
    if (value >= kMost || value <= -kMost) return std::nullopt;
    return static_cast<std::int64_t>(value);
}

Value power(std::int64_t base, std::int64_t exponent) {
    if (exponent < 0 || exponent > 62) return std::nullopt;
    Value result = 1;
    for (; exponent > 0 && result; --exponent)
        result = kept(static_cast<Wide>(*result) * base);
    return result;
}

Value shifted(std::int64_t a, std::int64_t by, bool isLeft) {
    if (by < 0) return std::nullopt;
    if (!isLeft) return by > 62 ? (a < 0 ? -1 : 0) : a >> by;
    return by > 62 ? std::nullopt : kept(static_cast<Wide>(a) * (static_cast<Wide>(1) << by));
}

Value compared(std::string_view sign, std::int64_t a, std::int64_t b) {
    if (sign == "==" || sign == "===") return a == b;
    if (sign == "!=" || sign == "!==") return a != b;
    if (sign == "<") return a < b;
    if (sign == "<=") return a <= b;
    if (sign == ">") return a > b;
    return a >= b;
}

Value combined(std::string_view sign, std::int64_t a, std::int64_t b) {
    if (sign == "+") return kept(static_cast<Wide>(a) + b);
    if (sign == "-") return kept(static_cast<Wide>(a) - b);
    if (sign == "*") return kept(static_cast<Wide>(a) * b);
    if (sign == "/") return b == 0 ? std::nullopt : Value(a / b);
    if (sign == "%") return b == 0 ? std::nullopt : Value(a % b);
    if (sign == "**") return power(a, b);
    if (sign == "&") return a & b;
    if (sign == "|") return a | b;
    if (sign == "^") return a ^ b;
    if (sign == "~^" || sign == "^~") return ~(a ^ b);
    if (sign == "&&") return a != 0 && b != 0;
    if (sign == "||") return a != 0 || b != 0;
    if (sign.starts_with("<<") || sign.starts_with(">>")) return shifted(a, b, sign[0] == '<');
    return compared(sign, a, b);
}

/// Every operand is read, so that a part that is not known ends it all.
class Evaluation {
public:
    Evaluation(const Tokens& tokens, Span span, const ValueOf& valueOf)
        : tokens_(tokens), at_(span.begin), end_(span.end), valueOf_(valueOf) {}

    Value run() {
        const Value value = choice(0);
        return at_ == end_ ? value : std::nullopt;
    }

private:
    bool is(std::string_view what) const { return at_ < end_ && tokens_[at_].is(what); }
    bool take(std::string_view what) {
        if (!is(what)) return false;
        ++at_;
        return true;
    }

    Value choice(int depth) {
        if (depth > kDeepestExpression) return std::nullopt;
        const Value condition = binary(1, depth + 1);
        if (!condition || !take("?")) return condition;
        const Value yes = choice(depth + 1);
        if (!take(":")) return std::nullopt;
        const Value no = choice(depth + 1);
        return *condition != 0 ? yes : no;
    }

    Value binary(int least, int depth) {
        Value left = unary(depth + 1);
        while (left && at_ < end_) {
            const std::string_view sign = tokens_[at_].text;
            const int precedence = tokens_[at_].kind == TokenKind::Sign ? precedenceOf(sign) : 0;
            if (precedence == 0 || precedence < least) break;
            ++at_;
            const Value right = binary(precedence + 1, depth + 1);
            left = right ? combined(sign, *left, *right) : std::nullopt;
        }
        return left;
    }

    Value unary(int depth) {
        if (depth > kDeepestExpression) return std::nullopt;
        if (take("+")) return unary(depth + 1);
        if (take("-")) {
            const Value value = unary(depth + 1);
            return value ? Value(-*value) : value;
        }
        if (take("!")) {
            const Value value = unary(depth + 1);
            return value ? Value(*value == 0) : value;
        }
        if (take("~")) {
            const Value value = unary(depth + 1);
            return value ? Value(~*value) : value;
        }
        return primary(depth);
    }

    Value primary(int depth) {
        if (at_ >= end_) return std::nullopt;
        if (take("(")) {
            const Value value = choice(depth + 1);
            return take(")") ? value : std::nullopt;
        }
        const Token& t = tokens_[at_++];
        if (t.isNumber()) {
            const Literal literal = literalOf(t.text);
            if (literal.isReal || literal.isLarge || literal.hasX || literal.hasZ
                || literal.value >= static_cast<std::uint64_t>(kMost))
                return std::nullopt;
            return static_cast<std::int64_t>(literal.value);
        }
        if (t.is("$clog2") && take("(")) return logarithm(depth);
        if (!t.isName() || is("[") || is("(") || is(".") || is("::")) return std::nullopt;
        return valueOf_(t.text);
    }

    Value logarithm(int depth) {
        const Value value = choice(depth + 1);
        if (!take(")") || !value) return std::nullopt;
        std::int64_t bits = 0;
        while (bits < 62 && (std::int64_t{1} << bits) < *value)
            ++bits;
        return bits;
    }

    const Tokens& tokens_;
    std::uint32_t at_;
    const std::uint32_t end_;
    const ValueOf& valueOf_;
};

}  // namespace

Literal literalOf(std::string_view text) {
    Literal literal;
    const std::size_t tick = text.find('\'');
    if (tick == std::string_view::npos) {
        literal.isSigned = true;
        const bool isWhole = text.find_first_not_of("0123456789_") == std::string_view::npos;
        literal.isReal = !isWhole;
        if (isWhole) takeDigits(text, 0, literal);
        return literal;
    }
    if (tick > 0) {
        Literal size;
        takeDigits(text.substr(0, tick), 0, size);
        literal.size = static_cast<std::uint32_t>(size.value & 0x7fffffff);
    }
    std::string_view rest = text.substr(tick + 1);
    if (!rest.empty() && (rest[0] | 0x20) == 's') {
        literal.isSigned = true;
        rest.remove_prefix(1);
    }
    if (rest.empty()) return literal;
    if (digitOf(rest[0]) == 0 || digitOf(rest[0]) == 1 || (rest[0] | 0x20) == 'x'
        || (rest[0] | 0x20) == 'z') {
        takeDigits(rest.substr(0, 1), 1, literal);  // '0 and '1: all bits of what is around
        literal.size = 0;
        return literal;
    }
    literal.hasBase = true;
    takeDigits(rest.substr(1), shiftOf(rest[0]), literal);
    return literal;
}

std::optional<std::int64_t> evaluate(const Tokens& tokens, Span span, const ValueOf& valueOf) {
    if (span.empty()) return std::nullopt;
    return Evaluation(tokens, span, valueOf).run();
}

}  // namespace smec::driver::scan
