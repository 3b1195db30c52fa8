#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace smec::hdl {

/// Whether a word is reserved in Verilog, SystemVerilog or VHDL, in any case.
bool isReserved(std::string_view word);

/// Names of one scope. What it gives out is an identifier of Verilog and of VHDL, reserved in
/// neither and different from all it gave out before, in any case of letters: the name itself where
/// it is all that, else with a number after it.
///   "x.v" -> "x_v";  "link[2].v" -> "link_2_v";  "begin" -> "begin_1";  "_a" -> "n_a"
class Names {
public:
    std::string take(std::string_view wanted);

private:
    std::unordered_set<std::string> taken_;
};

}  // namespace smec::hdl
