#pragma once

#include <string>
#include <utility>

#include <fmt/format.h>

#include "codegen/cpp/decide/body_info.h"
#include "codegen/cpp/print/value.h"

/// C++ expressions from those of their operands.
namespace smec::codegen::cpp {

/// An operand as it was printed, with what is known of its values.
struct Operand {
    const Value& value;
    const ExprFacts& facts;
};

inline Word unsignedOf(Word word) {
    word.isSigned = false;
    return word;
}
/// Of operators.
inline Value composed(std::string text, const Word& type) {
    return {std::move(text), type, false, {}};
}
/// Of names and calls.
inline Value plain(std::string text, const Word& type) { return {std::move(text), type, true, {}}; }

/// Both operands so that C++ computes in `word`.
std::pair<Value, Value> operandsIn(const Word& word, Value left, Value right);
Value infix(const Value& left, const char* symbol, const Value& right, const Word& type);
/// Whether C++'s usual conversions compare the two by value.
bool comparesByValue(const Word& a, const Word& b);

}  // namespace smec::codegen::cpp
