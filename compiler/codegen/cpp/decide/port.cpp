#include "codegen/cpp/decide/port.h"

#include <algorithm>
#include <map>

#include "ir/target.h"
#include "source/internal_error.h"

namespace smec::codegen::cpp {
namespace {

/// Where a field is found in the cycle.
Slot slotIn(const Program& program, ir::PlaneId plane) {
    return program.plan.storage[plane.index].home == plan::Home::WrittenSlot ? Slot::Write
                                                                             : Slot::Read;
}

}  // namespace

const ir::Connection& connectionOf(const ir::Class& cls, const Port& port) {
    return cls.inputs[port.input].elements[port.element];
}

const ir::Run& runOf(const ir::Connection& connection, std::uint32_t instance) {
    const auto next =
        std::upper_bound(connection.runs.begin(), connection.runs.end(), instance,
                         [](std::uint32_t at, const ir::Run& r) { return at < r.first; });
    require(next != connection.runs.begin(), "codegen: connection without a run for an instance");
    return *std::prev(next);
}

std::uint32_t asWord(std::uint64_t element) {
    require(element <= UINT32_MAX, "codegen: more than 2^32 elements in a region");
    return static_cast<std::uint32_t>(element);
}

std::vector<std::uint32_t> boundaries(const ir::Class& cls, const std::vector<Port>& ports) {
    std::vector<std::uint32_t> result{0};
    for (const Port& port : ports) {
        if (port.isGathered() || port.border) continue;
        for (const ir::Run& run : connectionOf(cls, port).runs)
            result.push_back(run.first);
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

void chooseGathered(const rules::Asker& ledger, ir::ClassId id, const ir::Class& cls,
                    std::vector<Port>& ports) {
    using enum rules::Condition;
    const auto isShort = [&](std::size_t runs) {
        const rules::Finding many{ManyRuns, runs, ir::target::kFewRuns};
        return ledger.ask(
            rules::Rule::GatheredPorts, rules::Subject::ofClass(id.index),
            {many,
             {ShortRuns, cls.instances / std::max<std::size_t>(runs, 1), ir::target::kShortRun}},
            many.holds() ? 1 : 0);
    };
    for (Port& port : ports)
        if (!port.border && isShort(connectionOf(cls, port).runs.size()))
            port.reach = Reach::IndexColumn;
    while (isShort(boundaries(cls, ports).size())) {
        const auto most =
            std::max_element(ports.begin(), ports.end(), [&](const Port& a, const Port& b) {
                const auto runs = [&](const Port& p) {
                    return p.isGathered() || p.border ? 0 : connectionOf(cls, p).runs.size();
                };
                return runs(a) < runs(b);
            });
        most->reach = Reach::IndexColumn;
    }
}

std::int64_t borderElement(const Program& program, const ir::Border& border,
                           std::uint32_t instance) {
    return static_cast<std::int64_t>(elementIndex(program, border.plane, 0)) + border.first
           + std::int64_t(instance) * border.stride;
}

std::optional<ir::Border> borderIn(const Program& program, const ir::Class& cls, const Port& port) {
    const auto border =
        ir::borderOf(program.design, cls.inputs[port.input], connectionOf(cls, port));
    if (!border) return std::nullopt;
    const std::int64_t first = borderElement(program, *border, 0);
    const std::int64_t last = borderElement(program, *border, cls.instances - 1);
    const std::int64_t bytes = program.plan.placements[border->plane.index].bytesPerElement;
    const auto end = static_cast<std::int64_t>(program.plan.clockedBytes);
    if (std::min(first, last) < 0 || (std::max(first, last) + 1) * bytes > end) return std::nullopt;
    return border;
}

std::string borderColumn(const Program& program, const ir::Class& cls, const Port& port) {
    std::string flags;
    for (const ir::Run& run : connectionOf(cls, port).runs)
        flags.append(run.count,
                     program.design.planes[run.plane.index].kind == ir::PlaneKind::Undriven ? '\1'
                                                                                            : '\0');
    return flags;
}

Slot slotOf(bool anyRead, bool anyWrite) {
    if (anyRead && anyWrite) return Slot::Either;
    return anyWrite ? Slot::Write : Slot::Read;
}

void describeSlot(const Program& program, const ir::Class& cls, Port& port) {
    if (port.border) return;
    bool anyRead = false, anyWrite = false;
    for (const ir::Run& run : connectionOf(cls, port).runs) {
        const Slot slot = slotIn(program, run.plane);
        (slot == Slot::Write ? anyWrite : anyRead) = true;
    }
    port.slot = slotOf(anyRead, anyWrite);
}

void describeStride(const ir::Class& cls, Port& port) {
    const auto length = static_cast<std::int64_t>(cls.inputs[port.input].type.elements());
    std::map<std::int64_t, std::uint64_t> instances;
    for (const ir::Run& run : connectionOf(cls, port).runs)
        if (run.count > 1) instances[run.stride * length] += run.count;
    if (instances.size() > 1 && !port.border) port.reach = Reach::RowAndStride;
    port.stride = port.border ? port.border->stride : length;
    if (port.border) return;
    if (instances.empty()) return;
    const auto isFewer = [](const auto& a, const auto& b) { return a.second < b.second; };
    port.stride = std::max_element(instances.begin(), instances.end(), isFewer)->first;
}

std::uint64_t codeOf(const Source& source, Slot slot) {
    if (slot != Slot::Either) return source.element;
    return 2 * source.element + (source.slot == Slot::Write ? 1 : 0);
}

std::vector<std::uint32_t> indexColumn(const Program& program, const ir::Class& cls,
                                       const Port& port) {
    std::vector<std::uint32_t> column;
    column.reserve(cls.instances);
    for (const ir::Run& run : connectionOf(cls, port).runs) {
        const Slot slot = slotIn(program, run.plane);
        for (std::uint32_t i = 0; i < run.count; ++i) {
            const std::uint64_t element =
                elementIndex(program, run.plane, run.start + std::int64_t(i) * run.stride);
            column.push_back(asWord(codeOf({slot, element}, port.slot)));
        }
    }
    return column;
}

Source sourceOf(const Program& program, const ir::Connection& connection, std::uint32_t instance) {
    const ir::Run& run = runOf(connection, instance);
    const std::int64_t at = run.start + std::int64_t(instance - run.first) * run.stride;
    return {slotIn(program, run.plane), elementIndex(program, run.plane, at), run.plane,
            static_cast<std::uint32_t>(at)};
}

}  // namespace smec::codegen::cpp
