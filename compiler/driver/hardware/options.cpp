#include "driver/hardware/options.h"

#include <CLI/CLI.hpp>

namespace smec::driver {

void declareHardware(CLI::App& app, HardwareOptions& options) {
    app.add_option_function<std::string>(
           "--reset", [&options](const std::string& kind) { options.isAsync = kind == "async"; },
           "how the reset acts: sync or async (default: sync)")
        ->type_name("KIND")
        ->check(CLI::IsMember({"sync", "async"}))
        ->group("Hardware");
    app.add_option_function<std::string>(
           "--std",
           [&options](const std::string& dialect) { options.isVerilog2005 = dialect == "v2005"; },
           "dialect of --verilog: sv (SystemVerilog that Icarus, Yosys and Verilator read "
           "alike) or v2005 (default: sv)")
        ->type_name("DIALECT")
        ->check(CLI::IsMember({"sv", "v2005"}))
        ->group("Hardware");
    app.add_option_function<std::string>(
           "--reset-polarity",
           [&options](const std::string& level) { options.isActiveLow = level == "low"; },
           "level at which it acts: high or low (default: high)")
        ->type_name("LEVEL")
        ->check(CLI::IsMember({"high", "low"}))
        ->group("Hardware");
}

}  // namespace smec::driver
