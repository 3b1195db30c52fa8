#pragma once

#include <string>

#include "ir/ir.h"

/// Shared by the parts of print().
namespace smec::ir {

/// "u8", "[4]i16", "bool".
std::string nameOf(const Scalar& type);
std::string nameOf(const StorageType& type);
std::string textOf(const Constant& value);
/// What names in a body refer to; `cls` is null in functions.
std::string printBody(const Body& body, const Class* cls, const Design& design,
                      const std::string& indent);

}  // namespace smec::ir
