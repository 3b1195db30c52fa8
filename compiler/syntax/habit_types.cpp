#include <string_view>

#include <fmt/format.h>

#include "syntax/foreign_types.h"
#include "syntax/habit.h"

// Types that are spelled, or described, where the name of one stands.

namespace smec::syntax {

namespace {

using P = grammar::SmeParser;

std::optional<Habit> typeForm(const Slip& slip) {
    const std::size_t failed = slip.failed();
    const std::uint16_t type = slip.type(failed);
    const bool isAfterType =
        failed >= 2 && slip.isName(failed - 1)
        && (slip.type(failed - 2) == P::Colon || slip.type(failed - 2) == P::RightBracket);
    if (isAfterType && type == P::LeftBracket) {
        const std::size_t after = slip.afterBracket(failed);
        const std::string size = after == Slip::npos ? "[n]" : slip.source(failed, after - 1);
        return says(failed - 1, failed,
                    fmt::format("the size of an array stands first; write '{}{}'", size,
                                slip.word(failed - 1)));
    }
    if (isAfterType && type == P::Less) {
        const std::string native = nativeType(slip.word(failed - 1), slip.word(failed + 1));
        return lacks(slip, failed - 1, failed + 2,
                     native.empty() ? "an array is '[n]u8'" : fmt::format("write '{}'", native));
    }
    const bool isRange = type == P::Downto || type == P::To;
    const std::size_t open = isRange && failed >= 3 ? failed - 2 : 0;
    if (!isRange || slip.type(open) != P::LeftParen || slip.type(failed - 1) != P::Integer
        || nativeType(slip.word(open - 1)).empty())
        return std::nullopt;
    const std::string high(slip.word(type == P::Downto ? failed - 1 : failed + 1));
    const std::string width = std::to_string(std::strtoul(high.c_str(), nullptr, 10) + 1);
    return lacks(slip, open - 1, failed + 2,
                 fmt::format("write '{}'", nativeType(slip.word(open - 1), width)));
}

/// Whether a head with parameters starts so.
bool startsHead(std::uint16_t type) {
    return type == P::Proc || type == P::Network || type == P::Sync || type == P::Async
           || type == P::Sim || type == P::Extern || type == P::Func;
}

/// The ':' in front of a type, and of the sizes in front of that, which ends before `at`; npos where
/// there is none.
std::size_t colonBefore(const Slip& slip, std::size_t at) {
    while (at > 2 && slip.type(at - 1) == P::RightBracket) {
        do
            --at;
        while (at > 1 && slip.type(at) != P::LeftBracket);
    }
    const bool isDeclared = at > 1 && (slip.isName(at - 2) || slip.type(at - 2) == P::RightParen);
    return isDeclared && slip.type(at - 1) == P::Colon ? at - 1 : Slip::npos;
}

/// A struct, an enum or a bus described where only the name of a type can stand.
struct InlineType {
    std::size_t word;   // struct, enum, bus
    std::size_t colon;  // what is declared stands in front of it
    std::string name = "NAME";
    std::string body;  // "{ x: u8; }"
    std::size_t last;

