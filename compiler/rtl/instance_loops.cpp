#include "rtl/instance_loops.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "rtl/cell_maker.h"
#include "rtl/cells.h"
#include "rtl/expand.h"
#include "rtl/registers.h"
#include "rtl/split_words.h"
#include "source/graph.h"

//     swap s(.a({w[0], in}), .y(w));        y depends on a: in words, w depends on w
//
// Nodes are cells and the outputs of instances. Of each node it is known on which inputs of its
// module it depends, so that of each module it is known which output depends on which inputs.

namespace smec::rtl {
namespace {

using netlist::Bit;
using netlist::Bits;
using netlist::Cell;
using netlist::Module;

using PortSet = std::vector<std::uint32_t>;  ///< sorted; places in Module::ports
/// What each port of a module depends on within a cycle; empty for inputs.
using Dependences = std::vector<PortSet>;

struct Known {
    const Module* module;
    Dependences outputs;
};
using KnownModules = std::map<std::string, Known, std::less<>>;

void addAll(PortSet& to, const PortSet& more) {
    PortSet both;
    std::ranges::set_union(to, more, std::back_inserter(both));
    to = std::move(both);
}

class PortGraph {
public:
    PortGraph(const Module& module, const KnownModules& known)
        : module_(module), known_(known), nodeOf_(firstFree(module), kNone) {
        for (std::uint32_t i = 0; i < module.cells.size(); ++i)
            addCell(i);
        for (std::uint32_t i = 0; i < module.ports.size(); ++i) {
            if (module.ports[i].direction != netlist::Direction::Input) continue;
            addNode(kNone, i, module.ports[i].bits);
        }
        depends_.resize(nodes_.size());
        for (std::uint32_t node = 0; node < nodes_.size(); ++node)
            inputs_.add(inputsOf(node));
        componentsOf(inputs_).forEach([&](std::span<const std::uint32_t> nodes) { close(nodes); });
    }

    std::set<std::uint32_t> inLoops;  ///< instances, by their cells

    Dependences outputs() const {
        Dependences all(module_.ports.size());
        for (std::uint32_t i = 0; i < all.size(); ++i) {
            if (module_.ports[i].direction == netlist::Direction::Input) continue;
            for (const std::uint32_t node : nodesOf(module_.ports[i].bits))
                addAll(all[i], depends_[node]);
        }
        return all;
    }

private:
    static constexpr std::uint32_t kNone = UINT32_MAX;
    struct Node {
        std::uint32_t cell;  ///< kNone: an input of the module
        std::uint32_t port;  ///< of the module, or of the instance's
    };

    void addNode(std::uint32_t cell, std::uint32_t port, const Bits& bits) {
        for (const Bit bit : bits) {
            if (netlist::isNet(bit)) nodeOf_[bit] = static_cast<std::uint32_t>(nodes_.size());
        }
        nodes_.push_back({cell, port});
    }

    void addCell(std::uint32_t index) {
        const Cell& cell = module_.cells[index];
        const auto child = known_.find(cell.type);
        if (child == known_.end()) {
            if (computes(cell)) addNode(index, 0, cell["Y"]);
            if (isMemory(cell)) addNode(index, 0, cell["RD_DATA"]);
            return;
        }
        const std::vector<netlist::Port>& ports = child->second.module->ports;
        for (std::uint32_t i = 0; i < ports.size(); ++i) {
            if (!child->second.outputs[i].empty()) addNode(index, i, cell[ports[i].name]);
        }
    }

    std::vector<std::uint32_t> nodesOf(const Bits& bits) const {
        std::vector<std::uint32_t> nodes;
        for (const Bit bit : bits) {
            const std::uint32_t node = bit < nodeOf_.size() ? nodeOf_[bit] : kNone;
            if (node != kNone && (nodes.empty() || nodes.back() != node)) nodes.push_back(node);
        }
        return nodes;
    }

    std::vector<std::uint32_t> inputsOf(std::uint32_t number) const {
        std::vector<std::uint32_t> inputs;
        const Node& node = nodes_[number];
        if (node.cell == kNone) return inputs;
        const Cell& cell = module_.cells[node.cell];
        const auto add = [&](const Bits& bits) {
            const std::vector<std::uint32_t> more = nodesOf(bits);
            inputs.insert(inputs.end(), more.begin(), more.end());
        };
        if (const auto child = known_.find(cell.type); child != known_.end()) {
            for (const std::uint32_t port : child->second.outputs[node.port])
                add(cell[child->second.module->ports[port].name]);
        } else if (isMemory(cell)) {
            add(cell["RD_ADDR"]);
        } else {
            for (const auto& [port, bits] : cell.connections) {
                if (port != "Y") add(bits);
            }
        }
        return inputs;
    }

    void close(std::span<const std::uint32_t> nodes) {
        PortSet all;
        for (const std::uint32_t node : nodes) {
            if (nodes_[node].cell == kNone) all = {nodes_[node].port};
            for (const std::uint32_t input : inputs_[node])
                if (depends_[input] != all) addAll(all, depends_[input]);
        }
        const bool isLoop = isCyclic(inputs_, nodes);
        for (const std::uint32_t node : nodes) {
            depends_[node] = all;
            if (isLoop && known_.contains(module_.cells[nodes_[node].cell].type))
                inLoops.insert(nodes_[node].cell);
        }
    }

