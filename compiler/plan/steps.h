#pragma once

#include <cstdint>
#include <utility>

#include "ir/ir.h"
#include "plan/body_uses.h"
#include "plan/plan.h"

namespace smec::plan {

/// An element of a plane.
struct FieldRef {
    std::uint32_t plane;
    std::uint32_t element;
    auto operator<=>(const FieldRef&) const = default;
};

/// When a field is stored; Always, too, of one for whose plane nothing else is decided.
inline const Upkeep& upkeepOf(const Storage& storage, FieldRef field) {
    static const Upkeep kAlways;
    const std::vector<Upkeep>& all = storage[field.plane].upkeep;
    return all.empty() ? kAlways : all[field.element];
}

/// A step of a block, and in which of its functions it is.
struct StepPlace {
    std::uint32_t step;
    std::uint32_t function;
    bool operator==(const StepPlace&) const = default;
};

/// Calls `f(const InstanceRef&, StepPlace)` for each step, in order.
template <typename F>
void forEachStep(const Kernel& kernel, F&& f) {
    std::uint32_t function = 0;
    for (std::uint32_t i = 0; i < kernel.steps.size(); ++i) {
        if (function < kernel.cuts.size() && kernel.cuts[function] == i) ++function;
        f(kernel.steps[i], StepPlace{i, function});
    }
}

/// Steps `begin` … `end`-1.
struct StepRange {
    std::uint32_t begin, end;
};
inline StepRange stepsOf(const Kernel& kernel, std::uint32_t function) {
    const auto& cuts = kernel.cuts;
    return {function == 0 ? 0 : cuts[function - 1],
            function < cuts.size() ? cuts[function]
                                   : static_cast<std::uint32_t>(kernel.steps.size())};
}

/// Calls `f(const InstanceRef&)` for each step of a block whose code stands in a unit.
template <typename F>
void forEachStepIn(const Plan& plan, const TranslationUnit& unit, F&& f) {
    const auto tell = [&](const Kernel& kernel, std::uint32_t function) {
        const StepRange range = stepsOf(kernel, function);
        for (std::uint32_t i = range.begin; i < range.end; ++i)
            f(kernel.steps[i]);
    };
    for (const std::uint32_t kernel : unit.kernels)
        if (plan.kernels[kernel].cuts.empty()) tell(plan.kernels[kernel], 0);
    for (const CutFunction& part : unit.functions)
        tell(plan.kernels[part.kernel], part.function);
}

/// Calls `f(FieldRef, bool isChosen)` for what an instance reads: each element that its body names, and all of
/// those of which a run chooses one.
template <typename F>
void forEachFieldRead(const ir::Class& cls, const BodyUses& uses, std::uint32_t instance, F&& f) {
    const auto look = [&](const ir::Connection& connection, bool isChosen) {
        for (const ir::Run& run : connection.runs) {
            if (instance < run.first || instance - run.first >= run.count) continue;
            const auto element = static_cast<std::uint32_t>(
                run.start + std::int64_t(instance - run.first) * run.stride);
            f(FieldRef{run.plane.index, element}, isChosen);
        }
    };
    for (const auto& [input, element] : uses.elements)
        look(cls.inputs[input].elements[element], false);
    for (const std::uint32_t input : uses.selected)
        for (const ir::Connection& connection : cls.inputs[input].elements)
            look(connection, true);
}

/// Calls `f(FieldRef)` for what it writes.
template <typename F>
void forEachFieldWritten(const ir::Class& cls, const BodyUses& uses, std::uint32_t instance,
                         F&& f) {
    for (const std::uint32_t slot : uses.outputs)
        f(FieldRef{cls.outputs[slot].plane.index, instance});
}

}  // namespace smec::plan
