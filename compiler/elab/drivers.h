#pragma once

#include "elab/tree.h"

namespace smec::elab {

/// Calls `visit(port, field, fieldOfDesign)` for every field that an instance reads (or may read),
/// or writes.
template <typename Visit>
void forEachField(const hir::Design& design, hir::InstanceId id, bool written, const Visit& visit) {
    const hir::Instance& instance = design.instances[id.index];
    std::size_t binding = instance.firstBus;
    for (const hir::Port& port : design.specs[instance.spec.index].ports) {
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

/// Finds the driver of every field and how it drives; reports second drivers and `hold` where a
/// combinational process drives. `nodes[i]` is the node of instance i.
void findDrivers(Tree& tree, const std::vector<NodeId>& nodes);

/// Reports cycles of combinational dependencies, one for each knot of them.
void checkCombinational(Tree& tree, const std::vector<NodeId>& nodes);

/// -Wundriven and -Wunread: once for each declared field.
void warnAboutFields(Tree& tree);

/// "a.level.v"
std::string fieldPath(const hir::Design& design, hir::BusId bus, std::uint32_t field);

}  // namespace smec::elab
