#include "driver/verilog/import_options.h"

namespace smec::driver {

rtl::Options importOptions(const VerilogInput& input) {
    rtl::Options options;
    options.isResetSync = input.isResetSync;
    options.clock = input.clock;
    if (input.initial == "1") options.initial = rtl::Unknown::One;
    if (input.initial.starts_with("random")) options.initial = rtl::Unknown::Random;
    if (const std::size_t colon = input.initial.find(':'); colon != std::string::npos)
        options.seed = std::stoull(input.initial.substr(colon + 1));
    return options;
}

}  // namespace smec::driver
