#include "hdl/build.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "hdl/foreign.h"
#include "hdl/memories.h"
#include "hdl/module_builder.h"
#include "hdl/module_names.h"
#include "hdl/net_names.h"
#include "hdl/nets.h"
#include "hdl/regular.h"
#include "hdl/routes.h"
#include "hdl/vectors.h"
#include "ir/arithmetic.h"
#include "passes/passes.h"
#include "source/internal_error.h"

// A module for each class of processes, and one for each network (instances of a declaration that
// come out equal share one), from the innermost outwards. A net passes through every module between
// its driver and its readers: in at a port of those that hold only readers, out of those that hold
// the driver.

namespace smec::hdl {

namespace {

class Structure {
public:
    Structure(const hir::Design& design, ir::Design lowered, const SourceManager& sources,
              Diagnostics& diagnostics)
        : lowered_(std::move(lowered)),
          sources_(sources),
          messages_(diagnostics),
          list_(design, lowered_),
          names_(list_) {}

    std::optional<Design> run() {
        makeProcesses();
        if (messages_.isUnusable()) return std::nullopt;
        crossings_ = routes(list_);
        judgePorts();
        if (messages_.isUnusable()) return std::nullopt;
        steps_.resize(list_.nodes.size());
        modules_.resize(list_.nodes.size());
        for (std::size_t i = list_.design.instances.size(); i-- > 0;)
            if (!list_.nodes[i].isLeaf) makeNetwork(static_cast<std::uint32_t>(i));
        nameModules(out_, modules_[top()].module, messages_);
        renameLocals(out_);
        if (messages_.isUnusable()) return std::nullopt;
        probe();
        return std::move(out_);
    }

private:
    struct Placed {
        ModuleId module;
        std::unordered_map<std::uint32_t, SignalId> signals;  ///< by net
        /// Of nets that share a vector: the first element.
        std::unordered_map<std::uint32_t, std::uint32_t> elements;
    };

    /// Those of the top that no process reads.
    void judgePorts() {
        for (const std::uint32_t number : crossings_[top()].in) {
            const Net& net = list_.nets[number];
            if (!net.isFloat) continue;
            const hir::BusGroup& group =
                list_.design.busGroups[list_.design.buses[net.bus.index].group];
            messages_.report(DiagId::HardwareFloat, group.range,
                             hir::pathOf(list_.design, net.bus) + list_.suffixOf(net));
        }
    }

    // ------------------------------------------------------------ processes

    void makeProcesses() {
        for (std::uint32_t cls = 0; cls < list_.specs.size(); ++cls) {
            processes_.emplace_back();
            classModules_.push_back({});
            const hir::Specialisation& spec = *list_.specs[cls];
            if (list_.isSimulation(cls)) {
                messages_.report(DiagId::LeftOut, spec.range, "simulation process", spec.name);
                continue;
            }
            Process& process = processes_.back();
            ir::Class& made = lowered_.classes[cls];
            if (spec.foreign.valid()) {
                process = makeForeign(lowered_, made, list_.design.functions[spec.foreign.index],
                                      list_.sameAs[cls], messages_);
            } else {
                made.body = straightBody(lowered_, made, messages_);
                if (messages_.isUnusable()) continue;
                process = makeProcess(lowered_, made, list_.sameAs[cls], sources_);
            }
            process.module.title = spec.name;
            process.module.range = spec.range;
            process.module.name = spec.name;
            placeRegisters(cls);
            judgeMemories(cls);
            classModules_.back() = add(process.module);
        }
    }

    /// Of the variable that `name` is, or is a member of; the process itself where it has none.
    static SourceRange declarationOf(const hir::Specialisation& spec, const std::string& name) {
        const std::string whole = name.substr(0, name.find('.'));
        SourceRange range = spec.range;
        for (const hir::Variable& variable : spec.body.vars)
            if (variable.name == whole) {
                range = variable.range;
                if (variable.kind == hir::VarKind::Process) break;
            }
        return range;
    }

    /// Where the source declares variables, and first sets fields.
    void placeRegisters(std::uint32_t cls) {
        const hir::Specialisation& spec = *list_.specs[cls];
        Process& process = processes_[cls];
        for (Signal& signal : process.module.signals)
            if (signal.role == Role::Register) signal.range = declarationOf(spec, signal.source);
        for (std::size_t k = 0; k < process.outputs.size(); ++k) {
            const PortLeaf& leaf = list_.outputs[cls][k];
            const hir::Port& port = spec.ports[leaf.port];
            const SourceRange set = port.fields[leaf.field].firstWrite;
            process.module[process.outputs[k]].range = set.valid() ? set : port.range;
        }
    }