    const Module& module_;
    const KnownModules& known_;
    std::vector<std::uint32_t> nodeOf_;  ///< by bit
    std::vector<Node> nodes_;
    Graph inputs_;                  ///< from each node to those whose value it takes
    std::vector<PortSet> depends_;  ///< by node
};

/// Puts the cells of an instance's module into the module around it.
class Opening {
public:
    Opening(Module& module, Bit& next, std::vector<Cell>& added)
        : module_(module), added_(added), maker_(next, added) {}

    void open(const Cell& instance, const Module& inner) {
        maker_.replace(instance);
        std::vector<Bit> becomes(firstFree(inner), netlist::kUnknown);
        for (const netlist::Port& port : inner.ports) {
            if (port.direction == netlist::Direction::Input) connectInput(instance, port, becomes);
        }
        for (const netlist::Port& port : inner.ports) {
            if (port.direction != netlist::Direction::Input) connectOutput(instance, port, becomes);
        }
        const auto mapped = [&](const Bits& bits) { return mappedBits(bits, becomes); };
        for (const netlist::Net& net : inner.nets)
            module_.nets.push_back(
                {instance.name + "." + net.name, net.isHidden, mapped(net.bits), net.attributes});
        for (const Cell& cell : inner.cells) {
            Cell& made = added_.emplace_back(cell);
            if (!made.name.starts_with('$')) made.name = instance.name + "." + made.name;
            if (isMemory(made))
                made.parameters["MEMID"] =
                    instance.name + "." + std::string(netlist::valueOf(cell.parameters, "MEMID"));
            for (auto& [port, bits] : made.connections)
                bits = mapped(bits);
        }
    }

private:
    static void connectInput(const Cell& instance, const netlist::Port& port,
                             std::vector<Bit>& becomes) {
        const Bits& given = instance[port.name];
        for (std::size_t i = 0; i < port.bits.size(); ++i)
            becomes[port.bits[i]] = i < given.size() ? given[i] : netlist::kZero;
    }

    /// What drives the output drives the net outside, unless it has driven another one already.
    void connectOutput(const Cell& instance, const netlist::Port& port, std::vector<Bit>& becomes) {
        const Bits& taken = instance[port.name];
        Bits from;
        Bits to;
        for (std::size_t i = 0; i < std::min(port.bits.size(), taken.size()); ++i) {
            const Bit bit = port.bits[i];
            if (netlist::isNet(bit) && becomes[bit] == netlist::kUnknown) {
                becomes[bit] = taken[i];
                continue;
            }
            from.push_back(netlist::isNet(bit) ? becomes[bit] : bit);
            to.push_back(taken[i]);
        }
        if (!to.empty()) maker_.drive(to, from);
    }

    Bits mappedBits(const Bits& bits, std::vector<Bit>& becomes) {
        Bits all;
        for (const Bit bit : bits) {
            if (!netlist::isNet(bit)) {
                all.push_back(bit);
                continue;
            }
            if (becomes[bit] == netlist::kUnknown) becomes[bit] = maker_.fresh(1)[0];
            all.push_back(becomes[bit]);
        }
        return all;
    }

    Module& module_;
    std::vector<Cell>& added_;
    CellMaker maker_;
};

void openAll(Module& module, const std::set<std::uint32_t>& instances, const KnownModules& known) {
    Bit next = firstFree(module);
    std::vector<Cell> added;
    Opening opening(module, next, added);
    for (const std::uint32_t index : instances) {
        const Cell& instance = module.cells[index];
        opening.open(instance, *known.find(instance.type)->second.module);
    }
    std::uint32_t at = 0;
    std::erase_if(module.cells, [&](const Cell&) { return instances.contains(at++); });
    std::ranges::move(added, std::back_inserter(module.cells));
}

}  // namespace

void openInstancesInLoops(const std::vector<netlist::Module*>& modules) {
    KnownModules known;
    for (Module* module : modules) {
        splitWords(*module);
        while (true) {
            const PortGraph graph(*module, known);
            if (graph.inLoops.empty()) {
                known[module->name] = {module, graph.outputs()};
                break;
            }
            openAll(*module, graph.inLoops, known);
            splitWords(*module);
        }
    }
}

std::optional<std::pair<std::string, std::string>> combinationalPath(netlist::Design design,
                                                                     std::string_view top) {
    std::map<std::string, Module*, std::less<>> byName;
    for (Module& module : design.modules)
        byName[module.name] = &module;
    KnownModules known;
    const auto look = [&](const auto& self, Module& module) -> void {
        if (!known.try_emplace(module.name, Known{&module, Dependences(module.ports.size())})
                 .second)
            return;
        expandCells(module, false);
        for (const Cell& cell : module.cells) {
            if (const auto child = byName.find(cell.type); child != byName.end())
                self(self, *child->second);
        }
        known[module.name].outputs = PortGraph(module, known).outputs();
    };
    const auto found = byName.find(top);
    if (found == byName.end()) return std::nullopt;
    look(look, *found->second);
    const std::vector<netlist::Port>& ports = found->second->ports;
    const Dependences& outputs = known.find(top)->second.outputs;
    for (std::size_t i = 0; i < ports.size(); ++i) {
        if (!outputs[i].empty()) return std::pair(ports[i].name, ports[outputs[i][0]].name);
    }
    return std::nullopt;
}

}  // namespace smec::rtl
