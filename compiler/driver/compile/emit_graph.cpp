#include "driver/compile/emit_graph.h"

#include <fmt/format.h>

// ring: p[0] add  reads link[0].v  drives link[1].v

namespace smec::driver {
namespace {

/// "link[0].v link[0].full" for the fields of an instance's ports for which `wanted` holds.
template <typename Predicate>
std::string fieldsOf(const hir::Design& design, const hir::Instance& instance, Predicate wanted) {
    const hir::Specialisation& spec = design.specs[instance.spec.index];
    std::string text;
    std::uint32_t binding = instance.firstBus;
    for (const hir::Port& port : spec.ports) {
        for (std::uint32_t element = 0; element < port.elements; ++element, ++binding) {
            const hir::BusId bus = design.bindings[binding];
            const auto& fields = design.shapes[port.shape.index].fields;
            for (std::size_t f = 0; f < fields.size() && f < port.fields.size(); ++f) {
                if (!wanted(port.fields[f])) continue;
                const auto& busFields = design.shapes[design.buses[bus.index].shape.index].fields;
                (void)busFields;
                text += fmt::format(" {}.{}", hir::pathOf(design, bus), fields[f].name);
            }
        }
    }
    return text;
}

}  // namespace

std::string processGraph(const hir::Design& design) {
    std::string text = fmt::format("network {}\n", design.topName);
    for (std::uint32_t i = 0; i < design.instances.size(); ++i) {
        const hir::Instance& instance = design.instances[i];
        if (instance.kind != hir::InstanceKind::Process) continue;
        const hir::Specialisation& spec = design.specs[instance.spec.index];
        text += fmt::format("{} of {}\n", hir::pathOf(design, hir::InstanceId{i}), spec.name);
        if (std::string reads =
                fieldsOf(design, instance, [](const hir::PortField& f) { return f.read; });
            !reads.empty()) {
            text += fmt::format("  reads{}\n", reads);
        }
        if (std::string drives =
                fieldsOf(design, instance, [](const hir::PortField& f) { return f.written; });
            !drives.empty()) {
            text += fmt::format("  drives{}\n", drives);
        }
    }
    return text;
}

}  // namespace smec::driver
