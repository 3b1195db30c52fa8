#include <string_view>

#include <fmt/format.h>

#include "syntax/foreign_types.h"
#include "syntax/habit.h"

// Heads, parameters, fields and imports: the words are known, their order is not.

namespace smec::syntax {

namespace {

using P = grammar::SmeParser;

bool isUnit(std::uint16_t type) {
    return type == P::Proc || type == P::Network || type == P::Sync || type == P::Async
           || type == P::Sim || type == P::Import || type == P::From;
}

bool isHead(std::uint16_t type) {
    return type == P::Proc || type == P::Network || type == P::Sync || type == P::Async
           || type == P::Sim || type == P::Extern;
}

/// `network main {`
std::optional<Habit> head(const Slip& slip) {
    const std::size_t failed = slip.failed();
    const std::uint16_t type = slip.type(failed);
    if (failed < 2 || (type != P::LeftBrace && type != P::Semicolon)) return std::nullopt;
    const std::uint16_t word = slip.type(failed - 2);
    if ((word != P::Proc && word != P::Network) || !slip.isName(failed - 1)) return std::nullopt;
    return says(failed, failed,
                fmt::format("parentheses stand after the name, also with nothing in them; write "
                            "'{}() {{'",
                            slip.source(slip.head(), failed - 1)));
}

/// A process or an import within a process or a network. At the margin it is no nested one: then a
/// brace is missing before it.
std::optional<Habit> nested(const Slip& slip) {
    const std::size_t failed = slip.failed();
    const std::uint16_t type = slip.type(failed);
    const bool isInside = slip.isAtStart() && !slip.expects(P::Network);
    if (!isInside || !isUnit(type)) return std::nullopt;
    if (slip.beginsLine(failed) && slip.column(failed) == 0) return std::nullopt;
    const bool isImport = type == P::Import || type == P::From;
    const std::string_view what = isImport             ? "an import"
                                  : type == P::Network ? "a network"
                                                       : "a process";
    const std::string_view inside =
        slip.kind() == PieceKind::NetworkDeclaration ? "a network" : "a process";
    Habit habit =
        says(failed, failed,
             fmt::format("{} cannot stand in {}; {}", what, inside,
                         isImport ? "write it at the top of the file"
                                  : "declare it in front of it, and make instances of it"));
    const std::size_t open = slip.find(failed, {"{", ";"});
    if (open == Slip::npos) return habit;
    habit.after = slip.type(open) == P::Semicolon ? open + 1 : slip.afterBracket(open);
    return habit.after == Slip::npos ? std::nullopt : std::optional(habit);
}

// ---------------------------------------------------------------- parameters and fields

/// `input x`, `x: u8`: what a parameter starts with.
std::optional<Habit> parameterStart(const Slip& slip) {
    const std::size_t failed = slip.failed();
    const std::string_view word = slip.word(failed);
    if (!slip.expects(P::In) || !slip.expects(P::Out) || !slip.isName(failed)) return std::nullopt;
    if (word == "input") return lacks(slip, failed, failed, "write 'in', as in 'in x'");
    if (word == "output") return lacks(slip, failed, failed, "write 'out', as in 'out y'");
    if (word == "inout") return lacks(slip, failed, failed, "write an 'in' and an 'out' port");
    if (nativeType(word).empty())
        return says(
            failed, failed,
            fmt::format("a parameter starts with 'in', 'out' or 'const'; write 'in {}', 'out "
                        "{}' or 'const {}: u8'",
                        word, word, word));
    return says(failed, failed,
                fmt::format("a parameter starts with 'in', 'out' or 'const'; a value is "
                            "'const n: {}'",
                            nativeType(word)));
}

/// `in x[4]`, `in u8 x`
std::optional<Habit> port(const Slip& slip) {
    const std::size_t failed = slip.failed();
    const bool isPort = isHead(slip.type(slip.head())) && failed >= 2
                        && (slip.type(failed - 2) == P::In || slip.type(failed - 2) == P::Out);
    if (!isPort) return std::nullopt;
    const std::string_view direction = slip.word(failed - 2), before = slip.word(failed - 1);
    if (slip.type(failed) == P::LeftBracket) {
        const std::size_t after = slip.afterBracket(failed);
        const std::string size = after == Slip::npos ? "[n]" : slip.source(failed, after - 1);
        return says(
            failed, failed,
            fmt::format("the size stands first; write '{} {} {}'", size, direction, before));
    }
    if (!slip.isName(failed)) return std::nullopt;
    const std::string_view word = slip.word(failed);
    const bool isTypeFirst = !nativeType(before).empty();
    const std::string type = nativeType(isTypeFirst ? before : word);
    if (type.empty())
        return says(failed - 1, failed,
                    fmt::format("the name stands in front of its type; write '{} {}: {}'",
                                direction, word, before));
    return says(failed - 1, failed,
                fmt::format("a port is a bus; with 'type t: bus {{ v: {}; }};' write '{} {}: t'",
                            type, direction, isTypeFirst ? word : before));
}

std::optional<Habit> parameter(const Slip& slip) {
    const std::size_t failed = slip.failed();
    if (const auto start = parameterStart(slip)) return start;
    const bool isSeparated = isHead(slip.type(slip.head())) && slip.type(failed) == P::Semicolon
                             && slip.expects(P::RightParen)
                             && slip.find(failed + 1, {")"}) != Slip::npos;
    if (isSeparated) return says(failed, failed, "parameters are separated by ','");
    return port(slip);
}

/// `u8 x` or `x u8` where `x: u8` belongs.
std::optional<Habit> order(const Slip& slip) {
    const std::size_t failed = slip.failed();
    if (!slip.expects(P::Colon) || !slip.isName(failed) || failed == 0 || !slip.isName(failed - 1))
        return std::nullopt;
    if (slip.type(slip.head()) == P::Type || slip.expects(P::Plus) || slip.expects(P::LeftBrace))
        return std::nullopt;
    std::string name(slip.word(failed));
    std::string type = nativeType(slip.word(failed - 1));
    const std::string other = nativeType(name);
    if (type.empty() && !other.empty()) {
        name = slip.word(failed - 1);
        type = other;
    }
    if (type.empty()) type = slip.word(failed - 1);
    return says(failed - 1, failed,
                fmt::format("a name stands in front of its type; write '{}: {}'", name, type));
}

std::optional<Habit> withoutType(const Slip& slip) {
    const std::size_t failed = slip.failed();
    const std::uint16_t type = slip.type(failed);
    if (!slip.expects(P::Colon) || slip.expects(P::Plus) || failed == 0 || !slip.isName(failed - 1))
        return std::nullopt;
    const std::string_view name = slip.word(failed - 1);
    const std::uint16_t head = slip.type(slip.head());
    if (head == P::Var && type == P::Comma)
        return says(failed, failed, "each variable is declared by a 'var' of its own");
    if (head == P::Var && slip.kind() == PieceKind::NetworkDeclaration)
        return says(slip.head(), slip.head(),
                    "a network has no variables; an instance is 'instance a of NAME(b, c);'");
    if (head == P::Var && (type == P::Assign || type == P::Semicolon))
        return says(failed - 1, failed - 1,
                    fmt::format("a variable has a type; write 'var {}: u8{}'", name,
                                type == P::Assign ? " = ...;" : ";"));
    if (head == P::Func && (type == P::Comma || type == P::RightParen))
        return says(failed - 1, failed - 1,
                    fmt::format("a parameter has a type; write '{}: u8'", name));
    if (slip.head() + 1 == failed && type == P::Semicolon)
        return says(failed - 1, failed - 1,
                    fmt::format("a field has a type; write '{}: u8;'", name));
    return std::nullopt;
}

std::optional<Habit> separator(const Slip& slip) {
    const std::size_t failed = slip.failed();
    const bool isField = slip.type(slip.head() + 1) == P::Colon;
    if (slip.type(failed) == P::Comma && slip.expects(P::Semicolon) && isField)
        return says(failed, failed, "a field ends with ';', not with ','");
    if (slip.type(failed) == P::Semicolon && slip.expects(P::Comma) && slip.expects(P::RightBrace))
        return says(failed, failed, "members are separated by ','");
    return std::nullopt;
}

// ---------------------------------------------------------------- functions and buses

std::optional<Habit> function(const Slip& slip) {
    const std::size_t failed = slip.failed();
    if (!slip.expects(P::Colon) || slip.type(failed - 1) != P::RightParen
        || slip.type(slip.head()) != P::Func)
        return std::nullopt;
    if (slip.type(failed) == P::Minus && slip.type(failed + 1) == P::Greater)
        return lacks(slip, failed, failed + 1,
                     fmt::format("write ': {}' for the type of the result", slip.word(failed + 2)));
    if (slip.type(failed) == P::LeftBrace)
        return says(failed, failed,
                    "a function has a result; write its type after the parameters, as in ': u8'");
    return std::nullopt;
}

/// `proc p(in x): u8 {`, `proc p(in x) -> u8 {`, `proc p(in x): {`
std::optional<Habit> resultOfProcess(const Slip& slip) {
    const std::size_t failed = slip.failed();
    const std::uint16_t type = slip.type(failed);
    const bool isSign = type == P::Colon || slip.source(failed, failed + 1) == "->";
    if (!isSign || slip.kind() != PieceKind::ProcessDeclaration || !slip.isAtStart()
        || slip.type(failed - 1) != P::RightParen)
        return std::nullopt;
    if (slip.type(failed + 1) == P::LeftBrace)
        return says(failed, failed, "a block stands in '{' and '}', without a ':'");
    return says(failed, failed, "a process has no result; it writes to its 'out' buses");
}

std::optional<Habit> bus(const Slip& slip) {
    const std::size_t failed = slip.failed();
    if (slip.type(failed) == P::LeftBracket && slip.type(failed - 1) == P::Bus)
        return says(failed, failed, "the size stands after the name; write 'bus NAME[n] { ... };'");
    if (slip.type(slip.head()) != P::Bus) return std::nullopt;
    if (slip.type(failed) == P::LeftBrace && slip.type(failed - 1) == P::Colon)
        return says(failed - 1, failed - 1, "the fields of a bus stand directly after its name");
    if (slip.type(failed) == P::Semicolon && slip.expects(P::Colon) && slip.expects(P::LeftBrace))
        return says(
            failed, failed,
            fmt::format("a bus has fields; write 'bus {} {{ v: u8; }};', or 'bus {}: t;' of a "
                        "bus type t",
                        slip.word(failed - 1), slip.word(failed - 1)));
    return std::nullopt;
}

// ---------------------------------------------------------------- imports

std::optional<Habit> import(const Slip& slip) {
    const std::uint16_t head = slip.type(slip.head());
    if (head != P::Import && head != P::From) return std::nullopt;
    const std::size_t failed = slip.failed();
    switch (slip.type(failed)) {
    case P::String: {
        std::string_view file = slip.word(failed);
        file = file.substr(1, file.size() < 2 ? 0 : file.size() - 2);
        if (file.ends_with(".sme")) file.remove_suffix(4);
        std::string module(file.substr(0, 60));
        for (char& c : module)
            c = c == '/' ? '.' : c;
        return says(failed, failed,
                    fmt::format("a module is named without quotes; write 'import {};'", module));
    }
    case P::Slash: return says(failed, failed, "folders are separated by '.', as in 'std.fifo'");
    case P::Star:
        return says(failed, failed,
                    "an import names what it takes; write 'import std.fifo as fifo;' or 'from "
                    "std.fifo import fifo;'");
    case P::From: return says(failed, failed, "write 'from std.fifo import fifo;'");
    default: return std::nullopt;
    }
}

}  // namespace

std::optional<Habit> foreignStructure(const Slip& slip) {
    if (slip.failed() == 0) return std::nullopt;
    for (const auto& recognise : {nested, head, parameter, order, withoutType, separator, function,
                                  resultOfProcess, bus, import})
        if (std::optional<Habit> found = recognise(slip)) return found;
    return std::nullopt;
}

}  // namespace smec::syntax
