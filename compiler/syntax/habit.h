#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "syntax/slip.h"

namespace smec::syntax {

/// What somebody wrote who thinks in another language.
struct Habit {
    std::size_t first = 0;  ///< the tokens under the caret
    std::size_t last = 0;
    std::string message;    ///< what to write here instead
    std::size_t after = 0;  ///< the first token that does not belong to it
};

/// Recognises the spellings of C, Verilog, VHDL, Rust, Python and their like at a place where
/// parsing failed. Words are looked at only there, so that all of them stay names everywhere else.
std::optional<Habit> habitAt(const Slip& slip);

// By construct, in the order in which habitAt() asks:
std::optional<Habit> foreignWord(const Slip& slip);
std::optional<Habit> foreignDeclaration(const Slip& slip);
std::optional<Habit> foreignStructure(const Slip& slip);
std::optional<Habit> foreignType(const Slip& slip);
std::optional<Habit> foreignStatement(const Slip& slip);
std::optional<Habit> foreignExpression(const Slip& slip);
std::optional<Habit> foreignOperator(const Slip& slip);

/// "the language has no '...'; " and the hint.
Habit lacks(const Slip& slip, std::size_t first, std::size_t last, const std::string& hint);
/// A message in words of its own.
Habit says(std::size_t first, std::size_t last, std::string message);

}  // namespace smec::syntax
