#pragma once

#include "ir_reader/text_reader.h"

/// Shared by the parts of parse().
namespace smec::ir {

/// How often what is nested may be: in blocks, and in one expression.
inline constexpr std::uint32_t kDeepestBlock = 1'000;
inline constexpr std::uint32_t kDeepestExpr = 500;

/// Reads locals, shared expressions and statements up to the first line of less depth. `cls`: null in
/// functions. The body's sites are there already.
void parseBody(TextReader& in, const Design& design, const Class* cls, Body& body);

}  // namespace smec::ir
