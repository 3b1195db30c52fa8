#pragma once

#include "hir/design.h"

namespace smec::hir {

/// Calls `visit(port, field, bus, fieldOfDesign)` for every field that an instance reads (or may
/// read), or writes.
template <typename Visit>
void forEachField(const Design& design, InstanceId id, bool written, const Visit& visit) {
    const Instance& instance = design.instances[id.index];
    std::size_t binding = instance.firstBus;
    for (const Port& port : design.specs[instance.spec.index].ports) {
        const auto field = [&](std::uint32_t element, std::uint32_t number) {
            visit(port, number, design.bindings[binding + element],
                  design.buses[design.bindings[binding + element].index].firstField + number);
        };
        for (std::uint32_t number = 0; number < port.fields.size(); ++number) {
            if (written ? !port.fields[number].written : !port.fields[number].read) continue;
            if (written && !port.writtenElements.empty()) {
                for (const std::uint32_t element : port.writtenElements)
                    field(element, number);
            } else {
                for (std::uint32_t element = 0; element < port.elements; ++element)
                    field(element, number);
            }
        }
        binding += port.elements;
    }
}

}  // namespace smec::hir
