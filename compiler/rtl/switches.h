#pragma once

#include <string>
#include <unordered_map>

#include "ast/ast.h"
#include "netlist/netlist.h"
#include "rtl/names.h"

namespace smec::rtl {

/// A cell of ours: word A of a table of 2^A words, TABLE, in binary digits, the first word lowest.
/// NAME is that of the constant which Tables made of it.
inline constexpr const char* kTable = "$table";

/// Multiplexers with so many words that they would be chains of conditions. Where a word chooses by
/// its value they become a table, or a tree of its bits; else a tree of halves.
void splitSwitches(netlist::Module& module);

/// The constants of a file that tables of modules are, each once.
class Tables {
public:
    Tables(ast::Module& file, Names& names) : file_(file), names_(names) {}

    /// Names those of a module.
    void take(netlist::Module& module);

private:
    ast::Module& file_;
    Names& names_;
    std::unordered_map<std::string, std::string> known_;  ///< names, by width and digits
};

}  // namespace smec::rtl
