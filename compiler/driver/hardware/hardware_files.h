#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "driver/hardware/options.h"
#include "hdl/hdl.h"
#include "hdl/recording.h"
#include "source/output_file.h"
#include "source/source_manager.h"

namespace smec::driver {

/// All files of the languages that the options ask for: modules, lists, and with a recording test
/// benches, a Makefile and a FuseSoC core. Name -> text.
std::map<std::string, std::string> hardwareFiles(const hdl::Design& design,
                                                 const SourceManager& sources,
                                                 const std::optional<hdl::Recording>& recording,
                                                 const HardwareOptions& hardware);

/// Writes them into a folder, which is there; those that are as they should be are left alone.
/// Throws FileError, also where one would take the place of an input.
void writeHardware(const std::filesystem::path& folder,
                   const std::map<std::string, std::string>& files, const InputFiles& inputs = {});

}  // namespace smec::driver
