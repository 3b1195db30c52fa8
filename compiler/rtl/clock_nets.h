#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "netlist/netlist.h"

namespace smec::rtl {

/// A clock and a signal that lets it pass: clk & enable, clk | ~enable.
struct ClockGate {
    const netlist::Cell* cell;
    netlist::Bit clock;
    netlist::Bit enable;
    bool isAnd;
};

/// What drives a bit: an output of a cell, or an input of the module (no cell).
struct BitDriver {
    netlist::Cell* cell = nullptr;
    std::string port;
    std::uint32_t offset = 0;
};

/// A module with its clocks, its instances and, where they are asked for, its drivers.
struct ClockedModule {
    explicit ClockedModule(netlist::Module& module_) : module(module_) {}

    netlist::Module& module;
    struct Use {
        ClockedModule* parent;
        netlist::Cell* cell;
    };
    std::vector<Use> uses;                    ///< its instances
    std::unordered_set<netlist::Bit> clocks;  ///< nets that somebody takes as a clock
    std::set<std::string> clockOutputs;       ///< outputs that others take as clocks
    std::unordered_map<netlist::Bit, BitDriver> inputs;
    std::unordered_map<netlist::Bit, BitDriver> drivers;  ///< by cells
    std::unordered_set<netlist::Bit> latching;            ///< what opens latches
    bool isIndexed = false;
};

/// The nets of a design that are used as clocks, followed from registers to where they come from:
/// through ports in both directions and through gates.
class ClockNets {
public:
    explicit ClockNets(const std::vector<netlist::Module*>& modules);

    /// In the order of `modules`.
    std::deque<ClockedModule> all;
    bool isRising = true;  ///< the edge that most registers take
    ClockedModule* find(std::string_view module);
    /// None: nobody, or a constant.
    const BitDriver* driverOf(ClockedModule& module, netlist::Bit bit);
    std::optional<ClockGate> gateOf(ClockedModule& module, netlist::Bit bit, int depth = 0);

private:
    void follow(ClockedModule& module, netlist::Bit bit);
    void mark(ClockedModule& module, netlist::Bit bit);
    void index(ClockedModule& module);
    bool isLikeClock(ClockedModule& module, netlist::Bit bit, int depth);
    bool isLatchOf(ClockedModule& module, netlist::Bit bit, netlist::Bit clock);

    struct Net {
        ClockedModule* module;
        netlist::Bit bit;
    };
    std::map<std::string, ClockedModule*, std::less<>> byName_;
    std::vector<Net> todo_;
};

/// A latch of Yosys' that has no reset.
bool isPlainLatch(const netlist::Cell& cell);
/// The pins of a cell that are clocks; a memory's come one for each of its ports.
std::vector<std::string_view> clockPins(const netlist::Cell& cell);

}  // namespace smec::rtl
