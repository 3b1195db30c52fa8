#pragma once

#include <map>
#include <set>
#include <string>

#include "driver/verilog/scan/preprocess.h"

namespace smec::driver::scan {

/// Of the ports of a module.
struct ModuleSigns {
    std::set<std::string, std::less<>> isSigned;
    /// Ports whose sign the words do not tell: where their name is ("m.sv:2.10-2.12"), and the type.
    struct Unknown {
        std::string place;
        std::string type;
        bool operator==(const Unknown&) const = default;
    };
    std::map<std::string, Unknown, std::less<>> unknown;
    bool operator==(const ModuleSigns&) const = default;
};
/// By the module, of those that have any.
using PortSigns = std::map<std::string, ModuleSigns, std::less<>>;

/// Which ports are declared with a sign, for readers whose netlists do not tell. Types of other
/// names count; one that is a parameter has a sign where its default and all that it is given have
/// one. It reads the files itself; O(n).
PortSigns signedPorts(const VerilogInput& input, Texts& texts);

}  // namespace smec::driver::scan
