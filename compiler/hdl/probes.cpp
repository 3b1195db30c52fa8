#include "hdl/probes.h"

#include <optional>
#include <unordered_map>
#include <utility>

#include "source/internal_error.h"

namespace smec::hdl {

namespace {

class Prober {
public:
    Prober(Design& design, const Netlist& list, const Crossing& outside,
           const ClassModules& classes, const std::vector<PlacedNode>& placed)
        : design_(design), list_(list), outside_(outside), classes_(classes), placed_(placed) {}

    void run() {
        for (std::uint32_t number = 0; number < list_.nets.size(); ++number)
            if (const auto found = placed(number)) add(list_.nets[number], *found);
    }

private:
    /// Where a net stands: `probe` for its first scalar.
    struct Found {
        Probe probe;
        std::uint32_t base = 0;  ///< the signal's element that is the net's first
    };

    std::optional<Found> placed(std::uint32_t number) {
        const Net& net = list_.nets[number];
        if (net.source == Net::Source::Constant) return std::nullopt;
        const bool isTop = net.source == Net::Source::Top;
        if (isTop && !outside_.in.contains(number)) return std::nullopt;
        Found found;
        Probe& probe = found.probe;
        probe.type = net.type;
        probe.isWhole = net.length <= 1;
        probe.isInput = isTop;
        probe.isExposed = net.isExposed;
        probe.enumeration = enumerationOf(net.scalar);
        if (isTop || outside_.out.contains(number)) {
            probe.isPort = true;
            probe.signal = signalName(top(), number);
        } else if (net.delay > 0) {
            const std::uint32_t at = list_.nodes[net.driver].parent;
            if (!placed_[at].nets.signals.contains(number)) return std::nullopt;
            probe.path = pathTo(at);
            probe.signal = signalName(at, number);
        } else {
            probe.path = pathTo(net.driver);
            found.base = place(net, number, probe);
        }
        return found;
    }

    void add(const Net& net, const Found& found) {
        list_.forEachScalar(net, [&](const std::string& name, std::uint32_t element) {
            Probe probe = found.probe;
            probe.name = name;
            probe.low = (found.base + element) * net.type.width;
            probe.initial = net.initial[net.initial.size() == 1 ? 0 : element];
            design_.probes.push_back(std::move(probe));
        });
    }

    std::uint32_t top() const { return list_.design.top.index; }

    std::vector<Step> pathTo(std::uint32_t node) const {
        std::vector<Step> path;
        for (std::uint32_t at = node; at != top() && at != kNone; at = list_.nodes[at].parent)
            path.insert(path.begin(), placed_[at].step);
        return path;
    }

    std::optional<std::uint32_t> enumerationOf(hir::TypeId type) {
        const auto* members = list_.design.types.as<hir::EnumType>(type);
        if (!members) return std::nullopt;
        const auto [it, added] = enumerations_.try_emplace(
            type.index, static_cast<std::uint32_t>(design_.enumerations.size()));
        if (added) {
            design_.enumerations.emplace_back();
            for (const hir::EnumMember& member : members->members)
                design_.enumerations.back().emplace_back(member.name, member.value);
        }
        return it->second;
    }

    const Module& module(ModuleId id) const { return design_.modules[id.index]; }

    std::string signalName(std::uint32_t node, std::uint32_t net) const {
        return module(placed_[node].module)[placed_[node].nets.signals.at(net)].name;
    }

    std::string portName(std::uint32_t cls, std::size_t output) const {
        return module(classes_.modules[cls])[classes_.processes[cls].outputs[output]].name;
    }

    /// The element of the driver's port that is the net's first.
    std::uint32_t place(const Net& net, std::uint32_t number, Probe& probe) const {
        const Node& leaf = list_.nodes[net.driver];
        for (std::size_t k = 0; k < list_.outputs[leaf.cls].size(); ++k) {
            const PortLeaf& port = list_.outputs[leaf.cls][k];
            if (port.leaf != net.leaf) continue;
            const std::vector<std::uint32_t> elements = list_.elementsOf(leaf.cls, port, true);
            for (std::uint32_t e = 0; e < elements.size(); ++e) {
                if (list_.netOf(leaf, port, elements[e]) != number) continue;
                probe.signal = portName(leaf.cls, k);
                probe.isWhole = probe.isWhole && elements.size() == 1;
                return e * std::max(net.length, 1U);
            }
        }
        throw InternalError("a net that its driver does not drive");
    }

    Design& design_;
    const Netlist& list_;
    const Crossing& outside_;
    const ClassModules& classes_;
    const std::vector<PlacedNode>& placed_;
    std::unordered_map<std::uint32_t, std::uint32_t> enumerations_;  ///< by type
};

}  // namespace

void addProbes(Design& design, const Netlist& list, const Crossing& outside,
               const ClassModules& classes, const std::vector<PlacedNode>& placed) {
    Prober(design, list, outside, classes, placed).run();
}

}  // namespace smec::hdl
