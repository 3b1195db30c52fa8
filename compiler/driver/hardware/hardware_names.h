#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "driver/hardware/options.h"
#include "hdl/hdl.h"

namespace smec::driver {

/// Names for what goes along into the folder of a design, each given once, in any case of letters,
/// and never to one of the files that an export and the tools of its Makefile write.
class FolderNames {
public:
    explicit FolderNames(const hdl::Design& design);
    /// Like that of the file, with letters, digits, `_`, `.` and `-` alone, so that lists of files
    /// need no quotes.
    std::string give(const std::filesystem::path& path);
    /// This very name, which nobody else gets from now on.
    std::string keep(const std::string& name);

private:
    std::set<std::string> taken_;  ///< in small letters
};

/// Names of the files of a language, in an order in which modules stand before those that use them.
std::vector<std::string> verilogFiles(const hdl::Design& design, const HardwareOptions& hardware);
std::vector<std::string> vhdlFiles(const hdl::Design& design);

/// What was copied of a language, of this kind.
std::vector<std::string> copiedNames(const hdl::Design& design, const std::string& language,
                                     hdl::CopiedFile::Kind kind);

/// What the test benches read while they run.
std::vector<std::string> benchData(const hdl::Design& design, const HardwareOptions& hardware);

}  // namespace smec::driver
