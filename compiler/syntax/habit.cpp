#include "syntax/habit.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

// A failed parse is compared with what other languages write there:
//
//     n++;                the language has no 'n++'; write 'n += 1'
//     int x = 3;          a declaration starts with 'var'; write 'var x: i32 = 3;'
//     if (a and b)        the language has no 'and'; write '&&'
//
// Words and operators are data (habit_words.cpp); what takes more than a word to recognise is a
// function of its construct.

namespace smec::syntax {

Habit says(std::size_t first, std::size_t last, std::string message) {
    return {first, last, std::move(message), last + 1};
}

Habit lacks(const Slip& slip, std::size_t first, std::size_t last, const std::string& hint) {
    return says(first, last,
                fmt::format("the language has no '{}'; {}", slip.source(first, last), hint));
}

std::optional<Habit> habitAt(const Slip& slip) {
    constexpr std::array kRecognisers = {foreignWord,    foreignDeclaration, foreignStructure,
                                         foreignType,    foreignStatement,   foreignExpression,
                                         foreignOperator};
    // Where a statement breaks off at the end of its line, a semicolon is missing.
    if (slip.expects(grammar::SmeParser::Semicolon) && slip.beginsLine(slip.failed()))
        return std::nullopt;
    for (const auto& recognise : kRecognisers) {
        std::optional<Habit> found = recognise(slip);
        if (!found) continue;
        found->after = std::max(found->after, slip.failed());
        return found;
    }
    return std::nullopt;
}

}  // namespace smec::syntax
