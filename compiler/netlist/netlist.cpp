#include "netlist/netlist.h"

namespace smec::netlist {

std::string_view valueOf(const Values& values, std::string_view name) {
    const auto found = values.find(name);
    return found == values.end() ? std::string_view() : std::string_view(found->second);
}

std::uint64_t numberOf(std::string_view digits) {
    std::uint64_t number = 0;
    for (const char digit : digits)
        number = number << 1 | (digit == '1' ? 1 : 0);
    return number;
}

const Bits& Cell::operator[](std::string_view port) const {
    static const Bits kNone;
    const auto found = connections.find(port);
    return found == connections.end() ? kNone : found->second;
}

std::uint64_t Cell::number(std::string_view parameter) const {
    return numberOf(valueOf(parameters, parameter));
}

const Port* Module::port(std::string_view portName) const {
    for (const Port& port : ports) {
        if (port.name == portName) return &port;
    }
    return nullptr;
}

}  // namespace smec::netlist
