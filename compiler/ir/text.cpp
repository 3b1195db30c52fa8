#include "ir/text.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "source/internal_error.h"

namespace smec::ir::text {

namespace {

/// What a name that is not quoted would be taken for.
constexpr std::string_view kWords[] = {
    "_",        "abs",     "bool",   "break", "call",   "case",  "check",  "continue", "copy",
    "cycle",    "default", "else",   "f32",   "f64",    "false", "fill",   "fmax",     "fmin",
    "for",      "if",      "int",    "loop",  "max",    "min",   "parity", "popcount", "return",
    "saturate", "seed",    "states", "stop",  "switch", "true",  "wrap"};

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDecimal(char c) { return c >= '0' && c <= '9'; }

/// "table3" is a table.
bool isTable(std::string_view text) {
    return text.starts_with("table") && text.size() > 5
           && std::all_of(text.begin() + 5, text.end(), isDecimal);
}

bool isBare(std::string_view text) {
    return !text.empty() && isLetter(text[0]) && text.back() != '.'
           && text.find("..") == std::string_view::npos
           && std::ranges::all_of(text,
                                  [](char c) { return isLetter(c) || isDecimal(c) || c == '.'; })
           && !std::ranges::binary_search(kWords, text) && !isTable(text);
}

}  // namespace

static_assert(std::ranges::is_sorted(kWords));

std::string_view of(BinaryOp op) {
    using enum BinaryOp;
    switch (op) {
    case Add: return "+";
    case Sub: return "-";
    case Mul: return "*";
    case Div: return "/";
    case Mod: return "%";
    case Shl: return "<<";
    case Shr: return ">>";
    case And: return "&";
    case Or: return "|";
    case Xor: return "^";
    case Min: return "min";
    case Max: return "max";
    case Lt: return "<";
    case Le: return "<=";
    case Eq: return "==";
    case Ne: return "!=";
    case BoolAnd: return "&&";
    case BoolOr: return "||";
    case BoolXor: return "^^";
    case BoolEq: return "<=>";
    case FAdd: return "+.";
    case FSub: return "-.";
    case FMul: return "*.";
    case FDiv: return "/.";
    case FLt: return "<.";
    case FLe: return "<=.";
    case FEq: return "==.";
    case FNe: return "!=.";
    case FMin: return "fmin";
    case FMax: return "fmax";
    }
    throw InternalError("an operator without a spelling");
}

std::string_view of(UnaryOp op) {
    using enum UnaryOp;
    switch (op) {
    case Neg: return "-";
    case BitNot: return "~";
    case Not: return "!";
    case FNeg: return "-.";
    case Abs: return "abs";
    case Popcount: return "popcount";
    case Parity: return "parity";
    }
    throw InternalError("an operator without a spelling");
}

std::vector<std::string_view> unaryWords() {
    std::vector<std::string_view> words;
    for (int i = 0; i <= static_cast<int>(UnaryOp::Parity); ++i)
        words.push_back(of(static_cast<UnaryOp>(i)));
    return words;
}

std::vector<std::string_view> binaryWords() {
    std::vector<std::string_view> words;
    for (int i = 0; i <= static_cast<int>(BinaryOp::FMax); ++i)
        words.push_back(of(static_cast<BinaryOp>(i)));
    return words;
}

std::string of(const Scalar& type) {
    switch (type.kind) {
    case ScalarKind::Bool: return "bool";
    case ScalarKind::F32: return "f32";
    case ScalarKind::F64: return "f64";
    case ScalarKind::Int: break;
    }
    return fmt::format("{}{}", type.isSigned ? 'i' : 'u', type.width);
}

std::string of(const StorageType& type) {
    return type.isArray() ? fmt::format("[{}]{}", type.length, of(type.scalar)) : of(type.scalar);
}

std::string of(double value) {
    if (!std::isfinite(value)) return fmt::format("{:#018x}", std::bit_cast<std::uint64_t>(value));
    std::string result = fmt::format("{}", value);
    if (result.find_first_of(".e") == std::string::npos) result += ".0";
    return result;
}

std::string of(const Constant& value) {
    if (const auto* integer = std::get_if<Integer>(&value.value)) return integer->str();
    return of(std::get<double>(value.value));
}

std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            (result += '\\') += c;
        else if (c == '\n')
            result += "\\n";
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        else
            result += c;
    }
    return result + '"';
}

std::string name(std::string_view text) { return isBare(text) ? std::string(text) : quoted(text); }

BodyNames namesOf(const Body& body, const Class* cls) {
    std::map<std::string_view, std::uint32_t> count, columns;
    for (const Local& local : body.locals)
        count[local.name] += local.kind != LocalKind::Temp;
    BodyNames names;
    for (std::size_t i = 0; i < body.locals.size(); ++i) {
        const Local& local = body.locals[i];
        const bool isAlone = local.kind != LocalKind::Temp && count[local.name] == 1;
        names.locals.push_back(name(local.name) + (isAlone ? "" : fmt::format("#{}", i)));
    }
    if (cls == nullptr) return names;
    for (const Input& input : cls->inputs)
        ++count[input.name];
    for (std::size_t i = 0; i < cls->inputs.size(); ++i) {
        const std::string& own = cls->inputs[i].name;
        names.inputs.push_back(name(own) + (count[own] == 1 ? "" : fmt::format("@{}", i)));
    }
    for (const Column& column : cls->columns)
        ++columns[column.name];
    for (std::size_t i = 0; i < cls->columns.size(); ++i) {
        const std::string& own = cls->columns[i].name;
        names.columns.push_back("$" + name(own) + (columns[own] == 1 ? "" : fmt::format("@{}", i)));
    }
    return names;
}

std::vector<std::string> functionNames(const std::vector<Function>& functions) {
    std::map<std::string_view, std::uint32_t> count;
    for (const Function& function : functions)
        ++count[function.name];
    std::vector<std::string> names;
    for (std::size_t i = 0; i < functions.size(); ++i) {
        const std::string& own = functions[i].name;
        names.push_back(name(own) + (count[own] == 1 ? "" : fmt::format("#{}", i)));
    }
    return names;
}

}  // namespace smec::ir::text
