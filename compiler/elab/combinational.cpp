#include <algorithm>

#include "elab/drivers.h"
#include "source/graph.h"

// A graph of the combinational instances: an edge from each to those that drive a field it may
// read, in the same cycle. Its strongly connected components of more than one instance, and
// self-loops, are cycles; of each the shortest through its first instance is printed:
//   a -> right.v -> c -> left.v -> a

namespace smec::elab {

namespace {

class CombinationalGraph {
public:
    CombinationalGraph(Tree& tree, const std::vector<NodeId>& nodes)
        : tree_(tree), design_(tree.design), nodes_(nodes) {}

    void run() {
        collect();
        component_.resize(drivers_.size());
        componentsOf(drivers_).forEach([&](std::span<const std::uint32_t> component) {
            for (const std::uint32_t member : component)
                component_[member] = component.front();
            if (isCyclic(drivers_, component)) knots_.push_back(component.front());
        });
        std::ranges::sort(knots_);
        for (const std::uint32_t start : knots_)
            report(start);
    }

private:
    void collect() {
        numbers_.assign(design_.instances.size(), kNone);
        for (std::uint32_t i = 0; i < design_.instances.size(); ++i) {
            const hir::SpecId spec = design_.instances[i].spec;
            if (!spec.valid() || design_.specs[spec.index].kind != hir::ProcKind::Combinational)
                continue;
            numbers_[i] = static_cast<std::uint32_t>(members_.size());
            members_.push_back({i});
        }
        std::vector<std::uint32_t> drivers;
        for (const hir::InstanceId member : members_) {
            drivers.clear();
            forEachField(design_, member, false,
                         [&](const hir::Port&, std::uint32_t, hir::BusId, std::uint32_t field) {
                             if (design_.fields[field].kind == hir::FieldDriver::Combinational)
                                 drivers.push_back(numbers_[design_.fields[field].driver.index]);
                         });
            std::ranges::sort(drivers);
            const auto again = std::ranges::unique(drivers);
            drivers.erase(again.begin(), again.end());
            drivers_.add(drivers);
        }
    }

    /// Breadth first from `start` against the direction of the data until `start` drives what is
    /// read.
    std::vector<std::uint32_t> shortest(std::uint32_t start) const {
        std::unordered_map<std::uint32_t, std::uint32_t> reader;
        std::vector<std::uint32_t> queue{start};
        for (std::size_t i = 0; i < queue.size(); ++i) {
            for (const std::uint32_t driver : drivers_[queue[i]]) {
                if (driver == start) {
                    std::vector<std::uint32_t> cycle{start};
                    for (std::uint32_t at = queue[i]; at != start; at = reader[at])
                        cycle.push_back(at);
                    cycle.push_back(start);
                    return cycle;
                }
                if (component_[driver] == component_[start]
                    && reader.try_emplace(driver, queue[i]).second)
                    queue.push_back(driver);
            }
        }
        return {start, start};
    }

    std::string between(std::uint32_t driver, std::uint32_t reader) const {
        std::string name;
        forEachField(
            design_, members_[reader], false,
            [&](const hir::Port&, std::uint32_t number, hir::BusId bus, std::uint32_t field) {
                const bool isIt = design_.fields[field].driver == members_[driver]
                                  && design_.fields[field].kind == hir::FieldDriver::Combinational;
                if (isIt && name.empty()) name = fieldPath(design_, bus, number);
            });
        return name;
    }

    void report(std::uint32_t start) {
        constexpr std::size_t kShown = 8;
        const std::vector<std::uint32_t> cycle = shortest(start);
        std::string text = pathOf(design_, members_[start]);
        for (std::size_t i = 1; i < cycle.size(); ++i) {
            if (i > kShown && i + 1 < cycle.size()) {
                if (i == kShown + 1)
                    text += fmt::format(" -> ... ({} more)", cycle.size() - kShown - 2);
                continue;
            }
            text += fmt::format(" -> {} -> {}", between(cycle[i - 1], cycle[i]),
                                pathOf(design_, members_[cycle[i]]));
        }
        tree_.diagnostics.report(DiagId::CombinationalCycle,
                                 tree_.nodes[nodes_[members_[start].index]].decl->name.range, text);
    }

    Tree& tree_;
    const hir::Design& design_;
    const std::vector<NodeId>& nodes_;
    std::vector<hir::InstanceId> members_;
    std::vector<std::uint32_t> numbers_;    ///< by instance
    Graph drivers_;                         ///< from each member to those that it reads
    std::vector<std::uint32_t> component_;  ///< by member: the first one of its component
    std::vector<std::uint32_t> knots_;      ///< first members of cyclic components
};

}  // namespace

void checkCombinational(Tree& tree, const std::vector<NodeId>& nodes) {
    CombinationalGraph(tree, nodes).run();
}

}  // namespace smec::elab
