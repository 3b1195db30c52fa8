#include "hdl/nets.h"

#include <algorithm>
#include <unordered_map>

#include "hdl/module_builder.h"
#include "source/internal_error.h"

namespace smec::hdl {

Netlist::Netlist(const hir::Design& from, const ir::Design& to)
    : design(from), lowered(to), layouts_(from.types) {
    makeNodes();
    matchPorts();
    makeNets();
    findReaders();
}

void Netlist::makeNodes() {
    nodes.resize(design.instances.size());
    for (std::uint32_t i = 0; i < design.instances.size(); ++i) {
        const hir::Instance& instance = design.instances[i];
        nodes[i].instance = {i};
        if (!instance.parent.valid()) continue;
        nodes[i].parent = instance.parent.index;
        nodes[instance.parent.index].children.push_back(i);
    }
    for (const hir::Specialisation& spec : design.specs)
        if (!spec.instances.empty()) specs.push_back(&spec);
    std::sort(specs.begin(), specs.end(), [](const auto* a, const auto* b) {
        return a->instances.front().index < b->instances.front().index;
    });
    for (std::uint32_t cls = 0; cls < specs.size(); ++cls) {
        for (std::uint32_t k = 0; k < specs[cls]->instances.size(); ++k) {
            std::uint32_t at = specs[cls]->instances[k].index;
            if (!nodes[at].children.empty()) {
                Node self;
                self.parent = at;
                self.instance = nodes[at].instance;
                nodes.push_back(self);
                nodes[at].children.insert(nodes[at].children.begin(),
                                          static_cast<std::uint32_t>(nodes.size() - 1));
                at = static_cast<std::uint32_t>(nodes.size() - 1);
            }
            nodes[at].isLeaf = true;
            nodes[at].cls = cls;
            nodes[at].number = k;
        }
    }
}

/// By name: lowering calls the inputs and outputs of a class after port, field and leaf.
void Netlist::matchPorts() {
    for (std::uint32_t cls = 0; cls < specs.size(); ++cls) {
        const hir::Specialisation& spec = *specs[cls];
        std::unordered_map<std::string, PortLeaf> byName;
        for (std::uint32_t p = 0; p < spec.ports.size(); ++p) {
            const auto& fields = design.shapes[spec.ports[p].shape.index].fields;
            for (std::uint32_t f = 0; f < fields.size(); ++f) {
                const lower::Layout& layout = layouts_.of(fields[f].type);
                for (std::uint32_t l = 0; l < layout.size(); ++l)
                    byName.try_emplace(spec.ports[p].name + "." + fields[f].name + layout[l].path,
                                       PortLeaf{p, f, l});
            }
        }
        const ir::Class& made = lowered.classes[cls];
        inputs.emplace_back();
        outputs.emplace_back();
        sameAs.emplace_back();
        for (const ir::Output& output : made.outputs)
            outputs.back().push_back(byName.at(output.name));
        for (const ir::Input& input : made.inputs) {
            const PortLeaf leaf = byName.at(input.name);
            inputs.back().push_back(leaf);
            const hir::Port& port = spec.ports[leaf.port];
            const hir::PortField& field = port.fields[leaf.field];
            const bool isOwn = field.written && field.readElements == field.writtenElements
                               && !made.combinational && design.shapes[port.shape.index].delay == 1;
            const auto same =
                std::find_if(made.outputs.begin(), made.outputs.end(),
                             [&](const ir::Output& output) { return output.name == input.name; });
            sameAs.back().push_back(
                isOwn && same != made.outputs.end() ? same - made.outputs.begin() : -1);
        }
    }
}

const hir::BusShape& Netlist::shapeOf(const Net& net) const {
    return design.shapes[design.buses[net.bus.index].shape.index];
}

namespace {

/// Of every scalar in it: one value, or one for each element.
std::vector<Integer> integersOf(const ir::Constants& values) {
    std::vector<Integer> result;
    for (const ir::Constant& value : values)
        if (const auto* number = std::get_if<Integer>(&value.value)) result.push_back(*number);
    return result;
}

}  // namespace

void Netlist::makeNets() {
    firstNet_.assign(design.fields.size(), kNone);
    std::vector<std::uint32_t> leafOf(design.instances.size(), kNone);
    for (std::uint32_t i = 0; i < nodes.size(); ++i)
        if (nodes[i].isLeaf) leafOf[nodes[i].instance.index] = i;
    for (std::uint32_t b = 0; b < design.buses.size(); ++b) {
        const hir::Bus& bus = design.buses[b];
        const hir::BusShape& shape = design.shapes[bus.shape.index];
        for (std::uint32_t f = 0; f < shape.fields.size(); ++f) {
            firstNet_[bus.firstField + f] = static_cast<std::uint32_t>(nets.size());
            const lower::Layout& layout = layouts_.of(shape.fields[f].type);
            const auto values =
                lower::constantsOf(design.types, shape.fields[f].type, design.defaultOf({b}, f));
            for (std::uint32_t l = 0; l < layout.size(); ++l) {
                Net net = netOf(layout[l]);
                net.bus = {b};
                net.field = f;
                net.leaf = l;
                net.isExposed = design.busGroups[bus.group].exposed;
                net.initial = integersOf(values[l]);
                setSource(net, design.fields[bus.firstField + f], leafOf);
                nets.push_back(std::move(net));
            }
        }
    }
}

Net Netlist::netOf(const lower::Leaf& leaf) {
    Net net;
    net.type = typeOf(leaf.scalar);
    net.isFloat =
        leaf.scalar.kind == ir::ScalarKind::F32 || leaf.scalar.kind == ir::ScalarKind::F64;
    net.scalar = leaf.type;
    net.length = leaf.dimensions.empty() ? 0 : static_cast<std::uint32_t>(leaf.elements);
    return net;
}

void Netlist::setSource(Net& net, const hir::Field& field,
                        const std::vector<std::uint32_t>& leafOf) const {
    if (field.kind == hir::FieldDriver::None) {
        if (net.isExposed) net.source = Net::Source::Top;
        return;
    }
    net.driver = leafOf[field.driver.index];
    require(net.driver != kNone, "a driver that is no process");
    const hir::BusShape& shape = shapeOf(net);
    const bool isImmediate = specs[nodes[net.driver].cls]->kind == hir::ProcKind::Combinational;
    net.delay = isImmediate ? (shape.isDelayed ? shape.delay : 0) : shape.delay - 1;
    net.source = isSimulation(nodes[net.driver].cls) ? Net::Source::Top : Net::Source::Process;
}

std::uint32_t Netlist::netOf(const Node& node, const PortLeaf& leaf, std::uint32_t element) const {
    const hir::Instance& instance = design.instances[node.instance.index];
    const hir::Specialisation& spec = *specs[node.cls];
    std::uint32_t binding = instance.firstBus + element;
    for (std::uint32_t p = 0; p < leaf.port; ++p)
        binding += spec.ports[p].elements;
    return firstNet_[design.fieldOf(design.bindings[binding], spec.ports[leaf.port].shape,
                                    leaf.field)]
           + leaf.leaf;
}

std::vector<std::uint32_t> Netlist::elementsOf(std::uint32_t cls, const PortLeaf& leaf,
                                               bool written) const {
    const hir::Port& port = specs[cls]->ports[leaf.port];
    const hir::PortField& field = port.fields[leaf.field];
    const hir::ElementSet& used = written ? field.writtenElements : field.readElements;
    std::vector<std::uint32_t> elements(used.count(port.elements));
    for (std::uint32_t i = 0; i < elements.size(); ++i)
        elements[i] = used[i];
    return elements;
}

void Netlist::findReaders() {
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        const Node& node = nodes[i];
        if (!node.isLeaf || isSimulation(node.cls)) continue;
        for (std::size_t k = 0; k < inputs[node.cls].size(); ++k) {
            if (sameAs[node.cls][k] >= 0) continue;
            const PortLeaf& leaf = inputs[node.cls][k];
            for (const std::uint32_t e : elementsOf(node.cls, leaf, false)) {
                std::vector<std::uint32_t>& readers = nets[netOf(node, leaf, e)].readers;
                if (readers.empty() || readers.back() != i) readers.push_back(i);
            }
        }
    }
}

