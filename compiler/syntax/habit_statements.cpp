#include <string_view>

#include <fmt/format.h>

#include "syntax/habit.h"

// Blocks, loops, branches, and what networks have in place of statements.

namespace smec::syntax {

namespace {

using P = grammar::SmeParser;

bool isControl(std::uint16_t type) {
    return type == P::If || type == P::Elif || type == P::Else || type == P::While || type == P::For
           || type == P::Switch;
}

std::optional<Habit> increment(const Slip& slip) {
    const std::size_t failed = slip.failed();
    const std::uint16_t type = slip.type(failed);
    const bool isAfter = type == P::Semicolon && failed > 2 && slip.touches(failed - 1)
                         && (slip.source(failed - 2, failed - 1) == "++"
                             || slip.source(failed - 2, failed - 1) == "--");
    if (isAfter)
        return lacks(
            slip, failed - 2, failed - 1,
            fmt::format("write 'n {}= 1' as a statement of its own", slip.word(failed - 1)));
    const bool isTwice = (type == P::Plus || type == P::Minus) && slip.type(failed + 1) == type
                         && slip.touches(failed + 1);
    if (!isTwice) return std::nullopt;
    const char sign = type == P::Plus ? '+' : '-';
    if (slip.expects(P::PlusAssign)) {
        const std::string target = slip.source(slip.head(), failed - 1);
        return lacks(slip, slip.head(), failed + 1, fmt::format("write '{} {}= 1'", target, sign));
    }
    if (!slip.isAtStart()) return std::nullopt;
    if (slip.isStatement() && slip.isName(failed + 2) && slip.touches(failed + 2))
        return lacks(slip, failed, failed + 2,
                     fmt::format("write '{} {}= 1'", slip.word(failed + 2), sign));
    if (type == P::Plus) return std::nullopt;
    Habit comment = says(failed, failed + 1, "a comment starts with '//'");
    while (!slip.beginsLine(comment.after) && slip.type(comment.after) != kEndOfFile)
        ++comment.after;
    return comment;
}

// ---------------------------------------------------------------- blocks

/// After `then ... end if;`, and its like.
std::size_t afterWords(const Slip& slip) {
    const std::size_t head = slip.head();
    if (slip.find(head, {"then"}) != Slip::npos || slip.find(head, {"loop"}) != Slip::npos) {
        const std::size_t loop = slip.find(head, {"loop"});
        return slip.afterEnd(loop == Slip::npos ? head : loop);
    }
    const std::size_t begin = slip.find(head, {"begin"});
    if (begin == Slip::npos) return slip.failed();
    std::size_t after = slip.afterEnd(begin);
    while (slip.type(after) == P::Else && slip.word(after + 1) == "begin")
        after = slip.afterEnd(after + 1);
    return after;
}

std::optional<Habit> block(const Slip& slip) {
    const std::size_t failed = slip.failed();
    const std::string_view word = slip.word(failed);
    const std::size_t head = slip.head();
    if (slip.isAfterFirstName() && slip.word(head) == "begin") {
        Habit habit = lacks(slip, head, head, "a block stands in '{' and '}'");
        habit.after = slip.afterEnd(head);
        return habit;
    }
    if (word == "begin" || word == "then" || (word == "loop" && slip.type(head) == P::For)) {
        Habit habit = lacks(slip, failed, failed, "a block stands in '{' and '}'");
        habit.after =
            word == "begin" && slip.type(head) != P::If ? slip.afterEnd(failed) : afterWords(slip);
        return habit;
    }
    if (!slip.expects(P::LeftBrace) || slip.expects(P::Trace)) return std::nullopt;
    const bool isColon = slip.type(failed) == P::Colon;
    if (isColon && (isControl(slip.type(head)) || slip.type(head) == P::Proc))
        return says(failed, failed, "a block stands in '{' and '}', without a ':'");
    const bool isBody = slip.type(failed - 1) == P::RightParen || slip.type(failed - 1) == P::Else;
    const bool isBranch = isControl(slip.type(head)) && slip.type(head) != P::For
                          && slip.type(head) != P::Switch && slip.type(failed) != P::RightParen;
    if (isBody && isBranch && slip.type(failed) != P::If)
        return says(failed, failed,
                    fmt::format("the body of '{}' stands in '{{' and '}}'", slip.word(head)));
    return std::nullopt;
}

std::optional<Habit> condition(const Slip& slip) {
    const std::size_t failed = slip.failed();
    if (failed == 0 || !slip.expects(P::LeftParen) || slip.expects(P::Plus)) return std::nullopt;
    const std::uint16_t before = slip.type(failed - 1);
    if (before != P::If && before != P::Elif && before != P::While) return std::nullopt;
    Habit habit = says(failed, failed,
                       fmt::format("a condition stands in parentheses; write '{} (...) {{ ... }}'",
                                   slip.word(failed - 1)));
    habit.after = afterWords(slip);
    return habit;
}

// ---------------------------------------------------------------- loops

/// `i = 0 until 8` for what stands in the parentheses of `for (int i = 0; i < 8; i++)`.
std::string loopHead(const Slip& slip, std::size_t open) {
    std::size_t name = open + 1;
    while (slip.isName(name + 1) || slip.type(name) == P::Var)
        ++name;
    const std::size_t first = slip.find(name, {";"});
    if (!slip.isName(name) || slip.type(name + 1) != P::Assign || first == Slip::npos
        || first < name + 3)
        return "i = 0 until 8";
    const std::size_t second = slip.find(first + 1, {";"});
    const std::string from = slip.source(name + 2, first - 1);
    const std::uint16_t relation = slip.type(first + 2);
    if (second == Slip::npos || second < first + 4 || slip.word(first + 1) != slip.word(name))
        return "i = 0 until 8";
    const std::string_view word = relation == P::Less           ? "until"
                                  : relation == P::LessEqual    ? "to"
                                  : relation == P::GreaterEqual ? "downto"
                                                                : "";
    if (word.empty()) return "i = 0 until 8";
    return fmt::format("{} = {} {} {}", slip.word(name), from, word,
                       slip.source(first + 3, second - 1));
}

std::optional<Habit> loop(const Slip& slip) {
    const std::size_t head = slip.head();
    const std::size_t failed = slip.failed();
    if (slip.type(head) != P::For) return std::nullopt;
    const std::string_view word = slip.word(failed);
    if (failed == head + 1 && slip.type(failed) == P::LeftParen) {
        Habit habit = says(head, failed,
                           fmt::format("a 'for' counts over a range; write 'for {} {{ ... }}'",
                                       loopHead(slip, failed)));
        const std::size_t after = slip.afterBracket(failed);
        if (after != Slip::npos) habit.after = after;
        return habit;
    }
    if (slip.type(failed) == P::In) {
        Habit habit =
            says(failed, failed,
                 fmt::format("a 'for' counts over a range; write 'for {} = 0 until 8 {{ ... "
                             "}}'",
                             slip.word(failed - 1)));
        habit.after = afterWords(slip);
        return habit;
    }
    if (word == "step" || word == "by")
        return lacks(slip, failed, failed, "a loop counts by ones; multiply the index in its body");
    return std::nullopt;
}

std::optional<Habit> label(const Slip& slip) {
    const std::uint16_t head = slip.type(slip.head());
    const std::size_t failed = slip.failed();
    const bool isInSwitch = slip.expects(P::Case) && slip.expects(P::Default);
    if (isInSwitch && slip.type(failed) == P::Else)
        return says(failed, failed, "the other values of a 'switch' are 'default { ... }'");
    if (isInSwitch && (slip.word(failed) == "when" || slip.type(failed) == P::Integer))
        return says(failed, failed, "a branch of a 'switch' is 'case 1 { ... }'");
    const bool isLabel = head == P::Case || head == P::Default;
    const bool isSign = slip.type(failed) == P::Colon || slip.source(failed, failed + 1) == "=>";
    if (!isLabel || !isSign || !slip.expects(P::LeftBrace)) return std::nullopt;
    return says(
        failed, failed,
        fmt::format("what a label chooses stands in braces and does not fall through; write "
                    "'{} {{ ... }}'",
                    slip.source(slip.head(), failed - 1)));
}

// ---------------------------------------------------------------- single statements

std::optional<Habit> text(const Slip& slip) {
    const std::size_t failed = slip.failed();
    const std::size_t head = slip.head();
    if (slip.type(head) != P::Trace || slip.type(head + 1) != P::LeftParen) return std::nullopt;
    if (failed == head + 2 && slip.type(failed) != P::RightParen) {
        const bool isPrefixed = slip.type(failed + 1) == P::String;
        const std::size_t end = slip.find(failed, {","});
        const std::string value =
            end == Slip::npos && !isPrefixed && slip.type(failed + 1) == P::RightParen
                ? slip.source(failed, failed)
                : "n";
        return says(failed, failed,
                    fmt::format("a trace starts with a text; write 'trace(\"{{}}\", {});'", value));
    }
    if (slip.type(failed) == P::Plus && slip.type(failed - 1) == P::String)
        return says(
            failed, failed,
            "texts do not add up; '{}' in a text stands for a value, as in 'trace(\"n={}\", "
            "n);'");
    return std::nullopt;
}

std::optional<Habit> waiting(const Slip& slip) {
    const std::size_t failed = slip.failed();
    const std::size_t head = slip.head();
    const bool isEmptyCall = failed == head + 2 && slip.type(failed) == P::RightParen;
    if (slip.type(head) == P::Stop && isEmptyCall)
        return lacks(slip, head, failed, "write 'stop;'");
    if (slip.word(head) != "wait") return std::nullopt;
    if (isEmptyCall) return lacks(slip, head, failed, "write 'wait;'");
    if (slip.type(failed) == P::For) return lacks(slip, head, failed, "write 'wait 3;'");
    const std::string_view unit = slip.word(failed);
    if (unit == "ns" || unit == "us" || unit == "ps" || unit == "ms")
        return lacks(slip, failed, failed, "time is counted in cycles");
    return std::nullopt;
}

/// What stands in a network where statements would.
std::optional<Habit> inNetwork(const Slip& slip) {
    const std::size_t head = slip.head();
    if (!slip.isAtStart() || slip.isStatement() || slip.kind() == PieceKind::ProcessDeclaration)
        return std::nullopt;
    const std::uint16_t type = slip.type(head);
    const bool isModule = slip.kind() == PieceKind::Item;
    if (!isModule && type == P::For) {
        std::string range = "i = 0 until 8";
        if (slip.type(head + 1) == P::LeftParen) range = loopHead(slip, head + 1);
        return says(
            head, head,
            fmt::format("a network repeats by 'generate'; write 'generate {} {{ ... }}'", range));
    }
    if (!isModule && type == P::If)
        return says(head, head,
                    "a network chooses by 'generate'; write 'generate if (...) { ... }'");
    const std::uint16_t next = slip.type(head + 1);
    const bool isAssigned =
        slip.isName(head)
        && (next == P::Assign || next == P::Dot || next == P::LessEqual || next == P::LeftBracket
            || next == P::Minus || next == P::Plus || next == P::PlusAssign);
    const bool isStatement = isControl(type) || type == P::Trace || type == P::Assert
                             || type == P::Return || type == P::Break || type == P::Stop;
    if (!isAssigned && !isStatement) return std::nullopt;
    if (isModule) return says(head, head, "statements stand in the body of a process");
    return says(head, head,
                "a network has no statements; it connects processes, whose bodies have them");
}

/// `type t: u8;` among statements: the word may be a name, so that the rest is what goes wrong.
std::optional<Habit> misplaced(const Slip& slip) {
    const std::size_t head = slip.head();
    const bool isDeclaration =
        slip.isAfterFirstName() && slip.type(head) == P::Type && slip.isName(head + 1);
    if (!isDeclaration) return std::nullopt;
    return says(head, head, "declarations stand in front of the body");
}

std::optional<Habit> generate(const Slip& slip) {
    const std::size_t head = slip.head();
    const std::size_t failed = slip.failed();
    const std::uint16_t type = slip.type(failed);
    if (type == P::If && failed > 0 && slip.type(failed - 1) == P::Else && !slip.isStatement()
        && slip.kind() != PieceKind::Statement && slip.kind() != PieceKind::Item)
        return says(failed, failed, "write 'else { generate if (...) { ... } }'");
    if (type == P::Elif && slip.isAtStart() && !slip.isStatement())
        return says(failed, failed,
                    "a 'generate if' has no 'elif'; write 'else { generate if (...) { ... } }'");
    if (slip.type(head) != P::Generate) return std::nullopt;
    if (failed == head + 1 && type == P::For) {
        const std::string range =
            slip.type(failed + 1) == P::LeftParen ? loopHead(slip, failed + 1) : "i = 0 until 8";
        return says(failed, failed, fmt::format("write 'generate {} {{ ... }}'", range));
    }
    if (type == P::In)
        return says(
            failed, failed,
            fmt::format("write 'generate {} = 0 until 8 {{ ... }}'", slip.word(failed - 1)));
    if (failed == head + 1 && type == P::LeftParen)
        return says(failed, failed, "write 'generate i = 0 until 8 { ... }', without parentheses");
    if (type == P::Downto)
        return says(failed, failed, "a 'generate' counts up, by 'to' or 'until'");
    return std::nullopt;
}

/// `n(3) = 1;`
std::optional<Habit> indexInParentheses(const Slip& slip) {
    const std::size_t failed = slip.failed();
    if (slip.type(failed) != P::LeftParen || !slip.isAfterFirstName()) return std::nullopt;
    const std::size_t after = slip.afterBracket(failed);
    if (after == Slip::npos || after < failed + 3) return std::nullopt;
    const std::uint16_t next = slip.type(after);
    if (next != P::Assign && next != P::LessEqual && next != P::Dot) return std::nullopt;
    return says(failed - 1, after - 1,
                fmt::format("an index stands in '[' and ']'; write '{}[{}]'", slip.word(failed - 1),
                            slip.source(failed + 1, after - 2)));
}

}  // namespace

std::optional<Habit> foreignStatement(const Slip& slip) {
    for (const auto& recognise : {increment, label, loop, block, condition, text, waiting, generate,
                                  inNetwork, misplaced, indexInParentheses})
        if (std::optional<Habit> found = recognise(slip)) return found;
    return std::nullopt;
}

}  // namespace smec::syntax
