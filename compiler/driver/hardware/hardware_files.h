#pragma once

#include <map>
#include <optional>
#include <string>

#include "driver/hardware/options.h"
#include "hdl/hdl.h"
#include "hdl/recording.h"
#include "source/source_manager.h"

namespace smec::driver {

/// All files of the languages that the options ask for: modules, lists, and with a recording test
/// benches, a Makefile and a FuseSoC core. Name -> text.
std::map<std::string, std::string> hardwareFiles(const hdl::Design& design,
                                                 const SourceManager& sources,
                                                 const std::optional<hdl::Recording>& recording,
                                                 const HardwareOptions& hardware);

}  // namespace smec::driver
