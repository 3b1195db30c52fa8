#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "driver/compile/verilog_input.h"

namespace smec::driver {

/// Names in a text of Verilog that may be of modules, interfaces or packages which it uses: those
/// before `#`, `::`, or another name and `(`, `[` or `;`. Not in comments and strings; what macros
/// make of a text is not seen.
std::set<std::string> usedNames(std::string_view verilog);

struct FileNames {
    std::set<std::string> declared;
    std::set<std::string> used;  ///< maybe, as in `usedNames`
};
/// Of a file as it is read, with all that it includes and what macros make. O(what it becomes).
FileNames namesOf(const std::string& file, const VerilogInput& input);

/// Adds to the files those of the library folders that they need, and that these need in turn: of
/// each name that is used, and that no file so far declares or is called after, NAME.v or NAME.sv
/// in the first folder that has one.
void addLibraryFiles(VerilogInput& input);

/// Adds the file of an extern process to those that were listed for it, unless it is one of them;
/// without those that it makes needless.
void addSource(VerilogInput& input, const std::string& file);

/// Takes away files that declare nothing but what this one declares, with all that it includes.
void leaveOutDeclared(VerilogInput& input, const std::string& file);

/// Files with packages come before those that use them; all others stay where they are.
void putPackagesFirst(std::vector<std::string>& files);

}  // namespace smec::driver
