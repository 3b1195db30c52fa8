#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hdl/hdl.h"

namespace smec::codegen::vhdl {

/// Copies of the networks that show what is inside: each has a port more, a vector of its own
/// signals and of the vectors of the networks in it. For test benches, since not every simulator
/// has external names.
struct Probed {
    struct Copy {
        std::string name;                                  ///< of the entity
        std::string port;                                  ///< of the vector
        std::map<std::uint32_t, std::uint32_t> signals{};  ///< by SignalId: the first bit
        std::map<std::string, std::uint32_t> instances{};  ///< the same, by name
        std::uint32_t width = 0;                           ///< 0: there is nothing to see
    };
    std::vector<Copy> copies;  ///< by ModuleId
    const Copy& top() const { return copies.back(); }
};

/// Their entities are called "BENCH_MODULE".
Probed probed(const hdl::Design& design);

/// The first bit of a probe in the vector of the top.
std::uint32_t bitOf(const hdl::Design& design, const Probed& copies, const hdl::Probe& probe);

}  // namespace smec::codegen::vhdl
