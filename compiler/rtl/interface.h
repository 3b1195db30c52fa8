#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "rtl/problem.h"

namespace smec::rtl {

struct InterfacePort {
    std::string name;
    std::uint32_t width = 0;
    bool isSigned = false;
};

/// What those who use a module have to know of it.
struct Interface {
    std::string name;      ///< in `.sme`
    std::string clock;     ///< the port left out, for the clock is implicit; empty: none
    bool isRising = true;  ///< the clock's edge
    std::vector<InterfacePort> ports;  ///< without the clock
    std::set<std::string, std::less<>> outputs;
    std::map<std::string, std::string, std::less<>> portNames;  ///< of each in `.sme`
    std::map<std::string, std::string, std::less<>>
        parameters;  ///< the same as the module's text has them: "_irq" where nothing uses it
    std::set<std::string, std::less<>> unread;  ///< inputs that nothing hangs on
    bool isNetwork = false;                     ///< not a process
    std::set<std::string, std::less<>>
        registered;  ///< outputs that hang on no input of the same cycle

    bool isSigned(std::string_view port) const;
};
using Interfaces = std::map<std::string, Interface, std::less<>>;

/// Inputs that no cell and no output of the module hangs on: a clock may be connected to them.
std::set<std::string, std::less<>> unreadInputs(const netlist::Module& module,
                                                const Interfaces& children);

/// The one clock of a module, a port of one bit that nothing else uses. Throws Problem.
void findClock(const netlist::Module& module, const Interfaces& children, Interface& interface,
               bool isTop);

}  // namespace smec::rtl