std::string Netlist::suffixOf(const Net& net) const {
    const hir::FieldShape& field = shapeOf(net).fields[net.field];
    return "." + field.name + layouts_.of(field.type)[net.leaf].path;
}

namespace {

/// Walks to one leaf of a type and through all its elements.
void walk(const hir::TypeTable& types, hir::TypeId type, std::uint32_t leaf,
          const std::string& name, std::uint32_t& next,
          const std::function<void(const std::string&, std::uint32_t)>& visit,
          lower::Layouts& layouts) {
    if (const auto* array = types.as<hir::ArrayType>(type)) {
        for (std::uint64_t k = 0; k < array->count; ++k)
            walk(types, array->element, leaf, name + "[" + std::to_string(k) + "]", next, visit,
                 layouts);
        return;
    }
    if (const auto* structure = types.as<hir::StructType>(type)) {
        for (const hir::StructMember& member : structure->members) {
            const auto count = static_cast<std::uint32_t>(layouts.of(member.type).size());
            if (leaf < count)
                return walk(types, member.type, leaf, name + "." + member.name, next, visit,
                            layouts);
            leaf -= count;
        }
        return;
    }
    visit(name, next++);
}

}  // namespace

void Netlist::forEachScalar(
    const Net& net, const std::function<void(const std::string&, std::uint32_t)>& visit) const {
    const hir::FieldShape& field = shapeOf(net).fields[net.field];
    std::uint32_t next = 0;
    walk(design.types, field.type, net.leaf, hir::pathOf(design, net.bus) + "." + field.name, next,
         visit, layouts_);
}

}  // namespace smec::hdl
