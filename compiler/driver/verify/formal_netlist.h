#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace smec::driver {

// What Yosys writes about modules (write_json).

struct FormalPort {
    bool isInput = false;
    std::size_t width = 1;
    bool operator==(const FormalPort&) const = default;
};
using FormalPorts = std::map<std::string, FormalPort>;

/// A register that has a name.
struct FormalRegister {
    std::string name;  ///< "it.count"
    std::size_t width = 1;
    std::pair<std::uint64_t, std::uint64_t> place;  ///< line and column in its file
};

struct FormalModule {
    FormalPorts ports;
    std::set<std::string> parameters;
    std::vector<FormalRegister> registers;
};

/// The modules of a file by name. Nothing where it is not what Yosys writes.
std::map<std::string, FormalModule> readFormalNetlist(const std::string& json);

/// How the ports of `got` are not those of `expected`, one each; empty: they are.
std::vector<std::string> portDifferences(const FormalPorts& expected, const FormalPorts& got);

/// Registers that may be the same under another name: those that the other module does not have,
/// in the order of the source, where both have as many of a width in the same instance.
std::vector<std::pair<std::string, std::string>> registerPairs(const FormalModule& expected,
                                                               const FormalModule& got);

}  // namespace smec::driver