    void judgeMemories(std::uint32_t cls) {
        const Process& process = processes_[cls];
        for (std::uint32_t i = 0; i < process.module.signals.size(); ++i) {
            const Signal& signal = process.module.signals[i];
            if (!signal.isMemory) continue;
            const auto why = whyRegisters(process.module, {i}, [&](SignalId input) {
                return comesFromRegisters(cls, input);
            });
            if (why)
                messages_.report(DiagId::MemoryRegisters, signal.range, signal.source)
                    .note(why->note, {}, why->places);
        }
    }

    /// In every instance.
    bool comesFromRegisters(std::uint32_t cls, SignalId input) const {
        const std::vector<SignalId>& inputs = processes_[cls].inputs;
        const auto at = std::find(inputs.begin(), inputs.end(), input);
        const PortLeaf& port = list_.inputs[cls][static_cast<std::size_t>(at - inputs.begin())];
        const std::vector<std::uint32_t> elements = list_.elementsOf(cls, port, false);
        return std::all_of(list_.nodes.begin(), list_.nodes.end(), [&](const Node& node) {
            if (!node.isLeaf || node.cls != cls) return true;
            for (const std::uint32_t e : elements)
                if (!isRegister(list_.nets[list_.netOf(node, port, e)])) return false;
            return true;
        });
    }

    bool isRegister(const Net& net) const {
        if (net.source != Net::Source::Process) return net.source == Net::Source::Constant;
        const std::uint32_t driver = list_.nodes[net.driver].cls;
        return net.delay > 0 || list_.specs[driver]->kind == hir::ProcKind::Clocked;
    }

    ModuleId add(Module module) {
        out_.modules.push_back(std::move(module));
        return {static_cast<std::uint32_t>(out_.modules.size() - 1)};
    }

    std::uint32_t parentOf(std::uint32_t node) const { return list_.nodes[node].parent; }
    std::uint32_t top() const { return list_.design.top.index; }

    // ------------------------------------------------------------ modules of instances

    void makeNetwork(std::uint32_t node) {
        const Vectors vectors = vectorsOf(list_, node, crossings_[node].inside);
        Module module = networkOf(node, vectors);
        const bool hasLoops =
            std::any_of(module.instances.begin(), module.instances.end(),
                        [](const Instance& instance) { return !instance.loops.empty(); });
        if (!vectors.empty() && !hasLoops) module = networkOf(node, {});
        modules_[node].module = find(std::move(module));
    }

    Module networkOf(std::uint32_t node, const Vectors& vectors) {
        Module module;
        module.kind = Kind::Network;
        const hir::Network* known = names_.networkOf(node);
        const hir::Instance& instance = list_.design.instances[node];
        module.title = known ? known->name : list_.design.specs[instance.spec.index].name;
        module.range = known ? known->range : list_.design.specs[instance.spec.index].range;
        module.name = module.title;
        ModuleBuilder builder(module);
        // those of a test bench, and of loops, too
        for (const char* name : {"clk", "rst", "rst_n", "cycle", "row", "rows", "failures",
                                 "compare", "dut", "i", "j", "k", kElement, kInnerLoop})
            builder.unique(name);
        modules_[node] = {};
        const Crossing& crossing = crossings_[node];
        declare(node, crossing.in, Role::Input, builder);
        declare(node, crossing.out, Role::Output, builder);
        std::set<std::uint32_t> scalars = crossing.inside;
        for (const std::vector<std::uint32_t>& nets : vectors) {
            declareVector(node, nets, builder);
            for (const std::uint32_t net : nets)
                scalars.erase(net);
        }
        declare(node, scalars, Role::Wire, builder);
        std::vector<Member> members;
        for (const std::uint32_t child : list_.nodes[node].children)
            instantiate(node, child, members, builder);
        loopNames_.clear();
        for (Member& member : withLoops(std::move(members)))
            name(std::move(member), builder);
        for (const Instance& one : module.instances)
            module.hasClock = module.hasClock || out_.modules[one.module.index].hasClock;
        return module;
    }

    void name(Member member, ModuleBuilder& builder) {
        Instance& instance = member.instance;
        std::vector<std::uint64_t> indices;
        for (const auto& index : member.indices)
            if (index) indices.push_back(*index);
        std::string wanted = indexed(member.base, indices);
        if (!instance.loops.empty() && !loopNames_.insert(wanted).second)
            wanted += fmt::format("_from_{}", instance.loops.front().first);
        const Module& inner = out_.modules[instance.module.index];
        do {
            instance.name = builder.unique(wanted);
        } while (hidesInstance(inner, instance.name));
        for (std::uint64_t k = 0; k < member.children.size(); ++k) {
            Step& step = steps_[member.children[k]];
            step = {instance.name, {}};
            std::uint64_t rest = k;
            for (std::size_t i = instance.loops.size(); i-- > 0;) {
                const Loop& loop = instance.loops[i];
                step.indices.insert(step.indices.begin(),
                                    loop.first + static_cast<std::int64_t>(rest % loop.count));
                rest /= loop.count;
            }
        }
        builder.module().instances.push_back(std::move(instance));
    }

