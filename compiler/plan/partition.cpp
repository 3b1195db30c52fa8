// Bins are filled in source order. A bin ends at its bound or, once it is half full, before the
// first process whose name's hash says so. Boundaries therefore depend on names near them, not on
// all that stands before: after an insertion the bins fall back into step at the next such name.
//
// Straight-line steps that read one another across the whole design are ordered by minimum cut
// instead (plan/mincut.cpp): the bins are the leaves of the bisection.

#include "plan/partition.h"

#include "plan/mincut.h"
#include "plan/steps.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <map>

#include "sme/fnv1a.h"

namespace smec::plan {
namespace {

/// Whether a bin that holds `filled` ends before the next entry.
bool isFull(std::uint64_t filled, std::uint64_t size, std::uint64_t bound, std::uint64_t hash,
            std::uint64_t oneIn) {
    if (filled == 0) return false;
    return filled + size > bound || (filled >= bound / 2 && hash % oneIn == 0);
}

/// Whether a translation unit that holds `filled` statements ends before a kernel.
bool startsUnit(const Kernel& kernel, const std::string& firstProcess, std::uint64_t filled,
                std::uint64_t bound) {
    switch (kernel.unitStart) {
    case UnitStart::ByName:
        return isFull(filled, kernel.statements, bound, sme::fnv1a(firstProcess) >> 16, 2);
    case UnitStart::WhenFull: return filled + kernel.statements > bound;
    case UnitStart::Here: return true;
    }
    return true;
}

std::uint64_t hashOfStep(const ir::Class& cls) {
    const std::uint64_t path = cls.runs.empty() ? 0 : sme::fnv1a(cls.runs.front().prefix);
    return (sme::fnv1a(cls.name) * 31 + path) >> 8;
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

    void measure(StepGroup& group) const {
        for (const InstanceRef& step : group.steps) {
            group.statements += sizes_[step.cls.index];
            group.cost += costs_[step.cls.index];
        }
    }

    void addSteps(const StepGroup& group, std::uint32_t level) {
        const std::uint64_t hash = hashOfStep(design_.classes[group.steps.front().cls.index]);
        if (isFull(block_.statements, group.statements, options_.blockStatements, hash, 4)
            || !fits(group))
            closeBlock();
        append(group, level);
    }

    /// Blocks of equal cost, one per leaf or, where it exceeds the bounds, several. Leaves that are
    /// smaller than half a unit share one: two, four, ….
    void addLeaves(const std::vector<StepGroup>& groups, const MinCutOrder& order,
                   std::uint32_t level) {
        std::vector<Leaf> leaves;
        std::uint64_t largest = 1;
        for (const std::vector<std::uint32_t>& members : order.leaves) {
            leaves.push_back({});
            for (const std::uint32_t i : members) {
                leaves.back().statements += groups[i].statements;
                leaves.back().cost += groups[i].cost;
            }
            largest = std::max(largest, leaves.back().statements);
        }
        const std::uint64_t perUnit =
            std::bit_floor(std::max<std::uint64_t>(options_.unitStatements / 2 / largest, 1));
        for (std::size_t i = 0; i < leaves.size(); ++i) {
            if (i % perUnit == 0) unitStart_ = UnitStart::Here;
            addLeaf(groups, order.leaves[i], leaves[i], level);
        }
    }

    void closeBlock() {
        if (!block_.steps.empty()) plan_.kernels.push_back(std::move(block_));
        block_ = {};
    }

private:
    struct Leaf {
        std::uint64_t statements = 0;
        double cost = 0;
    };

    void addLeaf(const std::vector<StepGroup>& groups, const std::vector<std::uint32_t>& members,
                 const Leaf& leaf, std::uint32_t level) {
        const double pieces = std::ceil(std::max(double(leaf.statements) / options_.blockStatements,
                                                 leaf.cost / options_.blockCost));
        double before = 0, end = leaf.cost / pieces;
        for (const std::uint32_t i : members) {
            const bool isNext = before + groups[i].cost / 2 > end;
            if (isNext) end += leaf.cost / pieces;
            if (isNext || !fits(groups[i])) closeBlock();
            append(groups[i], level);
            before += groups[i].cost;
        }
        closeBlock();
    }

    bool fits(const StepGroup& group) const {
        return block_.steps.empty()
               || (block_.statements + group.statements <= options_.blockStatements
                   && block_.cost + group.cost <= options_.blockCost);
    }

    void append(const StepGroup& group, std::uint32_t level) {
        if (block_.steps.empty()) {
            block_.unitStart = unitStart_;
            if (unitStart_ == UnitStart::Here) unitStart_ = UnitStart::WhenFull;
        }
        block_.kind = KernelKind::Block;
        block_.level = level;
        block_.steps.insert(block_.steps.end(), group.steps.begin(), group.steps.end());
        block_.statements += static_cast<std::uint32_t>(group.statements);
        block_.cost += group.cost;
        block_.processes += group.steps.size();
    }

    const ir::Design& design_;
    const Options& options_;
    const std::vector<std::uint32_t>& sizes_;
    const std::vector<double>& costs_;
    Plan& plan_;
    Kernel block_;
    UnitStart unitStart_ = UnitStart::ByName;  ///< of the next block
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
        if (entry.kind == 2) {
            StepGroup group{schedule.clusters[entry.index].steps};
            builder.measure(group);
            builder.addSteps(group, entry.level);
        }
    }
    builder.closeBlock();
}

/// What the clocked level runs: loops over the same instances, or straight-line steps that stay
/// together.
struct Clocked {
    std::vector<ir::ClassId> loops;
    StepGroup group;
};

/// The clocked processes in source order, each with what was merged into it; then what nobody
/// reads.
std::vector<Clocked> clockedEntries(const ir::Design& design, const std::vector<bool>& isLooped,
                                    const Merging& merging) {
    std::vector<Clocked> entries;
    std::vector<bool> hasLoops(merging.loops.size()), hasSteps(merging.steps.size());
    const auto addLoops = [&](std::uint32_t group) {
        if (!hasLoops[group]) entries.push_back({merging.loops[group], {}});
        hasLoops[group] = true;
    };
    const auto addSteps = [&](std::uint32_t group) {
        if (!hasSteps[group]) entries.push_back({{}, {merging.steps[group].steps}});
        hasSteps[group] = true;
    };
    for (std::uint32_t i = 0; i < design.classes.size(); ++i) {
        const ir::Class& cls = design.classes[i];
        if (cls.combinational || cls.instances == 0) continue;
        if (merging.loopOf[i] != kNoLevel)
            addLoops(merging.loopOf[i]);
        else if (merging.stepsOf[i] != kNoLevel)
            addSteps(merging.stepsOf[i]);
        else if (isLooped[i])
            entries.push_back({{{i}}, {}});
        else
            entries.push_back({{}, {allInstances(design, {i})}});
    }
    for (std::uint32_t i = 0; i < merging.loops.size(); ++i)
        addLoops(i);
    for (std::uint32_t i = 0; i < merging.steps.size(); ++i)
        addSteps(i);
    return entries;
}

/// Source order, or first the loops and then the steps by minimum cut.
void addClocked(const ir::Design& design, const Options& options, const Merging& merging,
                const std::vector<bool>& isLooped, std::uint32_t level, KernelBuilder& builder,
                Plan& plan) {
    std::vector<Clocked> entries = clockedEntries(design, isLooped, merging);
    std::vector<StepGroup> groups;
    for (Clocked& entry : entries) {
        if (!entry.loops.empty()) continue;
        builder.measure(entry.group);
        groups.push_back(entry.group);
    }
    const MinCutOrder order = orderByMinCut(design, options, groups);
    plan.cutDepths = order.depths;
    for (const Clocked& entry : entries) {
        if (!entry.loops.empty())
            builder.addMerged(entry.loops, level);
        else if (order.leaves.empty())
            builder.addSteps(entry.group, level);
    }
    builder.closeBlock();
    builder.addLeaves(groups, order, level);
}

std::string sanitised(const std::string& name) {
    std::string result;
    for (const char c : name)
        result += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    if (result.size() > 60) result.resize(60);
    return result;
}

class UnitBuilder {
public:
    UnitBuilder(const ir::Design& design, const Options& options, Plan& plan)
        : design_(design), options_(options), plan_(plan) {}

