#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace smec::driver {

/// What `smec bench` takes beside the compile options.
struct BenchOptions {
    std::vector<unsigned> threads;    ///< ascending; empty: powers of two up to the processors
    std::vector<std::string> models;  ///< m1, m2, m3
    unsigned repeats = 5;
    std::optional<std::uint64_t> cycles;
    std::vector<unsigned> modelRanks;  ///< ascending; empty: threads are measured
    std::string weak;                  ///< constant by which the design grows with the ranks
    std::string json;                  ///< file to write; empty: none
    std::string picture;               ///< the same
};

}  // namespace smec::driver
