#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ir/ir.h"

namespace smec::ir {

/// What is wrong with a text, and where: lines and columns (of bytes) from 1.
struct TextError {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::string message;
};

struct Parsed {
    std::optional<Design> design;  ///< absent after an error
    TextError error;               ///< the first one
};

/// Reads what print() writes (docs/ir.md), and says where it is none. All that the text refers to by name
/// or as a plane exists; verify() says whether the design is sound. Its bodies are tidy; nothing has a
/// place in the source but where processes fail, and there are no hashes.
Parsed parse(std::string_view text);

}  // namespace smec::ir
