#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "hdl/hdl.h"

/// What expressions call that is no operator: functions that the module gets.
namespace smec::codegen::verilog {

/// A division of numbers of more than 64 bits, which Icarus Verilog 11 gets wrong
/// (docs/hdl-tools.md), as a function of the module.
struct Division {
    std::uint32_t width = 0;
    bool isSigned = false;
    bool isRemainder = false;
    auto operator<=>(const Division&) const = default;
    bool isWide() const { return width > 64; }
    std::string name() const;  ///< "divide_100", "remainder_signed_65"
};
std::set<Division> wideDivisions(const hdl::Module& module);

/// Functions "popcount_W_R" that the module calls: width of the argument and of the result.
std::set<std::pair<std::uint32_t, std::uint32_t>> popcounts(const hdl::Module& module);

}  // namespace smec::codegen::verilog
