#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace smec::driver {

/// The cells of a line of CSV.
std::vector<std::string> csvCells(const std::string& line);

/// Two engines disagree about what is read in a cycle.
struct Difference {
    std::uint64_t cycle = 0;
    std::string name;
    std::string expected;
    std::string got;
    bool operator==(const Difference&) const = default;
};

struct TraceComparison {
    std::uint64_t cycles = 0;   ///< compared
    std::size_t fields = 0;     ///< the same
    std::string problem;        ///< why there is nothing to compare; empty: there is
    std::size_t different = 0;  ///< values
    std::vector<Difference> first;
    bool operator==(const TraceComparison&) const = default;
};

/// Compares the trace of an engine with that of the reference, both CSV files, by name and cycle.
/// Ends after the first cycle that differs and lists `most` of what differs in it.
TraceComparison compareTraces(const std::filesystem::path& expected,
                              const std::filesystem::path& got, std::size_t most);

}  // namespace smec::driver
