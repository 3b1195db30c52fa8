#pragma once

#include <string>

#include "driver/hardware/options.h"
#include "hdl/hdl.h"

namespace smec::driver {

/// A core of FuseSoC (CAPI2) with the languages that the options ask for: targets that run the test
/// bench, and one that synthesis may start from.
std::string fusesocCore(const hdl::Design& design, const HardwareOptions& hardware);

}  // namespace smec::driver
