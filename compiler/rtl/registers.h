#pragma once

#include "netlist/netlist.h"

namespace smec::rtl {

/// Whether a cell of Yosys is a register with a clock, of the kinds that are known here.
bool isRegister(const netlist::Cell& cell);
bool isMemory(const netlist::Cell& cell);
/// Whether it watches at the clock's edge: assertions and what prints.
bool isCheck(const netlist::Cell& cell);

/// A parameter of our own: so many of a memory's last ports are its asynchronous reset, which acts
/// without the clock.
inline constexpr const char* kResetPorts = "RESET_PORTS";
bool isResetPort(const netlist::Cell& memory, std::size_t port);

/// The clocks of a cell with the edges that count: a register's CLK, a check's TRG, those of a
/// memory's ports.
struct ClockUse {
    netlist::Bit bit;
    bool isRising;
};
std::vector<ClockUse> clocksOf(const netlist::Cell& cell);

/// Initial values by net, from the attributes of nets; 0 where there is none.
class InitialValues {
public:
    explicit InitialValues(const netlist::Module& module);
    bool of(netlist::Bit bit) const;

private:
    std::vector<netlist::Bit> ones_;  ///< sorted
};

/// Registers with an asynchronous reset become registers with a synchronous one and a multiplexer
/// behind them: the value is the reset's while it is on, for all readers, and stays after the edge.
/// `isSync`: without the multiplexer, so that the reset acts at the edge alone.
void splitAsyncResets(netlist::Module& module, bool isSync);

}  // namespace smec::rtl
