#pragma once

#include <cstdint>
#include <string>

#include "formats/scalar_text.h"

namespace sme {

/// Any value as stored. Arrays [1, 2], structs (x: 1, y: 2); the spec applies to their numbers.
void appendValue(std::string& out, const Model& model, std::uint32_t type, const std::byte* at,
                 const FormatSpec& spec);

/// The text of a trace or an assertion with its arguments.
void appendText(std::string& out, const Model& model, const TraceSite& site, const Arg* args);
void appendArgument(std::string& out, const Model& model, const ArgFormat& format, const Arg& arg,
                    const FormatSpec& spec);

}  // namespace sme
