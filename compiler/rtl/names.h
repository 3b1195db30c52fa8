#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace smec::rtl {

/// The names of one scope of `.sme`, made of Verilog's.
class Names {
public:
    /// A name like `wanted` that is none of the language and not taken; it is taken then.
    std::string take(std::string_view wanted);

private:
    std::unordered_set<std::string> taken_;
    std::unordered_map<std::string, unsigned> last_;  ///< numbers behind names that were taken
};

/// A Verilog name as one of `.sme`: letters, digits and single `_`; "u8" is "u8_v", for types are
/// called so. Yosys' names of modules with parameters ("$paramod\\fifo\\DEPTH=s32'…0100") become
/// readable ("fifo_DEPTH_4").
std::string spelled(std::string_view verilog);

}  // namespace smec::rtl
