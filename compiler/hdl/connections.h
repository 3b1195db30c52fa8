#pragma once

#include <cstdint>
#include <unordered_map>

#include "hdl/class_modules.h"
#include "hdl/module_builder.h"
#include "hdl/net_names.h"
#include "hdl/nets.h"

namespace smec::hdl {

/// What nets are in the module of a network.
struct PlacedNets {
    std::uint32_t node = kNone;
    std::unordered_map<std::uint32_t, SignalId> signals{};  ///< by net
    /// Of nets that share a vector: the first element.
    std::unordered_map<std::uint32_t, std::uint32_t> elements{};

    /// The net as the network sees it.
    Actual::Part part(const Netlist& list, std::uint32_t net) const;
};

Signal signalOf(const Netlist& list, const Net& net, Role role);

/// Connects instances of processes to the nets of the network that they are in.
class Connections {
public:
    /// All of them outlive it.
    Connections(const Netlist& list, const NetNames& names, const ClassModules& classes,
                ModuleList& modules)
        : list_(list), names_(names), classes_(classes), modules_(modules) {}

    /// Gives the instance its module, parameters and actuals. Delay lines and what nobody reads
    /// become signals and instances of the network's own.
    void connect(const PlacedNets& placed, std::uint32_t child, Instance& instance,
                 ModuleBuilder& builder);

private:
    Actual::Part partOf(const PlacedNets& placed, std::uint32_t number) const;
    Actual::Part driven(const PlacedNets& placed, std::uint32_t number, std::uint32_t driver,
                        ModuleBuilder& builder);
    ModuleId delayLine(const Net& net);
    void setParameters(const Node& leaf, const Process& process, const Module& module,
                       Instance& instance) const;

    const Netlist& list_;
    const NetNames& names_;
    const ClassModules& classes_;
    ModuleList& modules_;
};

}  // namespace smec::hdl
