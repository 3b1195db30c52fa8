#include "ast/spelling.h"

#include <array>
#include <charconv>

namespace smec::ast {

std::string_view spelling(UnaryOp op) {
    switch (op) {
    case UnaryOp::Plus: return "+";
    case UnaryOp::Minus: return "-";
    case UnaryOp::Not: return "!";
    case UnaryOp::Complement: return "~";
    }
    return "?";
}

std::string_view spelling(BinaryOp op) {
    switch (op) {
    case BinaryOp::Mul: return "*";
    case BinaryOp::Div: return "/";
    case BinaryOp::Mod: return "%";
    case BinaryOp::Add: return "+";
    case BinaryOp::Sub: return "-";
    case BinaryOp::Shl: return "<<";
    case BinaryOp::Shr: return ">>";
    case BinaryOp::Lt: return "<";
    case BinaryOp::Gt: return ">";
    case BinaryOp::Le: return "<=";
    case BinaryOp::Ge: return ">=";
    case BinaryOp::Eq: return "==";
    case BinaryOp::Ne: return "!=";
    case BinaryOp::And: return "&";
    case BinaryOp::Xor: return "^";
    case BinaryOp::Or: return "|";
    case BinaryOp::LogicalAnd: return "&&";
    case BinaryOp::LogicalOr: return "||";
    }
    return "?";
}

std::string_view spelling(LoopDirection direction) {
    switch (direction) {
    case LoopDirection::To: return "to";
    case LoopDirection::Downto: return "downto";
    case LoopDirection::Until: return "until";
    }
    return "";
}

std::string_view spelling(ParamKind kind) {
    switch (kind) {
    case ParamKind::In: return "in";
    case ParamKind::Out: return "out";
    case ParamKind::Const: return "const";
    }
    return "";
}

std::string_view spelling(ProcKind kind) {
    switch (kind) {
    case ProcKind::Clocked: return "";
    case ProcKind::Combinational: return "async";
    case ProcKind::Simulation: return "sim";
    }
    return "";
}

namespace {

std::string between(std::string_view text, char quote) {
    std::string out(1, quote);
    for (char c : text) {
        if (c == quote || c == '\\') out += '\\';
        if (c == '\n')
            out += "\\n";
        else if (c == '\t')
            out += "\\t";
        else
            out += c;
    }
    return out + quote;
}

}  // namespace

std::string stringText(std::string_view text) { return between(text, '"'); }
std::string characterText(std::uint8_t value) {
    return between(std::string(1, static_cast<char>(value)), '\'');
}

std::string floatText(double value) {
    std::array<char, 32> buffer{};
    auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    std::string out(buffer.data(), result.ptr);
    if (out.find_first_of(".e") == std::string::npos) out += ".0";
    return out;
}

std::string joined(const std::vector<Identifier>& path, std::string_view separator) {
    std::string out;
    for (const Identifier& part : path) {
        if (!out.empty()) out += separator;
        out += part.text;
    }
    return out;
}

}  // namespace smec::ast
