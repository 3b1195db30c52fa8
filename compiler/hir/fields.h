#pragma once

#include "hir/design.h"

namespace smec::hir {

/// Calls `visit(port, fieldOfBus, bus, fieldOfDesign)` for every field that an instance reads (or
/// may read), or writes. Whoever asks what depends on what asks here, so that all find the same.
template <typename Visit>
void forEachField(const Design& design, InstanceId id, bool written, const Visit& visit) {
    const Instance& instance = design.instances[id.index];
    std::size_t binding = instance.firstBus;
    for (const Port& port : design.specs[instance.spec.index].ports) {
        const auto field = [&](std::uint32_t element, std::uint32_t number) {
            const BusId bus = design.bindings[binding + element];
            const std::uint32_t first = design.buses[bus.index].firstField;
            const std::uint32_t whole = design.fieldOf(bus, port.shape, number);
            visit(port, whole - first, bus, whole);
        };
        for (std::uint32_t number = 0; number < port.fields.size(); ++number) {
            const PortField& used = port.fields[number];
            if (written ? !used.written : !used.read) continue;
            const ElementSet& elements = written ? used.writtenElements : used.readElements;
            for (std::uint32_t i = 0; i < elements.count(port.elements); ++i)
                field(elements[i], number);
        }
        binding += port.elements;
    }
}

}  // namespace smec::hir