    // ------------------------------------------------------------ vectors of nets

    void declareVector(std::uint32_t node, const std::vector<std::uint32_t>& nets,
                       ModuleBuilder& builder) {
        const Net& first = list_.nets[nets.front()];
        const auto own = static_cast<std::uint32_t>(std::max(first.length, 1U));
        Signal signal = signalOf(first, Role::Wire);
        signal.length = own * static_cast<std::uint32_t>(nets.size());
        signal.isPacked = true;
        signal.perNet = own;
        const hir::BusGroup& group =
            list_.design.busGroups[list_.design.buses[first.bus.index].group];
        const SignalId id = builder.signal(group.name + list_.suffixOf(first), std::move(signal));
        for (std::uint32_t i = 0; i < nets.size(); ++i) {
            modules_[node].signals[nets[i]] = id;
            modules_[node].elements[nets[i]] = i * own;
        }
    }

    /// The net as a network sees it.
    Actual::Part partOfNet(std::uint32_t node, std::uint32_t number) const {
        Actual::Part part;
        part.signal = modules_[node].signals.at(number);
        const auto element = modules_[node].elements.find(number);
        if (element == modules_[node].elements.end()) return part;
        part.first = element->second;
        part.count = std::max(list_.nets[number].length, 1U);
        return part;
    }

    void declare(std::uint32_t node, const std::set<std::uint32_t>& nets, Role role,
                 ModuleBuilder& builder) {
        // in the same order in every instance
        std::vector<std::pair<std::string, std::uint32_t>> named;
        for (const std::uint32_t net : nets)
            named.emplace_back(names_.of(node, list_.nets[net]), net);
        if (role != Role::Wire) std::stable_sort(named.begin(), named.end(), byName);
        for (const auto& [name, net] : named)
            modules_[node].signals[net] = builder.signal(name, signalOf(list_.nets[net], role));
    }

    static bool byName(const std::pair<std::string, std::uint32_t>& a,
                       const std::pair<std::string, std::uint32_t>& b) {
        return a.first < b.first;
    }

    Signal signalOf(const Net& net, Role role) const {
        Signal signal;
        signal.role = role;
        signal.type = net.type;
        signal.length = net.length;
        signal.isPacked = net.length != 0;
        signal.source = list_.suffixOf(net).substr(1);
        return signal;
    }

    void instantiate(std::uint32_t node, std::uint32_t child, std::vector<Member>& members,
                     ModuleBuilder& builder) {
        const Node& inner = list_.nodes[child];
        if (inner.isLeaf && list_.isSimulation(inner.cls)) return;
        Member member;
        member.children = {child};
        if (inner.isLeaf && inner.instance.index == node) {
            member.base = "process_body";
        } else {
            const hir::Instance& from = list_.design.instances[inner.instance.index];
            member.base = list_.design.strings[from.name];
            const auto* indices = list_.design.indices.data() + from.firstIndex;
            member.indices.assign(indices, indices + from.indexCount);
        }
        if (inner.isLeaf) {
            connect(node, child, member.instance, builder);
        } else {
            member.instance.module = modules_[child].module;
            const Module& module = out_.modules[member.instance.module.index];
            for (const std::uint32_t net : crossings_[child].in)
                pass(node, child, net, module, member.instance);
            for (const std::uint32_t net : crossings_[child].out)
                pass(node, child, net, module, member.instance);
            // in the same order in every instance
            std::sort(member.instance.actuals.begin(), member.instance.actuals.end(),
                      [](const Actual& a, const Actual& b) { return a.port < b.port; });
        }
        members.push_back(std::move(member));
    }

    void pass(std::uint32_t node, std::uint32_t child, std::uint32_t net, const Module& module,
              Instance& instance) {
        Actual actual;
        actual.port = module[modules_[child].signals.at(net)].name;
        actual.parts.push_back(partOfNet(node, net));
        instance.actuals.push_back(std::move(actual));
    }

