#pragma once

#include <string_view>

namespace smec::syntax {

/// Why a name cannot be declared; empty where it can.
std::string_view whyReserved(std::string_view name);

}  // namespace smec::syntax
