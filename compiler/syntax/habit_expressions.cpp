#include <string_view>

#include <fmt/format.h>

#include "syntax/foreign_types.h"
#include "syntax/habit.h"

// Operators, casts, slices and literals of other languages.

namespace smec::syntax {

namespace {

using P = grammar::SmeParser;

bool startsOperand(const Slip& slip, std::size_t at) {
    const std::uint16_t type = slip.type(at);
    return slip.isName(at) || type == P::Integer || type == P::Float || type == P::Character
           || type == P::LeftParen;
}

std::optional<Habit> braces(const Slip& slip) {
    const std::size_t failed = slip.failed();
    if (slip.type(failed) != P::LeftBrace || !slip.expects(P::Integer) || slip.expects(P::Trace))
        return std::nullopt;
    const std::size_t after = slip.afterBracket(failed);
    if (after == Slip::npos || after < failed + 3) return std::nullopt;
    if (slip.type(after - 2) == P::Semicolon) return std::nullopt;  // a block
    std::string hint;
    if (slip.type(failed + 2) == P::LeftBrace && after >= failed + 6) {
        hint = fmt::format("write 'rep({}, {})'", slip.source(failed + 3, after - 3),
                           slip.word(failed + 1));
    } else {
        const std::uint16_t head = slip.type(slip.head());
        const bool isArray = head == P::Var || head == P::Const || head == P::Instance;
        hint = fmt::format("write '{}{}{}'", isArray ? "[" : "cat(",
                           slip.source(failed + 1, after - 2), isArray ? "]" : ")");
    }
    Habit habit = lacks(slip, failed, after - 1, hint);
    habit.after = after;
    return habit;
}

std::optional<Habit> cast(const Slip& slip) {
    const std::size_t failed = slip.failed();
    const bool isCast = slip.expects(P::Plus) && failed >= 3 && startsOperand(slip, failed)
                        && slip.type(failed - 1) == P::RightParen
                        && slip.type(failed - 3) == P::LeftParen;
    if (!isCast) return std::nullopt;
    const std::string type = nativeType(slip.word(failed - 2));
    if (type.empty()) return std::nullopt;
    return lacks(slip, failed - 3, failed - 1, fmt::format("a cast is '{}(...)'", type));
}

std::optional<Habit> conditional(const Slip& slip) {
    const std::size_t failed = slip.failed();
    if (slip.type(failed) == P::If && (slip.expects(P::Plus) || slip.expects(P::Integer))
        && !slip.expects(P::Trace))
        return lacks(slip, failed, failed, "write 'c ? a : b' for a value");
    if (slip.type(failed) == P::For && slip.expects(P::Comma))
        return lacks(slip, failed, failed, "fill the array in a loop");
    return std::nullopt;
}

/// Verilog's reductions.
std::optional<Habit> reduction(const Slip& slip) {
    const std::size_t failed = slip.failed();
    if (!slip.expects(P::Integer) || slip.expects(P::Trace) || !startsOperand(slip, failed + 1))
        return std::nullopt;
    const std::uint16_t type = slip.type(failed);
    const std::string_view name = type == P::Ampersand ? "all"
                                  : type == P::Pipe    ? "any"
                                  : type == P::Caret   ? "parity"
                                                       : "";
    if (name.empty() || slip.type(failed - 1) == P::Assign) {
        if (name.empty() || slip.touches(failed)) return std::nullopt;
    }
    return lacks(slip, failed, failed,
                 fmt::format("write '{}({})'", name, slip.source(failed + 1, failed + 1)));
}

std::optional<Habit> slice(const Slip& slip) {
    const std::size_t failed = slip.failed();
    const std::uint16_t type = slip.type(failed);
    const bool isRange =
        type == P::Downto || type == P::To || (type == P::Dot && slip.type(failed + 1) == P::Dot);
    const bool isInside = slip.expects(P::RightBracket) || slip.expects(P::RightParen);
    if (type == P::Dot && slip.type(failed - 1) == P::Dot && slip.type(slip.head()) != P::For)
        return lacks(slip, failed - 1, failed, "a slice is 'x[7:0]', a range 'a to b'");
    if (!isRange || !isInside) return std::nullopt;
    return says(failed, failed, "a slice of bits is 'x[7:0]'");
}

/// `c[1, 2]`
std::optional<Habit> indices(const Slip& slip) {
    const std::size_t failed = slip.failed();
    if (slip.type(failed) != P::Comma || !slip.expects(P::RightBracket)
        || !slip.expects(P::PlusColon))
        return std::nullopt;
    std::size_t open = failed - 1;
    while (open > slip.head()
           && (slip.type(open) != P::LeftBracket || slip.afterBracket(open) <= failed))
        --open;
    const std::size_t after = slip.afterBracket(open);
    if (slip.type(open) != P::LeftBracket || after == Slip::npos) return std::nullopt;
    Habit habit =
        says(failed, failed,
             fmt::format("each index has brackets of its own; write '[{}][{}]'",
                         slip.source(open + 1, failed - 1), slip.source(failed + 1, after - 2)));
    habit.after = after;
    return habit;
}

std::optional<Habit> bitString(const Slip& slip) {
    const std::size_t failed = slip.failed();
    if (slip.type(failed) != P::String || !slip.touches(failed)) return std::nullopt;
    std::string_view digits = slip.word(failed);
    digits = digits.substr(1, digits.size() < 2 ? 0 : digits.size() - 2);
    const std::string_view base = slip.word(failed - 1);
    const std::string_view prefix = base == "x" || base == "X"   ? "0x"
                                    : base == "b" || base == "B" ? "0b"
                                    : base == "o" || base == "O" ? "0o"
                                                                 : "";
    if (prefix.empty() || slip.type(slip.head()) == P::Trace) return std::nullopt;
    return lacks(slip, failed - 1, failed,
                 fmt::format("write '{}{}'", prefix, digits.substr(0, 60)));
}

}  // namespace

std::optional<Habit> foreignExpression(const Slip& slip) {
    if (slip.failed() == 0) return std::nullopt;
    for (const auto& recognise : {slice, indices, braces, cast, conditional, reduction, bitString})
        if (std::optional<Habit> found = recognise(slip)) return found;
    return std::nullopt;
}

}  // namespace smec::syntax