    void connect(std::uint32_t node, std::uint32_t child, Instance& instance,
                 ModuleBuilder& builder) {
        const Node& leaf = list_.nodes[child];
        const Process& process = processes_[leaf.cls];
        instance.module = classModules_[leaf.cls];
        setParameters(leaf, process, out_.modules[instance.module.index], instance);
        // delay lines may come to stand among the modules meanwhile
        const auto nameOfPort = [&](SignalId id) {
            return out_.modules[instance.module.index][id].name;
        };
        for (std::size_t k = 0; k < process.inputs.size(); ++k) {
            if (list_.sameAs[leaf.cls][k] >= 0) continue;
            const PortLeaf& port = list_.inputs[leaf.cls][k];
            Actual actual{nameOfPort(process.inputs[k]), {}};
            for (const std::uint32_t e : list_.elementsOf(leaf.cls, port, false))
                actual.parts.push_back(partOf(node, list_.netOf(leaf, port, e)));
            instance.actuals.push_back(std::move(actual));
        }
        for (std::size_t k = 0; k < process.outputs.size(); ++k) {
            const PortLeaf& port = list_.outputs[leaf.cls][k];
            Actual actual{nameOfPort(process.outputs[k]), {}};
            for (const std::uint32_t element : list_.elementsOf(leaf.cls, port, true)) {
                actual.parts.push_back(
                    driven(node, list_.netOf(leaf, port, element), child, builder));
            }
            instance.actuals.push_back(std::move(actual));
        }
    }

    Actual::Part partOf(std::uint32_t node, std::uint32_t number) const {
        const Net& net = list_.nets[number];
        if (net.source != Net::Source::Constant) return partOfNet(node, number);
        return {{}, net.initial, net.type};
    }

    /// The signal that an output drives: the net itself, or what is in front of its delay line.
    Actual::Part driven(std::uint32_t node, std::uint32_t number, std::uint32_t driver,
                        ModuleBuilder& builder) {
        const Net& net = list_.nets[number];
        const auto known = modules_[node].signals.find(number);
        require(net.driver == driver, "a net with two drivers");
        if (known == modules_[node].signals.end()) {
            Signal signal = signalOf(net, Role::Wire);
            return {builder.signal(names_.of(node, net) + "_unused", std::move(signal)), {}, {}};
        }
        if (net.delay == 0) return partOfNet(node, number);
        Signal signal = signalOf(net, Role::Wire);
        const SignalId early =
            builder.signal(names_.of(node, net) + "_undelayed", std::move(signal));
        Instance line;
        line.name = builder.unique(names_.of(node, net) + "_delay");
        line.module = delayLine(net);
        line.actuals.push_back({"d", {{early, {}, {}}}});
        line.actuals.push_back({"q", {{known->second, {}, {}}}});
        builder.module().instances.push_back(std::move(line));
        return {early, {}, {}};
    }

    ModuleId delayLine(const Net& net) {
        Module module;
        module.kind = Kind::Delay;
        module.hasClock = true;
        module.delay = net.delay;
        module.title = fmt::format("delay_{}", net.delay + 1);
        module.name = module.title;
        ModuleBuilder builder(module);
        for (const char* name : {"clk", "rst", "rst_n", "start", "unused_start"})
            builder.unique(name);
        Signal in = signalOf(net, Role::Input);
        Signal out = signalOf(net, Role::Output);
        in.source = out.source = "";
        out.isRegister = true;
        out.initial = net.initial;
        builder.signal("d", in);
        builder.signal("q", out);
        return find(std::move(module));
    }

    void setParameters(const Node& leaf, const Process& process, const Module& module,
                       Instance& instance) const {
        const ir::Class& cls = lowered_.classes[leaf.cls];
        const auto add = [&](SignalId signal, const Integer& value) {
            instance.arguments.push_back(
                {module[signal].name, value, module[signal].type.width, {}});
        };
        for (const auto& [signal, number] : process.columns)
            add(signal, std::get<Integer>(cls.columns[number].values[leaf.number].value));
        for (const auto& [signal, values] : process.arguments)
            add(signal, values[leaf.number]);
        for (const auto& [signal, id] : process.initials) {
            const ir::Plane& plane = lowered_.planes[id.index];
            const std::size_t own = plane.perOwner * plane.type.elements();
            Integer all = 0;
            for (std::size_t i = own; i-- > 0;) {
                const auto& value =
                    std::get<Integer>(plane.initial.values[leaf.number * own + i].value);
                all = (all << plane.type.scalar.width)
                      | ir::wrapInteger(value, plane.type.scalar.width, false);
            }
            add(signal, all);
        }
    }

