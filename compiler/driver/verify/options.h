#pragma once

#include <string>
#include <vector>

#include "driver/compile/options.h"
#include "driver/hardware/options.h"
#include "driver/verify/target.h"

namespace smec::driver {

/// What `smec verify` takes beside the compile options and those of `smec export`.
struct VerifyOptions {
    std::vector<unsigned> threads;                 ///< ascending; empty: 1, 2, 4
    std::vector<std::string> models;               ///< m1, m2, m3
    std::vector<std::string> tools;                ///< cpp and names of BenchTools; empty: all
    unsigned seconds = target::kSecondsForEngine;  ///< of wall time, for each engine
    bool json = false;                             ///< instead of the table
    std::string formal;           ///< other revision (.sme) or reference (.v, .sv); empty: none
    std::string process;          ///< of the design, to compare; empty: the top
    std::string referenceModule;  ///< of the other; empty: the same name, or its only one
};

/// All that a comparison or a proof is asked for.
struct VerifyRequest {
    CompileOptions compile;
    HardwareOptions hardware;
    VerifyOptions verify;
    std::vector<std::string> runArguments;  ///< options of the simulator, in order
};

}  // namespace smec::driver
