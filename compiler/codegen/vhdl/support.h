#pragma once

#include <string>

namespace smec::codegen::vhdl {

/// The package of functions that the modules call.
std::string supportPackage(const std::string& name);

}  // namespace smec::codegen::vhdl
