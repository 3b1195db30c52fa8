// Levels are longest paths over the combinational connections. The nodes are classes where
// instances run in loops, single instances where they are straight-line code. Classes are taken in
// topological order of the strongly connected components of the class graph (Tarjan, without
// recursion: chains may be long). A component with a cycle needs the order of its instances, which
// is acyclic by the language's rules:
//   all straight-line:  the instances themselves become nodes
//   with looped ones:   one indivisible kernel calls the loops over rows of independent instances,
//   level by level

#include "plan/levels.h"

#include <algorithm>

#include "ir/order.h"
#include "plan/sizes.h"
#include "source/internal_error.h"

namespace smec::plan {
namespace {

bool isCombinationalEdge(const ir::Plane& plane) {
    return plane.combinational && plane.owner.valid();
}

/// Calls `f(run)` for each run of a class's inputs that reads a combinational field.
template <typename F>
void forCombinationalRuns(const ir::Design& design, const ir::Class& cls, F&& f) {
    for (const ir::Input& input : cls.inputs) {
        for (const ir::Connection& connection : input.elements) {
            for (const ir::Run& run : connection.runs) {
                if (isCombinationalEdge(design.planes[run.plane.index])) f(run);
            }
        }
    }
}

using Graph = std::vector<std::vector<std::uint32_t>>;

/// Combinational classes read by each combinational class.
Graph classGraph(const ir::Design& design) {
    Graph sources(design.classes.size());
    for (std::size_t i = 0; i < design.classes.size(); ++i) {
        if (!design.classes[i].combinational) continue;
        auto& mine = sources[i];
        forCombinationalRuns(design, design.classes[i], [&](const ir::Run& run) {
            mine.push_back(design.planes[run.plane.index].owner.index);
        });
        std::sort(mine.begin(), mine.end());
        mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
    }
    return sources;
}

/// Strongly connected components, sources first.
class Components {
public:
    explicit Components(const Graph& graph)
        : graph_(graph),
          order_(graph.size(), 0),
          low_(graph.size(), 0),
          open_(graph.size(), false) {}

    std::vector<std::vector<std::uint32_t>> find(const std::vector<std::uint32_t>& roots) {
        for (const std::uint32_t root : roots) {
            if (order_[root] == 0) visit(root);
        }
        return std::move(found_);
    }

private:
    struct Frame {
        std::uint32_t node;
        std::size_t next;
    };

    void enter(std::uint32_t node) {
        order_[node] = low_[node] = ++count_;
        open_[node] = true;
        stack_.push_back(node);
        frames_.push_back({node, 0});
    }

    void visit(std::uint32_t root) {
        enter(root);
        while (!frames_.empty()) {
            Frame& frame = frames_.back();
            const std::uint32_t node = frame.node;
            if (frame.next < graph_[node].size()) {
                const std::uint32_t source = graph_[node][frame.next++];
                if (order_[source] == 0)
                    enter(source);
                else if (open_[source])
                    low_[node] = std::min(low_[node], order_[source]);
                continue;
            }
            frames_.pop_back();
            if (!frames_.empty())
                low_[frames_.back().node] = std::min(low_[frames_.back().node], low_[node]);
            if (low_[node] == order_[node]) close(node);
        }
    }

    void close(std::uint32_t node) {
        std::vector<std::uint32_t> component;
        std::uint32_t top = 0;
        do {
            top = stack_.back();
            stack_.pop_back();
            open_[top] = false;
            component.push_back(top);
        } while (top != node);
        std::sort(component.begin(), component.end());
        found_.push_back(std::move(component));
    }

    const Graph& graph_;
    std::vector<std::uint32_t> order_, low_;
    std::vector<bool> open_;
    std::vector<std::uint32_t> stack_;
    std::vector<Frame> frames_;
    std::vector<std::vector<std::uint32_t>> found_;
    std::uint32_t count_ = 0;
};

/// The instances of a component as a graph: nodes numbered class by class, edges from source to
/// reader.
class InstanceGraph {
public:
    InstanceGraph(const ir::Design& design, const std::vector<std::uint32_t>& classes)
        : design_(design), classes_(classes) {
        first_.assign(design.classes.size(), kNoLevel);
        for (const std::uint32_t cls : classes) {
            first_[cls] = count_;
            count_ += design.classes[cls].instances;
        }
        levels_ = ir::longestPaths(count_, edges());
        require(std::find(levels_.begin(), levels_.end(), ir::kEndless) == levels_.end(),
                "combinational cycle between instances");
    }

