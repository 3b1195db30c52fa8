#include "sema/check/ports.h"

#include <algorithm>

namespace smec::sema {

std::uint32_t Ports::add(hir::Port port, bool isOut) {
    port.fields.resize(design_.shapes[port.shape.index].fields.size());
    elementUses_.emplace_back(port.fields.size());
    isOut_.push_back(isOut);
    ports_.push_back(std::move(port));
    return static_cast<std::uint32_t>(ports_.size() - 1);
}

void Ports::add(const PortInput& input) {
    hir::Port port;
    port.name = input.name;
    port.origin = input.origin;
    port.shape = input.shape;
    port.isArray = input.isArray;
    port.dimensions = input.dimensions;
    port.elementShapes = input.elementShapes;
    if (input.isArray && port.dimensions.empty()) port.dimensions = {1};
    for (std::uint64_t size : port.dimensions)
        port.elements *= static_cast<std::uint32_t>(size);
    port.range = input.range;
    const hir::BusShape& shape = design_.shapes[input.shape.index];
    bool hasFlip = std::any_of(shape.fields.begin(), shape.fields.end(),
                               [](const hir::FieldShape& field) { return field.flip; });
    port.canWrite = input.origin != hir::PortOrigin::Parameter || input.isOut || hasFlip;
    names_.emplace(input.name, add(std::move(port), input.isOut));
}

std::uint32_t Ports::addReference(const std::string& text, const ResolvedPath& path, ExprRef ref,
                                  SourceRange range) {
    const auto known = references_.find(text);
    if (known != references_.end()) return known->second;
    hir::Port port;
    port.name = text;
    port.origin = hir::PortOrigin::Reference;
    port.canWrite = true;
    port.shape = path.shape;
    port.isArray = !path.dimensions.empty();
    port.dimensions = path.dimensions;
    port.elements = static_cast<std::uint32_t>(path.buses.size());
    port.range = range;
    referencePaths_.push_back(ref);
    const std::uint32_t number = add(std::move(port), true);
    references_.emplace(text, number);
    return number;
}

std::optional<std::uint32_t> Ports::find(const std::string& name) const {
    const auto known = names_.find(name);
    return known == names_.end() ? std::nullopt : std::optional(known->second);
}

const std::vector<hir::FieldShape>& Ports::fields(std::size_t port) const {
    return design_.shapes[ports_[port].shape.index].fields;
}

std::optional<std::uint32_t> Ports::fieldNamed(std::size_t port, std::string_view name) const {
    return design_.shapes[ports_[port].shape.index].fieldNamed(name);
}

bool Ports::mayWrite(std::size_t port, bool flip) const {
    return ports_[port].origin != hir::PortOrigin::Parameter || isOut_[port] != flip;
}

bool Ports::noteWrite(const Operand& bus, std::uint32_t field, SourceRange range) {
    hir::Port& port = ports_[bus.port];
    const hir::FieldShape& shape = fields(bus.port)[field];
    if (!mayWrite(bus.port, shape.flip)) {
        reporter_.report(isOut_[bus.port] ? DiagId::WriteFlip : DiagId::WriteInput, range,
                         shape.name, port.name);
        return false;
    }
    hir::PortField& mark = port.fields[field];
    if (!mark.written) mark.firstWrite = range;
    mark.written = true;
    if (port.isArray) noteElement(elementUses_[bus.port][field].writes, bus, true);
    return true;
}

std::vector<hir::Port> Ports::take() {
    for (std::size_t i = 0; i < ports_.size(); ++i) {
        for (std::size_t f = 0; f < ports_[i].fields.size() && ports_[i].isArray; ++f) {
            FieldUses& uses = elementUses_[i][f];
            ports_[i].fields[f].readElements = uses.reads.finish(ports_[i].elements);
            ports_[i].fields[f].writtenElements = uses.writes.finish(ports_[i].elements);
        }
    }
    return std::move(ports_);
}

}  // namespace smec::sema
