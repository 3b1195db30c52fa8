#include "plan/merge.h"

#include <algorithm>
#include <numeric>

#include "ir/reader_graph.h"
#include "plan/target.h"

// Readers are looked at before what they read (levels downwards): by then it is known whether a
// reader runs at the clocked level. Nothing outside of a group reads its combinational members, so
// that groups can be joined without a cycle between them.

namespace smec::plan {
namespace {

class Sets {
public:
    explicit Sets(std::size_t size) : parent_(size) {
        std::iota(parent_.begin(), parent_.end(), 0u);
    }
    std::uint32_t find(std::uint32_t i) {
        while (parent_[i] != i)
            i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void join(std::uint32_t a, std::uint32_t b) { parent_[find(b)] = find(a); }

private:
    std::vector<std::uint32_t> parent_;
};

using ir::Read;

/// By writer: what is read of combinational classes in the same cycle.
std::vector<std::vector<Read>> readsByWriter(const ir::Design& design) {
    std::vector<std::vector<Read>> reads(design.classes.size());
    for (std::uint32_t reader = 0; reader < design.classes.size(); ++reader) {
        ir::forEachRead(design, reader, [&](const Read& read) {
            if (read.isInSameCycle()) reads[read.writer].push_back(read);
        });
    }
    return reads;
}

/// Instance i of the reader reads instance i.
bool isAligned(const Read& read) {
    return read.source(0) == read.run->first
           && (read.run->count == 1
               || read.run->stride == static_cast<std::int64_t>(read.plane->perOwner));
}

class LoopMerger {
public:
    LoopMerger(const ir::Design& design, const Options& options, Schedule& schedule,
               const std::vector<std::vector<Read>>& reads)
        : design_(design),
          ledger_(options.ledger),
          schedule_(schedule),
          reads_(reads),
          groups_(design.classes.size()),
          isLast_(design.classes.size(), false) {}

    void run(Merging& result) {
        for (std::uint32_t i = 0; i < design_.classes.size(); ++i) {
            const ir::Class& cls = design_.classes[i];
            isLast_[i] = !cls.combinational && cls.instances != 0 && schedule_.isLooped[i];
        }
        std::vector<std::uint32_t> merged = combinationalLoops();
        std::erase_if(merged, [&](std::uint32_t cls) { return !merge(cls); });
        std::reverse(merged.begin(), merged.end());
        collect(merged, result);
    }

private:
    /// Highest level first.
    std::vector<std::uint32_t> combinationalLoops() const {
        std::vector<std::uint32_t> loops;
        for (std::uint32_t i = 0; i < schedule_.loopLevels.size(); ++i)
            if (schedule_.loopLevels[i] != kNoLevel) loops.push_back(i);
        std::stable_sort(loops.begin(), loops.end(), [&](std::uint32_t a, std::uint32_t b) {
            return schedule_.loopLevels[a] > schedule_.loopLevels[b];
        });
        return loops;
    }

    bool merge(std::uint32_t cls) {
        const std::uint32_t instances = design_.classes[cls].instances;
        const bool isMergeable =
            std::all_of(reads_[cls].begin(), reads_[cls].end(), [&](const Read& read) {
                return isLast_[read.reader] && isAligned(read)
                       && design_.classes[read.reader].instances == instances;
            });
        if (!ledger_.ask(rules::Rule::MergedLoops, rules::Subject::ofClass(cls),
                         {{rules::Condition::AlignedReaders, isMergeable}}))
            return false;
        isLast_[cls] = true;
        for (const Read& read : reads_[cls])
            groups_.join(cls, read.reader);
        return true;
    }

    void collect(const std::vector<std::uint32_t>& merged, Merging& result) {
        std::vector<std::uint32_t> groupOf(design_.classes.size(), kNoLevel);
        for (const std::uint32_t cls : merged) {
            std::uint32_t& group = groupOf[groups_.find(cls)];
            if (group == kNoLevel) {
                group = static_cast<std::uint32_t>(result.loops.size());
                result.loops.emplace_back();
            }
            result.loops[group].push_back({cls});
            schedule_.loopLevels[cls] = kNoLevel;
        }
        result.loopOf.assign(design_.classes.size(), kNoLevel);
        for (std::uint32_t i = 0; i < design_.classes.size(); ++i) {
            const std::uint32_t group = groupOf[groups_.find(i)];
            if (!isLast_[i] || group == kNoLevel) continue;
            result.loopOf[i] = group;
            if (!design_.classes[i].combinational) result.loops[group].push_back({i});
        }
    }

    const ir::Design& design_;
    const rules::Asker& ledger_;
    Schedule& schedule_;
    const std::vector<std::vector<Read>>& reads_;
    Sets groups_;
    std::vector<bool> isLast_;  ///< runs at the clocked level, in a loop
};

/// Items are the clusters, then the classes; sets are what stays together.
class StepMerger {
public:
    StepMerger(const ir::Design& design, const Options& options,
               const std::vector<std::uint32_t>& sizes, Schedule& schedule,
               const std::vector<std::vector<Read>>& reads)
        : design_(design),
          options_(options),
          schedule_(schedule),
          reads_(reads),
          clusterCount_(static_cast<std::uint32_t>(schedule.clusters.size())),
          sets_(clusterCount_ + design.classes.size()),
          statements_(clusterCount_ + design.classes.size(), 0),
          isMerged_(clusterCount_, false),
          clusterOf_(design.classes.size()) {
        for (std::uint32_t i = 0; i < clusterCount_; ++i) {
            statements_[i] = schedule.clusters[i].statements;
            for (const InstanceRef& step : schedule.clusters[i].steps) {
                auto& clusters = clusterOf_[step.cls.index];
                clusters.resize(design.classes[step.cls.index].instances, kNoLevel);
                clusters[step.instance] = i;
            }
        }
        for (std::uint32_t i = 0; i < design.classes.size(); ++i)
            statements_[clusterCount_ + i] = std::uint64_t{sizes[i]} * design.classes[i].instances;
    }