    /// All instances by (level, class, number).
    std::vector<std::pair<std::uint32_t, InstanceRef>> inOrder() const {
        std::vector<std::pair<std::uint32_t, InstanceRef>> all;
        all.reserve(count_);
        for (const std::uint32_t cls : classes_) {
            for (std::uint32_t i = 0; i < design_.classes[cls].instances; ++i)
                all.push_back({levels_[first_[cls] + i], {{cls}, i}});
        }
        std::stable_sort(all.begin(), all.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        return all;
    }

private:
    std::vector<ir::Edge> edges() const {
        std::vector<ir::Edge> edges;
        for (const std::uint32_t cls : classes_) {
            forCombinationalRuns(design_, design_.classes[cls], [&](const ir::Run& run) {
                const ir::Plane& plane = design_.planes[run.plane.index];
                const std::uint32_t base = first_[plane.owner.index];
                if (base == kNoLevel) return;
                for (std::uint32_t i = 0; i < run.count; ++i) {
                    const auto source = static_cast<std::uint32_t>(
                        (run.start + std::int64_t(i) * run.stride) / plane.perOwner);
                    edges.push_back({base + source, first_[cls] + run.first + i});
                }
            });
        }
        return edges;
    }

    const ir::Design& design_;
    const std::vector<std::uint32_t>& classes_;
    std::vector<std::uint32_t> first_;
    std::vector<std::uint32_t> levels_;
    std::uint32_t count_ = 0;
};

class Scheduler {
public:
    Scheduler(const ir::Design& design, const Options& options,
              const std::vector<std::uint32_t>& sizes)
        : design_(design),
          options_(options),
          sizes_(sizes),
          sources_(classGraph(design)),
          clusterOf_(design.classes.size()),
          groupLevels_(design.classes.size(), kNoLevel) {
        schedule_.loopLevels.assign(design.classes.size(), kNoLevel);
    }

    Schedule run() {
        std::vector<std::uint32_t> combinational;
        for (std::uint32_t i = 0; i < design_.classes.size(); ++i) {
            if (design_.classes[i].combinational) combinational.push_back(i);
        }
        for (const auto& component : Components(sources_).find(combinational))
            place(component);
        return std::move(schedule_);
    }

private:
    void place(const std::vector<std::uint32_t>& classes) {
        const auto& mine = sources_[classes.front()];
        const bool isCyclic =
            classes.size() > 1 || std::binary_search(mine.begin(), mine.end(), classes.front());
        const bool anyLoop = std::any_of(classes.begin(), classes.end(), [&](std::uint32_t cls) {
            return isLooped(design_.classes[cls], options_);
        });
        if (!anyLoop)
            placeSteps(classes);
        else if (isCyclic)
            placeGroup(classes);
        else
            placeLoop(classes.front());
    }

    void placeLoop(std::uint32_t cls) {
        const std::uint32_t level = levelAbove(cls, {});
        schedule_.loopLevels[cls] = level;
        note(level);
    }

    void placeGroup(const std::vector<std::uint32_t>& classes) {
        OrderedGroup group;
        for (const std::uint32_t cls : classes) {
            group.classes.push_back({cls});
            group.level = std::max(group.level, levelAbove(cls, classes));
        }
        std::uint32_t last = kNoLevel;
        for (const auto& [level, step] : InstanceGraph(design_, classes).inOrder()) {
            const bool extends = level == last && group.rows.back().cls == step.cls
                                 && group.rows.back().end == step.instance;
            if (extends)
                ++group.rows.back().end;
            else
                group.rows.push_back({step.cls, step.instance, step.instance + 1});
            last = level;
        }
        for (const std::uint32_t cls : classes)
            groupLevels_[cls] = group.level;
        note(group.level);
        schedule_.groups.push_back(std::move(group));
    }

    void placeSteps(const std::vector<std::uint32_t>& classes) {
        for (const std::uint32_t cls : classes)
            clusterOf_[cls].assign(design_.classes[cls].instances, kNoLevel);
        for (const auto& [level, step] : InstanceGraph(design_, classes).inOrder())
            placeStep(step);
    }

    /// Joins the cluster of its sources when they are all in one, else opens a cluster above them.
    void placeStep(InstanceRef step) {
        std::uint32_t cluster = kNoLevel, level = 0, outside = 0;
        bool isSingle = true;
        forSources(step, [&](std::uint32_t owner, std::uint32_t instance) {
            if (clusterOf_[owner].empty()) {
                outside = std::max(outside, loopLevel(owner) + 1);
                return;
            }
            const std::uint32_t source = clusterOf_[owner][instance];
            isSingle = isSingle && (cluster == kNoLevel || cluster == source);
            cluster = source;
            level = std::max(level, schedule_.clusters[source].level + 1);
        });
        const std::uint32_t size = sizes_[step.cls.index];
        const bool joins =
            cluster != kNoLevel && isSingle && schedule_.clusters[cluster].level >= outside
            && schedule_.clusters[cluster].statements + size <= options_.blockStatements;
        if (!joins) {
            cluster = static_cast<std::uint32_t>(schedule_.clusters.size());
            schedule_.clusters.push_back({{}, std::max(level, outside), 0});
            note(schedule_.clusters.back().level);
        }
        schedule_.clusters[cluster].steps.push_back(step);
        schedule_.clusters[cluster].statements += size;
        clusterOf_[step.cls.index][step.instance] = cluster;
    }