    /// The module equal to this one, or itself.
    ModuleId find(Module module) {
        std::vector<ModuleId>& equal = byTitle_[module.title];
        for (const ModuleId id : equal)
            if (out_.modules[id.index] == module) return id;
        equal.push_back(add(std::move(module)));
        return equal.back();
    }

    // ------------------------------------------------------------ names seen from outside

    std::vector<Step> pathTo(std::uint32_t node) const {
        std::vector<Step> path;
        for (std::uint32_t at = node; at != top() && at != kNone; at = parentOf(at))
            path.insert(path.begin(), steps_[at]);
        return path;
    }

    void probe() {
        for (std::uint32_t number = 0; number < list_.nets.size(); ++number) {
            const Net& net = list_.nets[number];
            if (net.source == Net::Source::Constant) continue;
            const bool isTop = net.source == Net::Source::Top;
            if (isTop && !crossings_[top()].in.contains(number)) continue;
            std::uint32_t base = 0;
            bool isWhole = net.length <= 1;
            Probe probe;
            probe.type = net.type;
            probe.isInput = isTop;
            probe.isExposed = net.isExposed;
            probe.enumeration = enumerationOf(net.scalar);
            if (isTop || crossings_[top()].out.contains(number)) {
                probe.isPort = true;
                probe.signal = signalName(top(), number);
            } else if (net.delay > 0) {
                const std::uint32_t at = parentOf(net.driver);
                if (!modules_[at].signals.contains(number)) continue;
                probe.path = pathTo(at);
                probe.signal = signalName(at, number);
            } else {
                probe.path = pathTo(net.driver);
                base = place(net, number, probe.signal, isWhole);
            }
            list_.forEachScalar(net, [&](const std::string& name, std::uint32_t element) {
                probe.name = name;
                probe.low = (base + element) * net.type.width;
                probe.isWhole = isWhole;
                probe.initial = net.initial[net.initial.size() == 1 ? 0 : element];
                out_.probes.push_back(probe);
            });
        }
    }

    std::optional<std::uint32_t> enumerationOf(hir::TypeId type) {
        const auto* members = list_.design.types.as<hir::EnumType>(type);
        if (!members) return std::nullopt;
        const auto [it, added] = enumerations_.try_emplace(
            type.index, static_cast<std::uint32_t>(out_.enumerations.size()));
        if (added) {
            out_.enumerations.emplace_back();
            for (const hir::EnumMember& member : members->members)
                out_.enumerations.back().emplace_back(member.name, member.value);
        }
        return it->second;
    }

    std::string signalName(std::uint32_t node, std::uint32_t net) const {
        const Placed& placed = modules_[node];
        return out_.modules[placed.module.index][placed.signals.at(net)].name;
    }

    /// The driver's port, and the element in it that is the net's first.
    std::uint32_t place(const Net& net, std::uint32_t number, std::string& signal,
                        bool& isWhole) const {
        const Node& leaf = list_.nodes[net.driver];
        for (std::size_t k = 0; k < list_.outputs[leaf.cls].size(); ++k) {
            const PortLeaf& port = list_.outputs[leaf.cls][k];
            if (port.leaf != net.leaf) continue;
            const std::vector<std::uint32_t> elements = list_.elementsOf(leaf.cls, port, true);
            for (std::uint32_t e = 0; e < elements.size(); ++e) {
                if (list_.netOf(leaf, port, elements[e]) != number) continue;
                signal =
                    out_.modules[classModules_[leaf.cls].index][processes_[leaf.cls].outputs[k]]
                        .name;
                isWhole = isWhole && elements.size() == 1;
                return e * std::max(net.length, 1U);
            }
        }
        throw InternalError("a net that its driver does not drive");
    }

    ir::Design lowered_;
    const SourceManager& sources_;
    Messages messages_;
    Netlist list_;
    NetNames names_;
    Design out_;
    std::vector<Process> processes_;      ///< by class
    std::vector<ModuleId> classModules_;  ///< by class
    std::vector<Crossing> crossings_;     ///< by node
    std::vector<Placed> modules_;         ///< by node
    std::vector<Step> steps_;             ///< by node: as its parent calls it
    std::set<std::string> loopNames_;     ///< of the network that is being made
    std::map<std::string, std::vector<ModuleId>> byTitle_;
    std::unordered_map<std::uint32_t, std::uint32_t> enumerations_;  ///< by type
};

}  // namespace

std::optional<Design> build(const hir::Design& design, ir::Design lowered,
                            const SourceManager& sources, Diagnostics& diagnostics) {
    passes::fold(lowered);
    passes::removeProvedChecks(lowered);
    passes::removeDead(lowered);
    return Structure(design, std::move(lowered), sources, diagnostics).run();
}

}  // namespace smec::hdl
