#include <cstdio>
#include <map>

#include "ir/visit.h"
#include "plan/partition.h"
#include "plan/steps.h"
#include "source/overloaded.h"

namespace smec::plan {
namespace {

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
}

std::string describe(const Kernel& kernel, const ir::Design& design) {
    std::string text;
    switch (kernel.kind) {
    case KernelKind::Loop:
        text = "loop " + design.classes[kernel.cls.index].name + " x "
               + std::to_string(kernel.processes) + " granularity "
               + std::to_string(kernel.granularity);
        if (kernel.lanes > 1) text += " lanes " + std::to_string(kernel.lanes);
        break;
    case KernelKind::Block:
        text = kernel.isWhole ? "whole" : "block";
        for (const InstanceRef& step : kernel.steps) {
            text += " " + design.classes[step.cls.index].name + "[" + std::to_string(step.instance)
                    + "]";
        }
        if (!kernel.cuts.empty()) text += " functions " + std::to_string(kernel.cuts.size() + 1);
        break;
    case KernelKind::Ordered:
        text = "ordered";
        for (const OrderedRow& row : kernel.rows) {
            text += " " + design.classes[row.cls.index].name + "[" + std::to_string(row.begin)
                    + ".." + std::to_string(row.end) + ")";
        }
        break;
    case KernelKind::Merged:
        text = "merged";
        for (const ir::ClassId part : kernel.parts)
            text += " " + design.classes[part.index].name;
        text += " granularity " + std::to_string(kernel.granularity);
        break;
    }
    text += " level " + std::to_string(kernel.level) + " cost " + number(kernel.cost)
            + " statements " + std::to_string(kernel.statements);
    return kernel.scheduled ? text : text + " (called)";
}

/// ", 2 mirrors of n": instances of a field that unobserved cycles do not store.
std::string describe(const std::vector<Upkeep>& upkeep, const ir::Design& design) {
    std::map<std::string, std::uint32_t> counts;
    for (const Upkeep& each : upkeep) {
        smec::visit(
            Overloaded{
                [](const Always&) {},
                [&](const Mirror& n) {
                    ++counts["mirrors of " + design.planes[n.variable.index].name];
                },
                [&](const Recomputed& n) {
                    ++counts[n.acrossCycles ? "recomputed where an input changes" : "recomputed"];
                },
            },
            each);
    }
    std::string text;
    for (const auto& [what, count] : counts)
        text += ", " + std::to_string(count) + " " + what;
    return text;
}

std::string describe(const Decision& decision, const Placement& place, const ir::Design& design) {
    std::string text;
    if (decision.order == Order::ByElement)
        text += ", by element, the next " + std::to_string(place.bytesToNext) + " further on";
    if (decision.isReadFirst) text += ", read first";
    if (decision.log) text += ", log of " + std::to_string(decision.log->entries);
    return text + describe(decision.upkeep, design);
}

}  // namespace

std::string print(const Plan& plan, const ir::Design& design) {
    std::string text = "plan levels " + std::to_string(plan.levels) + " clocked "
                       + std::to_string(plan.clockedBytes) + " state "
                       + std::to_string(plan.stateBytes) + "\n";
    for (const TranslationUnit& unit : plan.units) {
        text += unit.name + "\n";
        for (const std::uint32_t index : unit.kernels)
            text += "    " + describe(plan.kernels[index], design) + "\n";
        for (const CutFunction& part : unit.functions) {
            const StepRange range = stepsOf(plan.kernels[part.kernel], part.function);
            text += "    steps " + std::to_string(range.begin) + " to "
                    + std::to_string(range.end - 1) + "\n";
        }
    }
    for (std::size_t i = 0; i < design.planes.size(); ++i) {
        const ir::Plane& plane = design.planes[i];
        const std::string owner =
            plane.owner.valid() ? design.classes[plane.owner.index].name + "." : "";
        text += std::string(plan.storage[i].home == Home::OneSlot ? "state " : "clocked ")
                + std::to_string(plan.placements[i].offset) + ": " + owner + plane.name + " "
                + std::to_string(plane.instances) + " x "
                + std::to_string(plan.placements[i].bytesPerInstance)
                + describe(plan.storage[i], plan.placements[i], design) + "\n";
    }
    return text;
}

}  // namespace smec::plan
