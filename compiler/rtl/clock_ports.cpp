#include "rtl/clock_ports.h"

#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "rtl/registers.h"

// Clock ports are found from the leaves up, since a module's port may be a clock of its children
// alone. Joining goes from the top down: two ports that became one may be what makes two ports of a
// child one net.
//
//     lm32_ram(input read_clk, input write_clk)    lm32_ram ram(.read_clk(clk), .write_clk(clk))

namespace smec::rtl {
namespace {

using PortNames = std::vector<std::string>;
using Joined = std::map<std::string, std::string, std::less<>>;  ///< from a port to the one for it

class ClockPorts {
public:
    explicit ClockPorts(const std::vector<netlist::Module*>& modules) : modules_(modules) {
        for (netlist::Module* module : modules)
            ports_[module->name] = clockPortsOf(*module);
    }

    void join() {
        for (auto module = modules_.rbegin(); module != modules_.rend(); ++module) {
            const auto found = joined_.find((*module)->name);
            if (found != joined_.end()) take(**module, found->second);
            for (netlist::Cell& cell : (*module)->cells)
                look(cell);
        }
        for (netlist::Module* module : modules_) {
            for (netlist::Cell& cell : module->cells)
                disconnect(cell);
        }
    }

private:
    PortNames clockPortsOf(const netlist::Module& module) const {
        std::unordered_set<netlist::Bit> clocks;
        for (const netlist::Cell& cell : module.cells) {
            for (const ClockUse& use : clocksOf(cell))
                clocks.insert(use.bit);
            const auto child = ports_.find(cell.type);
            if (child == ports_.end()) continue;
            for (const std::string& port : child->second)
                clocks.insert(cell[port].begin(), cell[port].end());
        }
        PortNames names;
        for (const netlist::Port& port : module.ports) {
            if (port.direction == netlist::Direction::Input && port.bits.size() == 1
                && clocks.contains(port.bits[0]))
                names.push_back(port.name);
        }
        return names;
    }

    /// Which ports of an instance are one net; of all instances so far what they have in common.
    void look(const netlist::Cell& cell) {
        const auto ports = ports_.find(cell.type);
        if (ports == ports_.end() || ports->second.size() < 2) return;
        Joined here;
        std::map<netlist::Bits, std::string> first;
        for (const std::string& port : ports->second) {
            const auto [one, isFirst] = first.try_emplace(cell[port], port);
            if (!isFirst && !one->first.empty()) here[port] = one->second;
        }
        const auto [known, isFirst] = joined_.try_emplace(cell.type, here);
        if (!isFirst)
            std::erase_if(known->second, [&](const auto& pair) {
                const auto same = here.find(pair.first);
                return same == here.end() || same->second != pair.second;
            });
    }

    static void take(netlist::Module& module, const Joined& joined) {
        std::unordered_map<netlist::Bit, netlist::Bit> instead;
        for (const auto& [port, kept] : joined)
            instead[module.port(port)->bits[0]] = module.port(kept)->bits[0];
        std::erase_if(module.ports,
                      [&](const netlist::Port& port) { return joined.contains(port.name); });
        const auto replace = [&](netlist::Bits& bits) {
            for (netlist::Bit& bit : bits) {
                if (const auto found = instead.find(bit); found != instead.end())
                    bit = found->second;
            }
        };
        for (netlist::Port& port : module.ports)
            replace(port.bits);
        for (netlist::Net& net : module.nets)
            replace(net.bits);
        for (netlist::Cell& cell : module.cells) {
            for (auto& [port, bits] : cell.connections)
                replace(bits);
        }
    }

    void disconnect(netlist::Cell& cell) const {
        const auto found = joined_.find(cell.type);
        if (found == joined_.end()) return;
        for (const auto& [port, kept] : found->second)
            cell.connections.erase(port);
    }

    const std::vector<netlist::Module*>& modules_;
    std::map<std::string, PortNames, std::less<>> ports_;
    std::map<std::string, Joined, std::less<>> joined_;
};

}  // namespace

void joinClockPorts(const std::vector<netlist::Module*>& modules) { ClockPorts(modules).join(); }

}  // namespace smec::rtl
