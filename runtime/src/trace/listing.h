#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "values/names.h"

namespace sme {

/// The table of --list: name, type, bits, kind of every field and variable, in natural order of
/// names.
std::string listNames(const NameTable& names);

/// The value in the final state, put together as its type says.
std::vector<std::byte> finalValue(const Engine& engine, const Ref& ref);

/// A line of --print: `path: value`.
std::string printLine(const Model& model, const std::string& path, const Ref& ref,
                      const std::byte* value);

}  // namespace sme
