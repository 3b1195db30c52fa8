#pragma once

#include <optional>
#include <string>

#include "engine.h"
#include "names.h"

namespace sme {

/// The table of --list: name, type, bits, kind of every field and variable, in natural order of
/// names.
std::string listNames(const NameTable& names);

/// The line of --print for the final state: `path: value`.
std::string printLine(const Engine& engine, const std::string& path, const Ref& ref);

}  // namespace sme
