#include "rtl/names.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "netlist/netlist.h"

namespace smec::rtl {
namespace {

/// Words of the language that cannot be names, and functions that printed code calls.
constexpr std::array kWords = std::to_array<std::string_view>(
    {"U",        "abs",    "all",    "any",    "as",       "assert", "async",  "barrier", "bool",
     "break",    "bus",    "case",   "cat",    "clog2",    "const",  "cycle",  "default", "elif",
     "else",     "enum",   "f32",    "f64",    "false",    "file",   "for",    "from",    "func",
     "generate", "if",     "import", "in",     "instance", "int",    "len",    "max",     "min",
     "network",  "of",     "out",    "parity", "popcount", "proc",   "random", "range",   "rep",
     "return",   "switch", "sync",   "to",     "trace",    "true",   "uint",   "var",     "while"});

bool isDigits(std::string_view text) {
    return !text.empty()
           && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c); });
}

bool isReserved(std::string_view name) {
    if (std::ranges::find(kWords, name) != kWords.end()) return true;
    if (name.starts_with("wire") && (name.size() == 4 || isDigits(name.substr(4)))) return true;
    if (name.starts_with("wire_i") && isDigits(name.substr(6))) return true;
    return (name[0] == 'u' || name[0] == 'i') && isDigits(name.substr(1));
}

/// "s32'00…0100" as "4".
std::string parameterValue(std::string_view value) {
    const std::size_t quote = value.find('\'');
    if (quote == std::string_view::npos) return std::string(value);
    const std::string_view digits = value.substr(quote + 1);
    if (digits.size() > 64 || digits.find_first_not_of("01") != std::string_view::npos)
        return std::string(digits);
    return fmt::format("{}", netlist::numberOf(digits));
}

/// "$paramod\fifo\DEPTH=s32'…" as "fifo_DEPTH_4", "$paramod$1234…\fifo" as "fifo_1234…".
std::string ofParameters(std::string_view name) {
    name.remove_prefix(std::string_view("$paramod").size());
    std::string hash;
    if (name.starts_with('$')) {
        const std::size_t end = std::min(name.find('\\'), name.size());
        hash = "_" + std::string(name.substr(1, std::min<std::size_t>(end - 1, 8)));
        name.remove_prefix(end);
    }
    std::string text;
    while (!name.empty()) {
        name.remove_prefix(name[0] == '\\' ? 1 : 0);
        const std::size_t end = std::min(name.find('\\'), name.size());
        const std::string_view part = name.substr(0, end);
        const std::size_t equals = part.find('=');
        if (!text.empty()) text += '_';
        text += part.substr(0, equals);
        if (equals != std::string_view::npos) text += "_" + parameterValue(part.substr(equals + 1));
        name.remove_prefix(end);
    }
    return text + hash;
}

}  // namespace

std::string spelled(std::string_view verilog) {
    const std::string readable =
        verilog.starts_with("$paramod") ? ofParameters(verilog) : std::string(verilog);
    std::string name;
    for (const char c : readable) {
        const bool isPlain = std::isalnum(static_cast<unsigned char>(c)) != 0;
        if (isPlain)
            name += c;
        else if (!name.empty() && name.back() != '_')
            name += '_';
        else if (name.empty() && c == '_')
            name += c;
    }
    while (name.size() > 1 && name.back() == '_')
        name.pop_back();
    if (name.empty() || name == "_") name = "n";
    if (std::isdigit(static_cast<unsigned char>(name[0]))) name.insert(0, "n");
    if (isReserved(name)) name += "_v";
    return name;
}

std::string Names::take(std::string_view wanted) {
    std::string name = spelled(wanted);
    if (taken_.insert(name).second) return name;
    for (unsigned& number = last_.try_emplace(name, 1).first->second;;) {
        std::string next = fmt::format("{}_{}", name, ++number);
        if (taken_.insert(next).second) return next;
    }
}

}  // namespace smec::rtl