    void run(Merging& result) {
        for (std::uint32_t i = clusterCount_; i-- > 0;)
            isMerged_[i] = merge(i);
        collect(result);
    }

private:
    bool merge(std::uint32_t cluster) {
        using enum rules::Condition;
        const std::vector<InstanceRef>& steps = schedule_.clusters[cluster].steps;
        const auto ask = [&](const rules::Finding& found) {
            return options_.ledger.ask(rules::Rule::JoinedSteps,
                                       rules::Subject::ofClass(steps.front().cls.index), {found},
                                       static_cast<std::uint32_t>(steps.size()));
        };
        std::vector<std::uint32_t> items{cluster};
        for (const InstanceRef& step : steps) {
            for (const Read& read : reads_[step.cls.index]) {
                if (!addReaders(cluster, step.instance, read, items))
                    return ask({ReadersInBlocks, false});
            }
        }
        std::vector<std::uint32_t> sets;
        for (const std::uint32_t item : items)
            sets.push_back(sets_.find(item));
        std::sort(sets.begin(), sets.end());
        sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
        std::uint64_t statements = 0;
        for (const std::uint32_t set : sets)
            statements += statements_[set];
        if (!ask({Statements, statements,
                  target::kLongestJoined * std::uint64_t{options_.blockStatements}}))
            return false;
        for (const std::uint32_t set : sets)
            sets_.join(sets.front(), set);
        statements_[sets_.find(cluster)] = statements;
        return true;
    }

    /// What reads one instance through a connection; false where that cannot be in the same block.
    bool addReaders(std::uint32_t cluster, std::uint32_t instance, const Read& read,
                    std::vector<std::uint32_t>& items) const {
        const ir::Class& reader = design_.classes[read.reader];
        for (std::uint32_t i = 0; i < read.run->count; ++i) {
            if (read.source(i) != instance) continue;
            if (!reader.combinational) {
                if (schedule_.isLooped[read.reader]) return false;
                items.push_back(clusterCount_ + read.reader);
                continue;
            }
            const auto& clusters = clusterOf_[read.reader];
            const std::uint32_t other = clusters.empty() ? kNoLevel : clusters[read.run->first + i];
            if (other == cluster) continue;
            if (other == kNoLevel || !isMerged_[other]) return false;
            items.push_back(other);
        }
        return true;
    }

    void collect(Merging& result) {
        std::vector<std::uint32_t> placeOf(clusterCount_ + design_.classes.size(), kNoLevel);
        const auto setOf = [&](std::uint32_t item) -> Merging::Steps& {
            std::uint32_t& place = placeOf[sets_.find(item)];
            if (place == kNoLevel) {
                place = static_cast<std::uint32_t>(result.steps.size());
                result.steps.emplace_back();
            }
            return result.steps[place];
        };
        for (std::uint32_t i = 0; i < clusterCount_; ++i) {
            if (!isMerged_[i]) continue;
            Merging::Steps& set = setOf(i);
            const std::vector<InstanceRef>& steps = schedule_.clusters[i].steps;
            set.steps.insert(set.steps.end(), steps.begin(), steps.end());
        }
        result.stepsOf.assign(design_.classes.size(), kNoLevel);
        for (std::uint32_t i = 0; i < design_.classes.size(); ++i) {
            const std::uint32_t place = placeOf[sets_.find(clusterCount_ + i)];
            if (design_.classes[i].combinational || place == kNoLevel) continue;
            result.stepsOf[i] = place;
            for (std::uint32_t k = 0; k < design_.classes[i].instances; ++k)
                result.steps[place].steps.push_back({{i}, k});
        }
        std::vector<Cluster> kept;
        for (std::uint32_t i = 0; i < clusterCount_; ++i)
            if (!isMerged_[i]) kept.push_back(std::move(schedule_.clusters[i]));
        schedule_.clusters = std::move(kept);
    }

    const ir::Design& design_;
    const Options& options_;
    Schedule& schedule_;
    const std::vector<std::vector<Read>>& reads_;
    const std::uint32_t clusterCount_;
    Sets sets_;
    std::vector<std::uint64_t> statements_;  ///< of a set, at its representative
    std::vector<bool> isMerged_;
    std::vector<std::vector<std::uint32_t>> clusterOf_;  ///< per class and instance
};

std::uint32_t levelsOf(const Schedule& schedule) {
    std::uint32_t levels = 0;
    for (const std::uint32_t level : schedule.loopLevels)
        if (level != kNoLevel) levels = std::max(levels, level + 1);
    for (const Cluster& cluster : schedule.clusters)
        levels = std::max(levels, cluster.level + 1);
    for (const OrderedGroup& group : schedule.groups)
        levels = std::max(levels, group.level + 1);
    return levels;
}

}  // namespace

Merging mergeIntoReaders(const ir::Design& design, const Options& options,
                         const std::vector<std::uint32_t>& sizes, Schedule& schedule) {
    const auto reads = readsByWriter(design);
    Merging result;
    LoopMerger(design, options, schedule, reads).run(result);
    StepMerger(design, options, sizes, schedule, reads).run(result);
    schedule.levels = levelsOf(schedule);
    return result;
}

}  // namespace smec::plan
