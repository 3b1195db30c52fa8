// Bins are filled in source order. A bin ends at its bound or, once it is half full, before the
// first process whose name's hash says so. Boundaries therefore depend on names near them, not on
// all that stands before: after an insertion the bins fall back into step at the next such name.

#include "plan/partition.h"

#include "plan/sizes.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace smec::plan {
namespace {

/// Whether a bin that holds `filled` ends before the next entry.
bool isFull(std::uint64_t filled, std::uint64_t size, std::uint64_t bound, std::uint64_t hash,
            std::uint64_t oneIn) {
    if (filled == 0) return false;
    return filled + size > bound || (filled >= bound / 2 && hash % oneIn == 0);
}

std::uint64_t hashOfStep(const ir::Class& cls) {
    const std::uint64_t path = cls.runs.empty() ? 0 : hashOf(cls.runs.front().prefix);
    return (hashOf(cls.name) * 31 + path) >> 8;
}

class KernelBuilder {
public:
    KernelBuilder(const ir::Design& design, const Options& options,
                  const std::vector<std::uint32_t>& sizes, const std::vector<double>& costs,
                  Plan& plan)
        : design_(design), options_(options), sizes_(sizes), costs_(costs), plan_(plan) {}

    void addLoop(ir::ClassId cls, std::uint32_t level, bool scheduled) {
        Kernel kernel;
        kernel.cls = cls;
        kernel.level = level;
        kernel.scheduled = scheduled;
        kernel.statements = sizes_[cls.index];
        kernel.cost = costs_[cls.index];
        kernel.processes = design_.classes[cls.index].instances;
        plan_.kernels.push_back(std::move(kernel));
    }

    void addGroup(const OrderedGroup& group) {
        Kernel kernel;
        kernel.kind = KernelKind::Ordered;
        kernel.rows = group.rows;
        kernel.level = group.level;
        kernel.statements = static_cast<std::uint32_t>(group.classes.size()) + 1;
        for (const ir::ClassId cls : group.classes) {
            addLoop(cls, group.level, false);
            kernel.processes += design_.classes[cls.index].instances;
            kernel.cost += costs_[cls.index] * design_.classes[cls.index].instances;
        }
        plan_.kernels.push_back(std::move(kernel));
    }

    void addMerged(const std::vector<ir::ClassId>& classes, std::uint32_t level) {
        if (classes.size() == 1) return addLoop(classes.front(), level, true);
        Kernel kernel;
        kernel.kind = KernelKind::Merged;
        kernel.parts = classes;
        kernel.level = level;
        kernel.statements = static_cast<std::uint32_t>(classes.size()) + 1;
        for (const ir::ClassId cls : classes) {
            addLoop(cls, level, false);
            kernel.processes += design_.classes[cls.index].instances;
            kernel.cost += costs_[cls.index];
        }
        plan_.kernels.push_back(std::move(kernel));
    }

    /// Steps that stay together.
    void addSteps(const std::vector<InstanceRef>& steps, std::uint32_t level) {
        std::uint64_t size = 0;
        double cost = 0;
        for (const InstanceRef& step : steps) {
            size += sizes_[step.cls.index];
            cost += costs_[step.cls.index];
        }
        const std::uint64_t hash = hashOfStep(design_.classes[steps.front().cls.index]);
        if (isFull(block_.statements, size, options_.blockStatements, hash, 4)
            || (!block_.steps.empty() && block_.cost + cost > options_.blockCost))
            closeBlock();
        block_.kind = KernelKind::Block;
        block_.level = level;
        for (const InstanceRef& step : steps) {
            block_.steps.push_back(step);
            block_.statements += sizes_[step.cls.index];
            block_.cost += costs_[step.cls.index];
            ++block_.processes;
        }
    }