    /// "var m: [2]NAME;"
    std::string use(const Slip& slip) const {
        const std::uint16_t start = slip.type(slip.head());
        const std::uint16_t before = slip.type(colon - 2);
        const bool isParameter = startsHead(start);
        const bool isDirected = before == P::In || before == P::Out || before == P::Const;
        const std::size_t length = !slip.isName(colon - 1) ? 0 : isDirected ? 2 : 1;
        const std::size_t first = isParameter ? colon - length : slip.head();
        const std::string sizes = colon + 1 < word ? slip.source(colon + 1, word - 1) : "";
        const std::string_view end = isParameter ? "" : start == P::Const ? " = ...;" : ";";
        return fmt::format("{} {}{}{}", slip.source(first, colon), sizes, name, end);
    }
};

std::optional<InlineType> inlineTypeAt(const Slip& slip) {
    const std::size_t failed = slip.failed();
    InlineType found{};
    const bool isNamed = slip.isName(failed) && slip.type(failed + 1) == P::LeftBrace;
    if ((isNamed || slip.type(failed) == P::LeftBrace) && slip.word(failed - 1) == "struct")
        found.word = failed - 1;
    else if (slip.type(failed) == P::Enum || slip.type(failed) == P::Bus)
        found.word = failed;
    else
        return std::nullopt;
    found.colon = colonBefore(slip, found.word);
    std::size_t open = found.word + 1;
    if (slip.isName(open)) found.name = slip.word(open++);
    if (found.colon == Slip::npos || slip.type(open) != P::LeftBrace) return std::nullopt;
    const std::size_t after = slip.afterBracket(open);
    if (after == Slip::npos) return std::nullopt;
    found.last = after - 1;
    found.body = slip.source(open, found.last);
    if (!found.body.ends_with('}'))
        found.body = slip.type(found.word) == P::Enum ? "{ A, B }" : "{ x: u8; }";
    return found;
}

std::optional<Habit> inlineType(const Slip& slip) {
    const std::optional<InlineType> found = inlineTypeAt(slip);
    if (!found) return std::nullopt;
    const std::uint16_t head = slip.type(slip.head());
    const std::string_view declared = slip.word(found->colon - 1);
    const std::uint16_t kind = slip.type(found->word);
    std::string message;
    if (kind == P::Enum && head == P::Type)
        message = fmt::format("write 'enum {} {};'", declared, found->body);
    else if (kind == P::Enum)
        message = fmt::format("an enum has a name; write 'enum {} {};' and then '{}'", found->name,
                              found->body, found->use(slip));
    else if (kind == P::Bus && (head == P::Bus || head == P::Var))
        message =
            fmt::format("the fields of a bus stand directly after its name; write 'bus {} {};'",
                        declared, found->body);
    else
        message =
            fmt::format("a {0} needs a type of its own; write 'type {1}: {0} {2};' and then '{3}'",
                        slip.word(found->word), found->name, found->body, found->use(slip));
    Habit habit = says(found->word, found->word, message);
    habit.after = found->last + 1;
    return habit;
}

std::optional<Habit> typeDeclaration(const Slip& slip) {
    const std::size_t head = slip.head();
    const std::size_t failed = slip.failed();
    const std::string_view name = slip.word(head + 1);
    if (slip.type(head) == P::Type && failed == head + 2 && slip.expects(P::Colon))
        return says(failed, failed,
                    slip.word(failed) == "is" && slip.type(failed + 1) == P::LeftParen
                        ? fmt::format("write 'enum {} {{ A, B }};'", name)
                        : fmt::format("a type stands after a ':'; write 'type {}: ...;'", name));
    if (slip.type(head) == P::Type && failed == head + 3 && slip.type(failed) == P::LeftBrace)
        return says(
            failed, failed,
            fmt::format("write 'type {0}: struct {{ ... }};', or 'type {0}: bus {{ ... }};'",
                        name));
    if (slip.type(head) == P::Enum && failed == head + 1 && slip.type(failed) == P::LeftBrace)
        return says(failed, failed, "an enum has a name; write 'enum NAME { A, B };'");
    if (slip.type(head) == P::Enum && failed == head + 2 && slip.type(failed) == P::Colon)
        return says(failed, failed,
                    fmt::format("an enum has no base type; write 'enum {} {{ ... }};'", name));
    if (slip.type(head) == P::Enum && failed == head + 2)
        return says(failed, failed, "write 'enum NAME { A, B };'");
    return std::nullopt;
}

}  // namespace

std::optional<Habit> foreignType(const Slip& slip) {
    if (slip.failed() == 0) return std::nullopt;
    for (const auto& recognise : {inlineType, typeForm, typeDeclaration})
        if (std::optional<Habit> found = recognise(slip)) return found;
    return std::nullopt;
}

}  // namespace smec::syntax
