#include <unordered_map>

#include "ir/runs.h"
#include "lower/storage.h"
#include "source/internal_error.h"

namespace smec::lower {

namespace {

class Connector {
public:
    Connector(Context& context, const std::vector<ClassShape>& shapes)
        : context_(context), design_(context.hir), shapes_(shapes) {
        wiring_.fields.resize(design_.fields.size());
    }

    Wiring run() {
        for (const ClassShape& shape : shapes_)
            placeOutputs(shape);
        for (const hir::BusGroup& group : design_.busGroups)
            placeUndriven(group);
        for (const ClassShape& shape : shapes_)
            connectInputs(shape);
        return std::move(wiring_);
    }

private:
    std::uint32_t addSet(std::vector<ir::PlaneId> planes) {
        wiring_.planeSets.push_back(std::move(planes));
        return static_cast<std::uint32_t>(wiring_.planeSets.size() - 1);
    }

    std::uint32_t fieldOf(const hir::Instance& instance, const ClassShape& shape, std::size_t port,
                          std::uint32_t element, std::uint32_t field) const {
        const hir::BusId bus =
            design_.bindings[instance.firstBus + shape.portStart[port] + element];
        return design_.fieldOf(bus, shape.spec->ports[port].shape, field);
    }

    void placeOutputs(const ClassShape& shape) {
        for (std::size_t p = 0; p < shape.outputs.size(); ++p) {
            for (std::uint32_t f = 0; f < shape.outputs[p].size(); ++f) {
                if (shape.outputs[p][f] == kNone) continue;
                const hir::BusShape& bus = design_.shapes[shape.spec->ports[p].shape.index];
                const std::size_t leaves = context_.layouts.of(bus.fields[f].type).size();
                const auto& outputs = context_.out.classes[shape.id.index].outputs;
                std::vector<ir::PlaneId> planes;
                for (std::size_t i = 0; i < leaves; ++i)
                    planes.push_back(outputs[shape.outputs[p][f] + i].plane);
                if (bus.delay > 1)
                    planes = addDelayLine(context_, planes, bus.delay, bus.fields[f].range);
                placeOutput(shape, p, f, addSet(std::move(planes)));
            }
        }
    }

    void placeOutput(const ClassShape& shape, std::size_t port, std::uint32_t field,
                     std::uint32_t set) {
        const hir::Port& written = shape.spec->ports[port];
        const hir::ElementSet& driven = written.fields[field].writtenElements;
        const std::uint32_t elements = driven.count(written.elements);
        for (std::uint32_t i = 0; i < shape.spec->instances.size() * elements; ++i) {
            const hir::InstanceId id = shape.spec->instances[i / elements];
            const std::uint32_t element = driven[i % elements];
            FieldPlace& place =
                wiring_.fields[fieldOf(design_.instances[id.index], shape, port, element, field)];
            require(place.planes == kNone, "a field that is written twice", written.range);
            place = {set, i};
        }
    }

    // -------------------------------------------------------------- fields without a driver

    void placeUndriven(const hir::BusGroup& group) {
        const hir::ShapeId shape = design_.buses[group.first.index].shape;
        const auto& fields = design_.shapes[shape.index].fields;
        for (std::uint32_t f = 0; f < fields.size(); ++f) {
            std::uint32_t set = kNone;
            for (std::uint32_t e = 0; e < group.count; ++e) {
                FieldPlace& place =
                    wiring_.fields[design_.buses[group.first.index + e].firstField + f];
                if (place.planes != kNone) continue;
                if (set == kNone)
                    set = group.exposed ? inputPlanes(group, fields[f], f)
                                        : undrivenPlanes(group, fields[f], f);
                place = {set, group.exposed ? e : 0};
            }
        }
    }

    ir::Plane plane(const Leaf& leaf, const std::string& name, ir::Constants values) {
        ir::Plane result;
        result.name = name + leaf.path;
        result.type = storageOf(leaf);
        result.enumeration = context_.enumerationOf(leaf.type);
        result.range = rangeOf(context_.types(), leaf.type);
        result.dimensions = leaf.dimensions;
        result.initial.values = std::move(values);
        return result;
    }