    /// Calls `f(class, instance)` for each combinational field that one instance reads.
    template <typename F>
    void forSources(InstanceRef step, F&& f) const {
        forCombinationalRuns(design_, design_.classes[step.cls.index], [&](const ir::Run& run) {
            if (step.instance < run.first || step.instance - run.first >= run.count) return;
            const std::int64_t element =
                run.start + std::int64_t(step.instance - run.first) * run.stride;
            const ir::Plane& plane = design_.planes[run.plane.index];
            f(plane.owner.index, static_cast<std::uint32_t>(element / plane.perOwner));
        });
    }

    std::uint32_t loopLevel(std::uint32_t cls) const {
        const std::uint32_t level = schedule_.loopLevels[cls];
        return level != kNoLevel ? level : groupLevels_[cls];
    }

    /// One above everything that a class reads, `except` some classes.
    std::uint32_t levelAbove(std::uint32_t cls, const std::vector<std::uint32_t>& except) const {
        std::uint32_t level = 0;
        for (const std::uint32_t source : sources_[cls]) {
            if (std::find(except.begin(), except.end(), source) != except.end()) continue;
            if (clusterOf_[source].empty()) level = std::max(level, loopLevel(source) + 1);
            for (const std::uint32_t cluster : clusterOf_[source])
                level = std::max(level, schedule_.clusters[cluster].level + 1);
        }
        return level;
    }

    void note(std::uint32_t level) { schedule_.levels = std::max(schedule_.levels, level + 1); }

    const ir::Design& design_;
    const Options& options_;
    const std::vector<std::uint32_t>& sizes_;
    const Graph sources_;
    Schedule schedule_;
    std::vector<std::vector<std::uint32_t>>
        clusterOf_;  ///< per class and instance; empty: not straight-line
    std::vector<std::uint32_t> groupLevels_;
};

/// A barrier between two threads costs 0.1 to 0.2 us, in which loops do some thousand additions.
constexpr double kLightLevel = 20'000;

class LevelJoiner {
public:
    LevelJoiner(const ir::Design& design, Schedule& schedule)
        : schedule_(schedule), loops_(schedule.levels), isLight_(schedule.levels, true) {
        const std::vector<double> costs = costsOf(design);
        std::vector<double> work(schedule.levels, 0);
        for (std::uint32_t cls = 0; cls < schedule.loopLevels.size(); ++cls) {
            const std::uint32_t level = schedule.loopLevels[cls];
            if (level == kNoLevel) continue;
            loops_[level].push_back({{cls}, 0, design.classes[cls].instances});
            work[level] += costs[cls] * design.classes[cls].instances;
        }
        for (const Cluster& cluster : schedule.clusters)
            isLight_[cluster.level] = false;
        for (const OrderedGroup& group : schedule.groups)
            isLight_[group.level] = false;
        for (std::uint32_t level = 0; level < schedule.levels; ++level)
            isLight_[level] = isLight_[level] && work[level] < kLightLevel;
    }

    void run() {
        std::vector<std::uint32_t> renamed(schedule_.levels);
        std::uint32_t count = 0;
        for (std::uint32_t level = 0; level < schedule_.levels; ++count) {
            const std::uint32_t first = level;
            do
                renamed[level++] = count;
            while (level < schedule_.levels && isLight_[first] && isLight_[level]);
            if (level - first > 1) join(first, level);
        }
        for (std::uint32_t& level : schedule_.loopLevels)
            if (level != kNoLevel) level = renamed[level];
        for (Cluster& cluster : schedule_.clusters)
            cluster.level = renamed[cluster.level];
        for (OrderedGroup& group : schedule_.groups)
            group.level = renamed[group.level];
        schedule_.levels = count;
    }

private:
    /// Levels [first, end) become a group.
    void join(std::uint32_t first, std::uint32_t end) {
        OrderedGroup group;
        group.level = first;
        for (std::uint32_t level = first; level < end; ++level) {
            for (const OrderedRow& row : loops_[level]) {
                group.classes.push_back(row.cls);
                group.rows.push_back(row);
                schedule_.loopLevels[row.cls.index] = kNoLevel;
            }
        }
        schedule_.groups.push_back(std::move(group));
    }

    Schedule& schedule_;
    std::vector<std::vector<OrderedRow>> loops_;  ///< by level
    std::vector<bool> isLight_;                   ///< nothing but loops with little work
};

}  // namespace

bool isLooped(const ir::Class& cls, const Options& options) {
    return cls.instances >= std::max(options.loopThreshold, 1u);
}

Schedule orderCombinational(const ir::Design& design, const Options& options,
                            const std::vector<std::uint32_t>& sizes) {
    return Scheduler(design, options, sizes).run();
}

void joinLightLevels(const ir::Design& design, Schedule& schedule) {
    LevelJoiner(design, schedule).run();
}

}  // namespace smec::plan
