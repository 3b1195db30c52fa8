#include "interp/names.h"

#include <cctype>
#include <charconv>

#include "diag/diagnostics.h"
#include "formats/names.h"
#include "source/overloaded.h"

namespace smec::interp {

namespace {

void addFields(const hir::Design& design, std::vector<Root>& roots) {
    for (std::uint32_t b = 0; b < design.buses.size(); ++b) {
        const hir::Bus& bus = design.buses[b];
        const std::string path = hir::pathOf(design, hir::BusId{b});
        const std::vector<hir::FieldShape>& fields = design.shapes[bus.shape.index].fields;
        for (std::uint32_t i = 0; i < fields.size(); ++i) {
            Root root;
            root.name = path + "." + fields[i].name;
            root.type = fields[i].type;
            root.exposed = design.busGroups[bus.group].exposed;
            root.field = bus.firstField + i;
            const hir::Field& field = design.fields[root.field];
            root.isInput = root.exposed && !field.driver.valid();
            root.combinational = field.kind == hir::FieldDriver::Combinational;
            root.hold = fields[i].hold;
            root.driver = field.driver;
            root.range = design.busGroups[bus.group].range;
            roots.push_back(std::move(root));
        }
    }
}

void addVariables(const hir::Design& design, std::vector<Root>& roots) {
    std::uint32_t process = 0;
    for (std::uint32_t i = 0; i < design.instances.size(); ++i) {
        const hir::Instance& instance = design.instances[i];
        if (instance.kind != hir::InstanceKind::Process) continue;
        const hir::Specialisation& spec = design.specs[instance.spec.index];
        const std::vector<hir::Variable>& vars = spec.body.vars;
        const std::string path = hir::pathOf(design, hir::InstanceId{i});
        for (std::uint32_t v = 0; v < vars.size() && vars[v].kind == hir::VarKind::Process; ++v) {
            if (vars[v].isHandle) continue;
            Root root;
            root.name = path + "." + vars[v].name;
            root.type = vars[v].type;
            root.isVariable = true;
            root.combinational = spec.kind == hir::ProcKind::Combinational;
            root.process = process;
            root.variable = v;
            root.driver = hir::InstanceId{i};
            root.range = vars[v].range;
            roots.push_back(std::move(root));
        }
        ++process;
    }
}

void addLeaves(const TypeTable& types, const Part& part, std::vector<Part>& leaves) {
    const auto addPart = [&](std::uint32_t i, TypeId type, const std::string& step) {
        Part inner = part;
        inner.path.push_back(i);
        inner.type = type;
        inner.name += step;
        addLeaves(types, inner, leaves);
    };
    smec::visit(Overloaded{
                    [&](const hir::ArrayType& array) {
                        for (std::uint32_t i = 0; i < array.count; ++i)
                            addPart(i, array.element, "[" + std::to_string(i) + "]");
                    },
                    [&](const hir::StructType& structure) {
                        for (std::uint32_t i = 0; i < structure.members.size(); ++i)
                            addPart(i, structure.members[i].type, "." + structure.members[i].name);
                    },
                    [&](const hir::WholeType auto&) { leaves.push_back(part); },
                },
                types[part.type]);
}

/// Takes "[12]" off the front.
std::optional<std::uint32_t> takeIndex(std::string_view& rest) {
    const std::size_t end = rest.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    std::uint32_t index = 0;
    const char* first = rest.data() + 1;
    const char* last = rest.data() + end;
    const auto [stop, error] = std::from_chars(first, last, index);
    if (error != std::errc{} || stop != last) return std::nullopt;
    rest.remove_prefix(end + 1);
    return index;
}

}  // namespace

std::vector<Root> allRoots(const hir::Design& design) {
    std::vector<Root> roots;
    addFields(design, roots);
    addVariables(design, roots);
    return roots;
}

std::vector<Part> leavesOf(const TypeTable& types, const Root& root) {
    std::vector<Part> leaves;
    addLeaves(types, Part{root.name, root.type, root, {}}, leaves);
    return leaves;
}

const Value& valueOf(const Simulation& simulation, const Root& root) {
    return root.isVariable ? simulation.variable(root.process, root.variable)
                           : simulation.field(root.field);
}

const Value& partOf(const Value& whole, const std::vector<std::uint32_t>& path) {
    const Value* value = &whole;
    for (const std::uint32_t step : path)
        value = &value->list()[step];
    return *value;
}

const Value& valueOf(const Simulation& simulation, const Part& part) {
    return partOf(valueOf(simulation, part.root), part.path);
}

const Value& shownOf(Simulation& simulation, const Part& part) {
    const Root& root = part.root;
    if (root.isVariable || !root.combinational) return valueOf(simulation, part);
    return partOf(simulation.evaluated(root.field), part.path);
}

void forEachLeaf(const TypeTable& types, TypeId type, const std::string& name, const Value& value,
                 const LeafVisitor& visit) {
    smec::visit(Overloaded{
                    [&](const hir::ArrayType& array) {
                        for (std::size_t i = 0; i < value.list().size(); ++i)
                            forEachLeaf(types, array.element, name + "[" + std::to_string(i) + "]",
                                        value.list()[i], visit);
                    },
                    [&](const hir::StructType& structure) {
                        for (std::size_t i = 0; i < value.list().size(); ++i) {
                            const hir::StructMember& member = structure.members[i];
                            forEachLeaf(types, member.type, name + "." + member.name,
                                        value.list()[i], visit);
                        }
                    },
                    [&](const hir::WholeType auto&) { visit(name, type, value); },
                },
                types[type]);
}

NameTable::NameTable(const hir::Design& design) : types_(design.types), roots_(allRoots(design)) {
    for (std::uint32_t i = 0; i < roots_.size(); ++i)
        byName_.emplace(roots_[i].name, i);
}

std::optional<std::uint32_t> NameTable::rootCalled(const std::string& name) const {
    const auto found = byName_.find(name);
    return found == byName_.end() ? std::nullopt : std::optional(found->second);
}

/// The longest prefix that is a root, up to a '.' or '[', then a path within its type.
std::optional<Part> NameTable::find(const std::string& name) const {
    if (auto part = findWhole(name)) return part;
    for (const std::string& whole : sme::withField(name)) {
        if (auto part = findWhole(whole)) return part;
    }
    return std::nullopt;
}

std::optional<Part> NameTable::findWhole(const std::string& name) const {
    std::size_t end = name.size();
    for (;;) {
        const auto root = byName_.find(name.substr(0, end));
        if (root != byName_.end())
            return findWithin(roots_[root->second], std::string_view(name).substr(end));
        end = end == 0 ? std::string::npos : name.find_last_of(".[", end - 1);
        if (end == std::string::npos) return std::nullopt;
    }
}

std::optional<Part> NameTable::findWithin(const Root& root, std::string_view rest) const {
    Part part{root.name, root.type, root, {}};
    while (!rest.empty()) {
        std::optional<std::uint32_t> step;
        if (const auto* array = types_.as<hir::ArrayType>(part.type);
            array && rest.front() == '[') {
            step = takeIndex(rest);
            if (!step || *step >= array->count) return std::nullopt;
            part.type = array->element;
            part.name += "[" + std::to_string(*step) + "]";
        } else if (const auto* structure = types_.as<hir::StructType>(part.type);
                   structure && rest.front() == '.') {
            const std::string_view member = rest.substr(1, rest.find_first_of(".[", 1) - 1);
            for (std::uint32_t i = 0; i < structure->members.size(); ++i) {
                if (structure->members[i].name == member) step = i;
            }
            if (!step) return std::nullopt;
            rest.remove_prefix(member.size() + 1);
            part.type = structure->members[*step].type;
            part.name += "." + structure->members[*step].name;
        }
        if (!step) return std::nullopt;
        part.path.push_back(*step);
    }
    return part;
}

std::string NameTable::hint(const std::string& name) const {
    sme::NamesBelow below(name);
    for (const Root& root : roots_)
        below.consider(root.name);
    const std::string list = below.text();
    return list.empty() ? didYouMean(name) : list;
}

std::string NameTable::didYouMean(const std::string& name) const {
    std::vector<std::string> candidates;
    candidates.reserve(roots_.size());
    for (const Root& root : roots_)
        candidates.push_back(root.name);
    const std::string nearest = nearestName(name, candidates);
    return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

}  // namespace smec::interp
