#pragma once

// What the probe does to two simulations at once, and what it says of each as text.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "sme/simulation.h"

namespace sme::probe {

using Table = const sme_simulation_table&;

/// Who runs a design, and how.
struct Engine {
    std::string name;
    Table table;
    const void* design;
    std::vector<sme_option> options;
};

/// A simulation and all that it says.
class Simulation {
public:
    explicit Simulation(const Engine& engine);
    ~Simulation() { table.destroy(it); }
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    Table table;
    std::string text;
    sme_simulation* it = nullptr;
    sme_status status = SME_OK;
};

extern int differences;

/// `call` of both; what it returns must be the same.
class Pair {
public:
    Pair(const Engine& a, const Engine& b) : a_(a), b_(b), names_(a.name + ", " + b.name) {}

    template <typename Call>
    std::string both(const std::string& what, const Call& call) {
        const std::string a = call(a_), b = call(b_);
        if (a == b) return a;
        const auto at = static_cast<std::size_t>(
            std::mismatch(a.begin(), a.begin() + std::min(a.size(), b.size()), b.begin()).first
            - a.begin());
        const std::size_t from = at > 60 ? at - 60 : 0;
        if (++differences <= 10)
            std::printf("  %s: %s: '%s', '%s'\n", names_.c_str(), what.c_str(),
                        a.substr(from, 200).c_str(), b.substr(from, 200).c_str());
        return a;
    }
    Simulation& first() { return a_; }
    Simulation& second() { return b_; }

private:
    Simulation a_, b_;
    const std::string names_;
};

std::string result(Simulation& s, sme_status status);
std::string shown(const sme_value& value);
std::vector<std::string> paths(Simulation& s);
std::string listed(Simulation& s);
std::uint32_t handle(Simulation& s, const std::string& path);
sme_value shape(Simulation& s, const std::string& path);
std::string got(Simulation& s, const std::string& path);
std::string driver(Simulation& s, const std::string& path);
/// Of an enum with their values, in more bytes than it takes.
std::string members(Simulation& s, const std::string& path);
std::string stepped(Simulation& s, std::uint64_t cycles);
std::string said(Simulation& s);
std::string read(const std::string& path);
/// Values by name, as their bytes; where there is none, why.
using Row = std::map<std::string, std::string>;
Row readAll(Simulation& s, const std::vector<std::string>& names);
/// Runs a cycle, and gives what it read.
Row recorded(Simulation& s, const std::vector<std::string>& names);
void compareAll(Pair& pair, const std::vector<std::string>& names, const std::string& when);

// Each compares, and counts in `differences`.

/// A compiled design with an interpreted one, call by call.
void compareCalls(const Engine& a, const Engine& b, std::uint64_t cycles,
                  const std::string& folder);
/// What is read from outside with what rows have, of one simulator.
void compareMoments(const Engine& engine, std::uint64_t cycles);
/// A run with those that begin in one engine and go on in another.
void compareStates(const std::vector<Engine>& engines, std::uint64_t cycles);

}  // namespace sme::probe
