#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/ir.h"

/// Words of the text of a design (docs/ir.md), which print() writes and parse() reads.
namespace smec::ir::text {

/// In the order of their enumerations.
inline constexpr std::string_view kPlaneKinds[] = {"output", "input", "undriven", "state"};
inline constexpr std::string_view kLocalKinds[] = {"temp", "state", "output", "param"};
inline constexpr std::string_view kForms[] = {"", "common", "spread"};
inline constexpr std::string_view kLoops[] = {"up", "down", "either"};
inline constexpr std::string_view kFailures[] = {"assert",     "assume",         "division by zero",
                                                 "index",      "negative shift", "range",
                                                 "enum value", "loop limit",     "wait count"};
inline constexpr std::string_view kTypes[] = {"int", "bool", "f32", "f64"};
std::string_view of(UnaryOp op);
std::string_view of(BinaryOp op);
/// The words of all operators, in their order.
std::vector<std::string_view> unaryWords();
std::vector<std::string_view> binaryWords();
/// Whether an operator stands in front of its operands, as a function does.
inline bool isCalled(std::string_view op) { return op[0] >= 'a' && op[0] <= 'z'; }

/// "u8", "[4]i16", "bool".
std::string of(const Scalar& type);
std::string of(const StorageType& type);
/// As f64 and f32 constants: "1.5", "-0.0", "0x7ff8000000000000" where it is no number.
std::string of(double value);
std::string of(const Constant& value);
/// In double quotes, with \" \\ \n and \xHH.
std::string quoted(std::string_view text);
/// Bare, where it is letters, digits, '_' and '.', and no word of the text; else quoted.
std::string name(std::string_view text);

/// How locals, inputs and columns of a body are called in it: by name; temporaries, and what is not
/// the only one of its name, with its number: "t#3", "x.v@1", "$k@0".
struct BodyNames {
    std::vector<std::string> locals, inputs, columns;
};
BodyNames namesOf(const Body& body, const Class* cls);
/// How functions are called: "f", or "f#2" where there are several.
std::vector<std::string> functionNames(const std::vector<Function>& functions);

}  // namespace smec::ir::text
