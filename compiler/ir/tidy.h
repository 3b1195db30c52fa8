#pragma once

#include "ir/ir.h"

namespace smec::ir {

/// Puts the expressions of a body into the order of their first use, operands in front; equal ones
/// become one, and those that nobody uses go. What print() shows is such a body, and parse() makes
/// one.
void tidy(const Design& design, Body& body);

}  // namespace smec::ir
