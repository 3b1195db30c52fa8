#pragma once

#include <optional>
#include <string>

#include "codegen/cpp/decide/word.h"
#include "ir/ir.h"

/// C++ for words, values and the conversions between them.
namespace smec::codegen::cpp {

std::string nameOf(const Word& word);

/// A piece of C++ that has a value. Integer constants have no text of their own until their type is
/// known.
struct Value {
    std::string text;
    Word type;
    bool isAtom = true;  ///< binds tighter than any operator
    std::optional<ir::Integer> constant;

    static Value ofInteger(const ir::Integer& value);
    /// The text as an operand.
    std::string operand() const;
};

/// The literal of a value modulo the word.
std::string literal(const ir::Integer& value, const Word& word);
std::string literal(double value, const Word& word);
/// Of a constant as it is stored.
std::string literal(const ir::Constant& constant, const ir::Scalar& scalar);

/// The value in another type: C++'s own conversion, spelled out where the types differ.
Value convert(const Value& value, const Word& to);
/// The same for constants only; others keep their type.
Value settle(const Value& value, const Word& to);

}  // namespace smec::codegen::cpp
