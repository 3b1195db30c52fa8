#pragma once

#include <string>

#include "codegen/vhdl/spelling.h"

namespace smec::codegen::vhdl {

/// What binds less needs parentheses within what binds more.
enum class Level : std::uint8_t { Simple, Arithmetic, Relation, Logical };

/// An expression that is printed.
struct Text {
    std::string text;
    Form form = Form::Unsigned;
    Level level = Level::Simple;
    std::string negated{};    ///< the text is "not" of that: std_logic
    std::string converted{};  ///< the text is that, converted from `before`
    Form before = Form::Unsigned;
    bool isConcat = false;  ///< which may as well be an array of vectors, where nobody asks
};

/// The same value in another type.
Text as(Text text, Form form);
/// In parentheses where it binds less than `most`.
std::string within(const Text& text, Level most);

}  // namespace smec::codegen::vhdl