    void closeBlock() {
        if (!block_.steps.empty()) plan_.kernels.push_back(std::move(block_));
        block_ = {};
    }

private:
    const ir::Design& design_;
    const Options& options_;
    const std::vector<std::uint32_t>& sizes_;
    const std::vector<double>& costs_;
    Plan& plan_;
    Kernel block_;
};

std::vector<InstanceRef> allInstances(const ir::Design& design, ir::ClassId cls) {
    std::vector<InstanceRef> steps;
    for (std::uint32_t i = 0; i < design.classes[cls.index].instances; ++i)
        steps.push_back({cls, i});
    return steps;
}

void addCombinational(const ir::Design& design, const Schedule& schedule, KernelBuilder& builder) {
    struct Entry {
        std::uint32_t level;
        std::uint32_t cls;   ///< of its first instance: source order
        std::uint32_t kind;  ///< loop, group, cluster
        std::uint32_t index;
        auto operator<=>(const Entry&) const = default;
    };
    std::vector<Entry> entries;
    for (std::uint32_t i = 0; i < design.classes.size(); ++i) {
        if (schedule.loopLevels[i] != kNoLevel)
            entries.push_back({schedule.loopLevels[i], i, 0, i});
    }
    for (std::uint32_t i = 0; i < schedule.groups.size(); ++i) {
        entries.push_back(
            {schedule.groups[i].level, schedule.groups[i].classes.front().index, 1, i});
    }
    for (std::uint32_t i = 0; i < schedule.clusters.size(); ++i) {
        entries.push_back(
            {schedule.clusters[i].level, schedule.clusters[i].steps.front().cls.index, 2, i});
    }
    std::sort(entries.begin(), entries.end());

    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Entry& entry = entries[i];
        if (i != 0 && entries[i - 1].level != entry.level) builder.closeBlock();
        if (entry.kind == 0) builder.addLoop({entry.cls}, entry.level, true);
        if (entry.kind == 1) builder.addGroup(schedule.groups[entry.index]);
        if (entry.kind == 2) builder.addSteps(schedule.clusters[entry.index].steps, entry.level);
    }
    builder.closeBlock();
}

/// The clocked processes in source order, each with what was merged into it; then what nobody
/// reads.
void addClocked(const ir::Design& design, const Options& options, const Merging& merging,
                std::uint32_t level, KernelBuilder& builder) {
    std::vector<bool> hasLoops(merging.loops.size()), hasSteps(merging.steps.size());
    const auto addLoops = [&](std::uint32_t group) {
        if (!hasLoops[group]) builder.addMerged(merging.loops[group], level);
        hasLoops[group] = true;
    };
    const auto addSteps = [&](std::uint32_t group) {
        if (!hasSteps[group]) builder.addSteps(merging.steps[group].steps, level);
        hasSteps[group] = true;
    };
    for (std::uint32_t i = 0; i < design.classes.size(); ++i) {
        const ir::Class& cls = design.classes[i];
        if (cls.combinational || cls.instances == 0) continue;
        if (merging.loopOf[i] != kNoLevel)
            addLoops(merging.loopOf[i]);
        else if (merging.stepsOf[i] != kNoLevel)
            addSteps(merging.stepsOf[i]);
        else if (isLooped(cls, options))
            builder.addLoop({i}, level, true);
        else
            builder.addSteps(allInstances(design, {i}), level);
    }
    for (std::uint32_t i = 0; i < merging.loops.size(); ++i)
        addLoops(i);
    for (std::uint32_t i = 0; i < merging.steps.size(); ++i)
        addSteps(i);
    builder.closeBlock();
}

std::string sanitised(const std::string& name) {
    std::string result;
    for (const char c : name)
        result += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    if (result.size() > 60) result.resize(60);
    return result;
}

}  // namespace

std::uint64_t hashOf(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return hash;
}

const std::string& firstProcess(const Kernel& kernel, const ir::Design& design) {
    if (kernel.kind == KernelKind::Block)
        return design.classes[kernel.steps.front().cls.index].name;
    if (kernel.kind == KernelKind::Ordered)
        return design.classes[kernel.rows.front().cls.index].name;
    if (kernel.kind == KernelKind::Merged) return design.classes[kernel.parts.front().index].name;
    return design.classes[kernel.cls.index].name;
}

void formKernels(const ir::Design& design, const Options& options, const Schedule& schedule,
                 const Merging& merging, const std::vector<std::uint32_t>& sizes, Plan& plan) {
    const std::vector<double> costs = costsOf(design);
    KernelBuilder builder(design, options, sizes, costs, plan);
    addCombinational(design, schedule, builder);
    addClocked(design, options, merging, schedule.levels, builder);
}

void formUnits(const ir::Design& design, const Options& options, Plan& plan) {
    std::map<std::string, std::uint32_t> used;
    std::uint64_t filled = 0;
    for (std::uint32_t i = 0; i < plan.kernels.size(); ++i) {
        const Kernel& kernel = plan.kernels[i];
        const std::string& first = firstProcess(kernel, design);
        if (filled == 0
            || isFull(filled, kernel.statements, options.unitStatements, hashOf(first) >> 16, 2)) {
            const std::string name = sanitised(first);
            plan.units.push_back({"unit_" + name + "_" + std::to_string(++used[name]), {}});
            filled = 0;
        }
        plan.units.back().kernels.push_back(i);
        filled += std::max(kernel.statements, 1u);
    }
}

}  // namespace smec::plan
