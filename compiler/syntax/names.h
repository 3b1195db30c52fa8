#pragma once

#include <string_view>

namespace smec::syntax {

/// Why a name cannot be declared; empty where it can.
std::string_view whyReserved(std::string_view name);

/// Whether this is the spelling of a type: u8, i3, bool, int, ...
bool isTypeName(std::string_view name);

}  // namespace smec::syntax
