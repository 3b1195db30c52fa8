#include "ir/border.h"

#include <algorithm>

namespace smec::ir {

namespace {

bool isUndriven(const Design& design, const Run& run) {
    return design.planes[run.plane.index].kind == PlaneKind::Undriven;
}

const Constant& defaultAt(const Design& design, const Run& run, std::uint32_t i) {
    const InitialData& initial = design.planes[run.plane.index].initial;
    const std::int64_t instance = run.start + std::int64_t(i) * run.stride;
    return initial.values[initial.perInstance ? static_cast<std::size_t>(instance) : 0];
}

/// Whether all that is undriven has one value, which becomes that of `border`.
bool haveOneValue(const Design& design, const Connection& connection, Border& border) {
    const Constant* value = nullptr;
    for (const Run& run : connection.runs) {
        if (!isUndriven(design, run)) continue;
        for (std::uint32_t i = 0; i < (run.stride == 0 ? 1 : run.count); ++i) {
            const Constant& next = defaultAt(design, run, i);
            if (value && *value != next) return false;
            value = &next;
        }
    }
    if (value) border.value = *value;
    return value != nullptr;
}

}  // namespace

std::optional<Border> borderOf(const Design& design, const Input& input,
                               const Connection& connection) {
    if (input.type.isArray() || connection.runs.size() < 2) return std::nullopt;
    const auto longest = [&](const Run& a, const Run& b) {
        return (isUndriven(design, a) ? 0 : a.count) < (isUndriven(design, b) ? 0 : b.count);
    };
    const Run& usual = *std::max_element(connection.runs.begin(), connection.runs.end(), longest);
    if (isUndriven(design, usual) || usual.count < 2) return std::nullopt;
    const Plane& plane = design.planes[usual.plane.index];
    if (plane.combinational) return std::nullopt;
    Border border{
        usual.plane, usual.start - std::int64_t(usual.first) * usual.stride, usual.stride, {}};
    for (const Run& run : connection.runs) {
        if (isUndriven(design, run)) continue;
        if (run.plane != border.plane || (run.count > 1 && run.stride != border.stride)
            || run.start != border.first + run.first * border.stride)
            return std::nullopt;
    }
    if (!haveOneValue(design, connection, border)) return std::nullopt;
    return border;
}

}  // namespace smec::ir
