#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/ir.h"

/// Shared by the parts of print().
namespace smec::ir {

/// " range 0 to 9", or nothing.
std::string rangeText(const std::optional<Interval>& range);
/// A design, and how its functions are called.
struct Printed {
    const Design& design;
    std::vector<std::string> functions;
};
/// Locals, shared expressions and statements. `cls`: null in functions.
void printBody(const Body& body, const Class* cls, const Printed& in, std::string& out);

}  // namespace smec::ir
