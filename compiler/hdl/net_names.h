#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>

#include "hdl/nets.h"

namespace smec::hdl {

/// "s_3_4"
std::string indexed(const std::string& name, std::span<const std::uint64_t> indices);

/// What the source calls nets.
class NetNames {
public:
    explicit NetNames(const Netlist& list);
    /// The declaration of a node; none of a process that holds instances.
    const hir::Network* networkOf(std::uint32_t node) const;
    /// As the module's own declaration would call the net.
    std::string of(std::uint32_t node, const Net& net) const;

private:
    std::string nameOf(std::uint32_t node) const;
    bool isWithin(std::uint32_t instance, std::uint32_t node) const;

    const Netlist& list_;
    std::unordered_map<std::uint32_t, const hir::Network*> networks_;
};

}  // namespace smec::hdl
