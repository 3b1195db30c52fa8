#pragma once

#include <string>
#include <vector>

#include "driver/compile/options.h"

namespace smec::driver {

/// What `smec run` asks of who runs designs without making C++ of them. The program says who that is.
class Interpreter {
public:
    virtual ~Interpreter() = default;
    /// Runs the design with these options of the simulator; returns the exit status. `note` is said first;
    /// empty: nothing.
    virtual int run(const CompileOptions& options, const std::vector<std::string>& arguments,
                    const std::string& note) const = 0;
};

}  // namespace smec::driver
