#include <algorithm>

#include "elab/drivers.h"

// A graph of the combinational instances: an edge from each to those that drive a field it may
// read, in the same cycle. Its strongly connected components (Tarjan, without recursion) of more
// than one instance, and self-loops, are cycles; of each the shortest through its first instance is
// printed:   a -> right.v -> c -> left.v -> a

namespace smec::elab {

namespace {

class CombinationalGraph {
public:
    CombinationalGraph(Tree& tree, const std::vector<NodeId>& nodes)
        : tree_(tree), design_(tree.design), nodes_(nodes) {}

    void run() {
        collect();
        const auto count = static_cast<std::uint32_t>(members_.size());
        order_.assign(count, kNone);
        low_.assign(count, 0);
        onStack_.assign(count, false);
        component_.assign(count, kNone);
        for (std::uint32_t i = 0; i < count; ++i) {
            if (order_[i] == kNone) visit(i);
        }
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
        firstEdge_.push_back(0);
        for (const hir::InstanceId member : members_) {
            forEachField(design_, member, false,
                         [&](const hir::Port&, std::uint32_t, hir::BusId, std::uint32_t field) {
                             if (design_.fields[field].kind == hir::FieldDriver::Combinational)
                                 edges_.push_back(numbers_[design_.fields[field].driver.index]);
                         });
            const auto begin = edges_.begin() + static_cast<std::ptrdiff_t>(firstEdge_.back());
            std::sort(begin, edges_.end());
            edges_.erase(std::unique(begin, edges_.end()), edges_.end());
            firstEdge_.push_back(edges_.size());
        }
    }

    std::span<const std::uint32_t> edgesOf(std::uint32_t member) const {
        return std::span(edges_).subspan(firstEdge_[member],
                                         firstEdge_[member + 1] - firstEdge_[member]);
    }

    void visit(std::uint32_t root) {
        std::vector<std::pair<std::uint32_t, std::size_t>> path{{root, 0}};
        open(root);
        while (!path.empty()) {
            auto& [member, next] = path.back();
            const auto edges = edgesOf(member);
            if (next < edges.size()) {
                const std::uint32_t target = edges[next++];
                if (order_[target] == kNone) {
                    open(target);
                    path.emplace_back(target, 0);
                } else if (onStack_[target]) {
                    low_[member] = std::min(low_[member], order_[target]);
                }
                continue;
            }
            const std::uint32_t done = member;
            path.pop_back();
            if (!path.empty())
                low_[path.back().first] = std::min(low_[path.back().first], low_[done]);
            if (low_[done] == order_[done]) close(done);
        }
    }

    void open(std::uint32_t member) {
        order_[member] = low_[member] = next_++;
        stack_.push_back(member);
        onStack_[member] = true;
    }

    /// A component is complete; its smallest member stands for it.
    void close(std::uint32_t root) {
        std::vector<std::uint32_t> component;
        do {
            component.push_back(stack_.back());
            onStack_[stack_.back()] = false;
            stack_.pop_back();
        } while (component.back() != root);
        const std::uint32_t smallest = *std::ranges::min_element(component);
        for (const std::uint32_t member : component)
            component_[member] = smallest;
        const bool isSelf = std::ranges::binary_search(edgesOf(root), root);
        if (component.size() > 1 || isSelf) knots_.push_back(smallest);
    }

    /// Breadth first from `start` against the direction of the data until `start` drives what is
    /// read.
    std::vector<std::uint32_t> shortest(std::uint32_t start) const {
        std::unordered_map<std::uint32_t, std::uint32_t> reader;
        std::vector<std::uint32_t> queue{start};
        for (std::size_t i = 0; i < queue.size(); ++i) {
            for (const std::uint32_t driver : edgesOf(queue[i])) {
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
    std::vector<std::uint32_t> numbers_;  ///< by instance
    std::vector<std::size_t> firstEdge_;
    std::vector<std::uint32_t> edges_;
    std::vector<std::uint32_t> order_, low_, component_, stack_, knots_;
    std::vector<bool> onStack_;
    std::uint32_t next_ = 0;
};

}  // namespace

void checkCombinational(Tree& tree, const std::vector<NodeId>& nodes) {
    CombinationalGraph(tree, nodes).run();
}

}  // namespace smec::elab