    void addKernel(std::uint32_t index) {
        const Kernel& kernel = plan_.kernels[index];
        const std::string& first = firstProcess(kernel, design_);
        if (plan_.units.empty() || startsUnit(kernel, first, filled_, options_.unitStatements))
            begin(first);
        plan_.units.back().kernels.push_back(index);
        filled_ += std::max(kernel.statements, 1u);
    }

    /// One that is cut: functions follow it into as many units as they fill.
    void addFunctions(std::uint32_t index, const std::vector<std::uint32_t>& sizes) {
        const Kernel& kernel = plan_.kernels[index];
        begin(firstProcess(kernel, design_));
        plan_.units.back().kernels.push_back(index);
        for (std::uint32_t i = 0; i <= kernel.cuts.size(); ++i) {
            const StepRange range = stepsOf(kernel, i);
            std::uint64_t size = 0;
            for (std::uint32_t step = range.begin; step < range.end; ++step)
                size += sizes[kernel.steps[step].cls.index];
            if (filled_ > 0 && filled_ + size > options_.unitStatements)
                begin(design_.classes[kernel.steps[range.begin].cls.index].name);
            plan_.units.back().functions.push_back({index, i});
            filled_ += size;
        }
    }

private:
    void begin(const std::string& firstProcess) {
        const std::string name = sanitised(firstProcess);
        plan_.units.push_back({"unit_" + name + "_" + std::to_string(++used_[name]), {}});
        filled_ = 0;
    }

    const ir::Design& design_;
    const Options& options_;
    Plan& plan_;
    std::map<std::string, std::uint32_t> used_;  ///< names
    std::uint64_t filled_ = 0;                   ///< statements of the last unit
};

}  // namespace

const std::string& firstProcess(const Kernel& kernel, const ir::Design& design) {
    if (kernel.kind == KernelKind::Block)
        return design.classes[kernel.steps.front().cls.index].name;
    if (kernel.kind == KernelKind::Ordered)
        return design.classes[kernel.rows.front().cls.index].name;
    if (kernel.kind == KernelKind::Merged) return design.classes[kernel.parts.front().index].name;
    return design.classes[kernel.cls.index].name;
}

void formKernels(const ir::Design& design, const Options& options, const Schedule& schedule,
                 const Merging& merging, const std::vector<std::uint32_t>& sizes,
                 const std::vector<double>& costs, Plan& plan) {
    KernelBuilder builder(design, options, sizes, costs, plan);
    addCombinational(design, schedule, builder);
    addClocked(design, options, merging, schedule.isLooped, schedule.levels, builder, plan);
}

void formUnits(const ir::Design& design, const Options& options,
               const std::vector<std::uint32_t>& sizes, Plan& plan) {
    plan.units.clear();
    UnitBuilder builder(design, options, plan);
    for (std::uint32_t i = 0; i < plan.kernels.size(); ++i) {
        if (plan.kernels[i].cuts.empty())
            builder.addKernel(i);
        else
            builder.addFunctions(i, sizes);
    }
}

}  // namespace smec::plan
