#include "hdl/networks.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "hdl/module_names.h"
#include "hdl/regular.h"
#include "hdl/vectors.h"

namespace smec::hdl {

namespace {

class NetworkMaker {
public:
    NetworkMaker(const Netlist& list, const NetNames& names, const std::vector<Crossing>& crossings,
                 const ClassModules& classes, ModuleList& modules)
        : list_(list),
          names_(names),
          crossings_(crossings),
          modules_(modules),
          connections_(list, names, classes, modules),
          placed_(list.nodes.size()) {}

    std::vector<PlacedNode> run() {
        for (std::size_t i = list_.design.instances.size(); i-- > 0;)
            if (!list_.nodes[i].isLeaf) makeNetwork(static_cast<std::uint32_t>(i));
        return std::move(placed_);
    }

private:
    void makeNetwork(std::uint32_t node) {
        const Vectors vectors = vectorsOf(list_, node, crossings_[node].inside);
        Module module = networkOf(node, vectors);
        const bool hasLoops =
            std::any_of(module.instances.begin(), module.instances.end(),
                        [](const Instance& instance) { return !instance.loops.empty(); });
        if (!vectors.empty() && !hasLoops) module = networkOf(node, {});
        placed_[node].module = modules_.share(std::move(module));
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
        placed_[node] = {{}, {node}};
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
            module.hasClock = module.hasClock || modules_[one.module].hasClock;
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
        const Module& inner = modules_[instance.module];
        do {
            instance.name = builder.unique(wanted);
        } while (hidesInstance(inner, instance.name));
        for (std::uint64_t k = 0; k < member.children.size(); ++k) {
            Step& step = placed_[member.children[k]].step;
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

    void declareVector(std::uint32_t node, const std::vector<std::uint32_t>& nets,
                       ModuleBuilder& builder) {
        const Net& first = list_.nets[nets.front()];
        const auto own = static_cast<std::uint32_t>(std::max(first.length, 1U));
        Signal signal = signalOf(list_, first, Role::Wire);
        signal.length = own * static_cast<std::uint32_t>(nets.size());
        signal.isPacked = true;
        signal.perNet = own;
        const hir::BusGroup& group =
            list_.design.busGroups[list_.design.buses[first.bus.index].group];
        const SignalId id = builder.signal(group.name + list_.suffixOf(first), std::move(signal));
        for (std::uint32_t i = 0; i < nets.size(); ++i) {
            placed_[node].nets.signals[nets[i]] = id;
            placed_[node].nets.elements[nets[i]] = i * own;
        }
    }

    void declare(std::uint32_t node, const std::set<std::uint32_t>& nets, Role role,
                 ModuleBuilder& builder) {
        // in the same order in every instance
        std::vector<std::pair<std::string, std::uint32_t>> named;
        for (const std::uint32_t net : nets)
            named.emplace_back(names_.of(node, list_.nets[net]), net);
        if (role != Role::Wire) std::stable_sort(named.begin(), named.end(), byName);
        for (const auto& [name, net] : named)
            placed_[node].nets.signals[net] =
                builder.signal(name, signalOf(list_, list_.nets[net], role));
    }

    static bool byName(const std::pair<std::string, std::uint32_t>& a,
                       const std::pair<std::string, std::uint32_t>& b) {
        return a.first < b.first;
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
            connections_.connect(placed_[node].nets, child, member.instance, builder);
        } else {
            member.instance.module = placed_[child].module;
            const Module& module = modules_[member.instance.module];
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
        actual.port = module[placed_[child].nets.signals.at(net)].name;
        actual.parts.push_back(placed_[node].nets.part(list_, net));
        instance.actuals.push_back(std::move(actual));
    }

    const Netlist& list_;
    const NetNames& names_;
    const std::vector<Crossing>& crossings_;
    ModuleList& modules_;
    Connections connections_;
    std::vector<PlacedNode> placed_;
    std::set<std::string> loopNames_;  ///< of the network that is being made
};

}  // namespace

std::vector<PlacedNode> placeNetworks(const Netlist& list, const NetNames& names,
                                      const std::vector<Crossing>& crossings,
                                      const ClassModules& classes, ModuleList& modules) {
    return NetworkMaker(list, names, crossings, classes, modules).run();
}

}  // namespace smec::hdl
