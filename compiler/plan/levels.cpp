// Levels are longest paths over the combinational connections. The nodes are classes where
// instances run in loops, single instances where they are straight-line code. Classes are taken in
// topological order of the strongly connected components of the class graph (ir/reader_graph.h). A
// component with a cycle needs the order of its instances, which is acyclic by the language's rules:
//   all straight-line:  the instances themselves become nodes
//   with looped ones:   one indivisible kernel calls the loops over rows of independent instances,
//   level by level

#include "plan/levels.h"

#include <algorithm>

#include "ir/reader_graph.h"
#include "plan/target.h"
#include "source/graph.h"
#include "source/internal_error.h"

namespace smec::plan {
namespace {

/// Schedule::isLooped.
std::vector<bool> loopedClasses(const ir::Design& design, const Options& options,
                                const std::vector<std::uint32_t>& sizes) {
    using enum rules::Condition;
    std::vector<bool> isLooped;
    for (std::uint32_t i = 0; i < design.classes.size(); ++i) {
        const std::uint32_t instances = design.classes[i].instances;
        // a long body need not be compiled once for each instance
        const std::uint64_t repeated = instances > 1 ? std::uint64_t{sizes[i]} * instances : 0;
        isLooped.push_back(
            instances != 0
            && !options.ledger.ask(rules::Rule::StraightCode, rules::Subject::ofClass(i),
                                   {{FewInstances, instances, std::max(options.loopThreshold, 1u)},
                                    {StatementsInAll, repeated, options.blockStatements}}));
    }
    return isLooped;
}

/// The instances of a component as a graph: nodes numbered class by class, edges from source to
/// reader.
class InstanceGraph {
public:
    InstanceGraph(const ir::Design& design, std::span<const std::uint32_t> classes)
        : design_(design), classes_(classes) {
        first_.assign(design.classes.size(), kNoLevel);
        for (const std::uint32_t cls : classes) {
            first_[cls] = count_;
            count_ += design.classes[cls].instances;
        }
        levels_ = longestPaths(Graph(count_, edges()));
        require(std::find(levels_.begin(), levels_.end(), kEndless) == levels_.end(),
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
    std::vector<Edge> edges() const {
        std::vector<Edge> edges;
        for (const std::uint32_t cls : classes_) {
            ir::forEachRead(design_, cls, [&](const ir::Read& read) {
                const std::uint32_t base = first_[read.writer];
                if (!read.isInSameCycle() || base == kNoLevel) return;
                for (std::uint32_t i = 0; i < read.run->count; ++i)
                    edges.push_back({base + read.source(i), first_[cls] + read.run->first + i});
            });
        }
        return edges;
    }

    const ir::Design& design_;
    const std::span<const std::uint32_t> classes_;
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
          graph_(design),
          clusterOf_(design.classes.size()),
          groupLevels_(design.classes.size(), kNoLevel) {
        schedule_.isLooped = loopedClasses(design, options, sizes);
        schedule_.loopLevels.assign(design.classes.size(), kNoLevel);
    }

    Schedule run() {
        graph_.components().forEach(
            [&](std::span<const std::uint32_t> component) { place(component); });
        return std::move(schedule_);
    }

private:
    bool isLoop(std::uint32_t cls) const { return schedule_.isLooped[cls]; }

    void place(std::span<const std::uint32_t> classes) {
        const bool isCyclic = graph_.isCyclic(classes);
        const bool anyLoop = std::any_of(classes.begin(), classes.end(),
                                         [&](std::uint32_t cls) { return isLoop(cls); });
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

    void placeGroup(std::span<const std::uint32_t> classes) {
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

    void placeSteps(std::span<const std::uint32_t> classes) {
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
        ir::forEachRead(design_, step.cls.index, [&](const ir::Read& read) {
            const ir::Run& run = *read.run;
            if (!read.isInSameCycle() || step.instance < run.first) return;
            if (step.instance - run.first >= run.count) return;
            f(read.writer, read.source(step.instance - run.first));
        });
    }

    std::uint32_t loopLevel(std::uint32_t cls) const {
        const std::uint32_t level = schedule_.loopLevels[cls];
        return level != kNoLevel ? level : groupLevels_[cls];
    }

    /// One above everything that a class reads, `except` some classes.
    std::uint32_t levelAbove(std::uint32_t cls, std::span<const std::uint32_t> except) const {
        std::uint32_t level = 0;
        for (const std::uint32_t source : graph_.sourcesOf(cls)) {
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
    const ir::ReaderGraph graph_;
    Schedule schedule_;
    std::vector<std::vector<std::uint32_t>>
        clusterOf_;  ///< per class and instance; empty: not straight-line
    std::vector<std::uint32_t> groupLevels_;
};

class LevelJoiner {
public:
    LevelJoiner(const ir::Design& design, const Options& options, const std::vector<double>& costs,
                Schedule& schedule)
        : ledger_(options.ledger),
          schedule_(schedule),
          loops_(schedule.levels),
          isLoops_(schedule.levels, true),
          work_(schedule.levels, 0) {
        for (std::uint32_t cls = 0; cls < schedule.loopLevels.size(); ++cls) {
            const std::uint32_t level = schedule.loopLevels[cls];
            if (level == kNoLevel) continue;
            loops_[level].push_back({{cls}, 0, design.classes[cls].instances});
            work_[level] += costs[cls] * design.classes[cls].instances;
        }
        for (const Cluster& cluster : schedule.clusters)
            isLoops_[cluster.level] = false;
        for (const OrderedGroup& group : schedule.groups)
            isLoops_[group.level] = false;
    }

    void run() {
        std::vector<std::uint32_t> renamed(schedule_.levels);
        std::uint32_t count = 0;
        for (std::uint32_t level = 0; level < schedule_.levels; ++count) {
            const std::uint32_t first = level;
            do
                renamed[level++] = count;
            while (level < schedule_.levels && joins(level - 1));
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
    /// Whether a level and the next one, both nothing but loops, have little work.
    bool joins(std::uint32_t level) const {
        return isLoops_[level] && isLoops_[level + 1]
               && ledger_.ask(rules::Rule::LightLevels, rules::Subject::design(),
                              {{rules::Condition::Work, std::max(work_[level], work_[level + 1]),
                                target::kLightLevel}});
    }

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

    const rules::Asker& ledger_;
    Schedule& schedule_;
    std::vector<std::vector<OrderedRow>> loops_;  ///< by level
    std::vector<bool> isLoops_;                   ///< by level: nothing else runs in it
    std::vector<double> work_;                    ///< by level
};

}  // namespace

Schedule orderCombinational(const ir::Design& design, const Options& options,
                            const std::vector<std::uint32_t>& sizes) {
    return Scheduler(design, options, sizes).run();
}

void joinLightLevels(const ir::Design& design, const Options& options,
                     const std::vector<double>& costs, Schedule& schedule) {
    LevelJoiner(design, options, costs, schedule).run();
}

}  // namespace smec::plan