    ir::PlaneId addPlane(ir::Plane plane) {
        context_.out.planes.push_back(std::move(plane));
        return {static_cast<std::uint32_t>(context_.out.planes.size() - 1)};
    }

    std::uint32_t inputPlanes(const hir::BusGroup& group, const hir::FieldShape& field,
                              std::uint32_t number) {
        auto values =
            constantsOf(context_.types(), field.type, design_.defaultSets[group.defaults][number]);
        const Layout& layout = context_.layouts.of(field.type);
        std::vector<ir::PlaneId> planes;
        for (std::size_t i = 0; i < layout.size(); ++i) {
            ir::Plane result =
                plane(layout[i], group.name + "." + field.name, std::move(values[i]));
            result.kind = ir::PlaneKind::Input;
            result.instances = group.count;
            result.hold = field.hold;
            planes.push_back(addPlane(std::move(result)));
        }
        return addSet(std::move(planes));
    }

    /// One plane for all leaves of the same type and default; one set for all fields of a default
    /// set.
    std::uint32_t undrivenPlanes(const hir::BusGroup& group, const hir::FieldShape& field,
                                 std::uint32_t number) {
        const std::uint64_t setKey = (static_cast<std::uint64_t>(group.defaults) << 32) | number;
        auto [known, added] = undrivenSets_.try_emplace(setKey, std::pair(field.type.index, kNone));
        if (!added && known->second.first == field.type.index) return known->second.second;
        auto values =
            constantsOf(context_.types(), field.type, design_.defaultSets[group.defaults][number]);
        const Layout& layout = context_.layouts.of(field.type);
        std::vector<ir::PlaneId> planes;
        for (std::size_t i = 0; i < layout.size(); ++i) {
            std::string type = std::to_string(layout[i].type.index);
            for (std::uint64_t d : layout[i].dimensions)
                type += "x" + std::to_string(d);
            auto [it, isNew] = undriven_[type].try_emplace(values[i]);
            if (isNew) {
                ir::Plane result = plane(layout[i], field.name, std::move(values[i]));
                result.kind = ir::PlaneKind::Undriven;
                it->second = addPlane(std::move(result));
            }
            planes.push_back(it->second);
        }
        known->second = {field.type.index, addSet(std::move(planes))};
        return known->second.second;
    }

    // -------------------------------------------------------------- inputs

    void connectInputs(const ClassShape& shape) {
        ir::Class& cls = context_.out.classes[shape.id.index];
        for (std::size_t p = 0; p < shape.inputs.size(); ++p) {
            for (std::uint32_t f = 0; f < shape.inputs[p].size(); ++f) {
                if (shape.inputs[p][f] == kNone) continue;
                const hir::Port& port = shape.spec->ports[p];
                const hir::TypeId type = design_.shapes[port.shape.index].fields[f].type;
                const std::size_t leaves = context_.layouts.of(type).size();
                const hir::ElementSet& read = port.fields[f].readElements;
                for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
                    auto& elements = cls.inputs[shape.inputs[p][f] + leaf].elements;
                    for (std::uint32_t e = 0; e < read.count(port.elements); ++e)
                        elements.push_back(connection(shape, p, read[e], f, leaf));
                }
            }
        }
    }

    ir::Connection connection(const ClassShape& shape, std::size_t port, std::uint32_t element,
                              std::uint32_t field, std::size_t leaf) const {
        ir::RunBuilder runs;
        for (hir::InstanceId id : shape.spec->instances) {
            const FieldPlace& place =
                wiring_.fields[fieldOf(design_.instances[id.index], shape, port, element, field)];
            require(place.planes != kNone, "a field without a place");
            runs.add(wiring_.planeSets[place.planes][leaf], place.element);
        }
        return {runs.take()};
    }

    Context& context_;
    const hir::Design& design_;
    const std::vector<ClassShape>& shapes_;
    Wiring wiring_;
    std::unordered_map<std::uint64_t, std::pair<std::uint32_t, std::uint32_t>> undrivenSets_;
    /// By type and dimensions, then by default.
    std::unordered_map<std::string, std::unordered_map<ir::Constants, ir::PlaneId, ConstantsHash>>
        undriven_;
};

}  // namespace

Wiring connect(Context& context, const std::vector<ClassShape>& shapes) {
    return Connector(context, shapes).run();
}

}  // namespace smec::lower
