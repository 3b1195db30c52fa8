#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/verify/formal_netlist.h"

namespace smec::driver {

// `smec verify --formal` without processes and files: what Yosys printed, and what is said of it.

/// A value of a port in bits, the highest first.
struct FormalValue {
    std::string name;
    std::string bits;
};

/// Inputs from the reset on that make a difference.
struct Counterexample {
    std::vector<std::vector<FormalValue>> inputs;  ///< by cycle; the first is the reset
    std::vector<FormalValue> expected;             ///< in the last cycle: outputs that differ
    std::vector<FormalValue> got;
    bool hasReset = false;  ///< the first cycle is one, and others may be
};

/// What a search (searchScript) ended with.
struct SearchResult {
    bool isProved = false;     ///< by induction
    std::uint64_t cycles = 0;  ///< after the reset in which there is no difference
    std::optional<Counterexample> counterexample;
};
SearchResult readSearch(const std::string& output, const FormalPorts& ports, bool hasReset);

/// How many pairs equiv_status counted.
std::uint64_t readPairs(const std::string& output);

enum class Proof : std::uint8_t { Proved, Bounded, Differs };

/// One module compared with its reference.
struct FormalResult {
    std::string name;  ///< "top", "q (top.u)"
    Proof proof = Proof::Bounded;
    std::string method;        ///< what proved it
    std::uint64_t cycles = 0;  ///< after the reset that are equal, where nothing is proved
    double seconds = 0;
    std::optional<Counterexample> counterexample;
};

std::string formalText(const std::vector<FormalResult>& results, const std::string& file,
                       const std::string& reference);
std::string formalJson(const std::vector<FormalResult>& results, const std::string& file,
                       const std::string& reference);
/// 0: all are proved; 1: one differs; 4: one is neither.
int formalStatus(const std::vector<FormalResult>& results);

}  // namespace smec::driver
