#include <fmt/format.h>

#include "ir/analysis.h"
#include "ir/arithmetic.h"
#include "ir/builder.h"
#include "ir/verifier.h"
#include "ir/visit.h"

// Storage and wiring here; bodies in verify_body.cpp.

namespace smec::ir {

namespace {

/// False when something was wrong.
bool checkConstant(const Constant& constant, const Scalar& type, const Interval& range,
                   const std::string& where, Complaints& out) {
    const bool isFloat = type.kind == ScalarKind::F32 || type.kind == ScalarKind::F64;
    const auto* value = std::get_if<Integer>(&constant.value);
    if (isFloat == (value != nullptr)) {
        out.add("{}: a constant of the wrong kind", where);
        return false;
    }
    if (!value || range.contains(*value)) return true;
    out.add("{}: constant {} does not fit", where, value->str());
    return false;
}

void checkConstants(const Constants& values, const Scalar& type, const std::string& where,
                    Complaints& out) {
    const Interval range = intervalOf(type);
    values.all(
        [&](const Constant& value) { return checkConstant(value, type, range, where, out); });
}

void checkPlane(const Design& design, const Plane& plane, std::size_t index, Complaints& out) {
    const std::string where = fmt::format("plane {} '{}'", index, plane.name);
    const bool owned = plane.kind == PlaneKind::Output || plane.kind == PlaneKind::State;
    if (owned != plane.owner.valid()) return out.add("{}: owner", where);
    if (plane.owner.valid() && plane.owner.index >= design.classes.size())
        return out.add("{}: owner out of range", where);
    if (owned && plane.instances != design.classes[plane.owner.index].instances * plane.perOwner)
        out.add("{}: number of instances", where);
    if (plane.enumeration && *plane.enumeration >= design.enums.size())
        out.add("{}: enumeration out of range", where);
    if (plane.instances == 0) out.add("{}: empty", where);
    const std::size_t expected =
        plane.type.elements() * (plane.initial.perInstance ? plane.instances : 1);
    if (plane.initial.values.size() != expected) {
        out.add("{}: {} initial values, expected {}", where, plane.initial.values.size(), expected);
    }
    checkConstants(plane.initial.values, plane.type.scalar, where, out);
}

bool within(std::uint64_t start, std::int64_t stride, std::uint64_t count, std::uint64_t size) {
    const std::int64_t last =
        static_cast<std::int64_t>(start) + stride * static_cast<std::int64_t>(count - 1);
    return start < size && last >= 0 && last < static_cast<std::int64_t>(size);
}

void checkConnection(const Design& design, const Class& cls, const Input& input,
                     const Connection& connection, Complaints& out) {
    const std::string where = fmt::format("class '{}' input '{}'", cls.name, input.name);
    std::uint64_t next = 0;
    for (const Run& run : connection.runs) {
        if (run.first != next || run.count == 0)
            return out.add("{}: runs do not follow each other at {}", where, next);
        next += run.count;
        if (run.plane.index >= design.planes.size())
            return out.add("{}: plane out of range", where);
        const Plane& plane = design.planes[run.plane.index];
        if (plane.kind == PlaneKind::State)
            out.add("{}: reads the variable '{}'", where, plane.name);
        if (plane.type != input.type)
            out.add("{}: type differs from plane '{}'", where, plane.name);
        if (!within(run.start, run.stride, run.count, plane.instances)) {
            return out.add("{}: run at {} leaves plane '{}'", where, run.first, plane.name);
        }
    }
    if (next != cls.instances)
        out.add("{}: runs cover {} of {} instances", where, next, cls.instances);
}

void checkOwned(const Design& design, ClassId id, PlaneId plane, PlaneKind kind, Complaints& out) {
    const Class& cls = design.classes[id.index];
    if (plane.index >= design.planes.size())
        return out.add("class '{}': plane out of range", cls.name);
    const Plane& p = design.planes[plane.index];
    if (p.kind != kind || p.owner != id)
        out.add("class '{}': plane '{}' is not its own", cls.name, p.name);
}

void checkClass(const Design& design, ClassId id, Complaints& out) {
    const Class& cls = design.classes[id.index];
    if (cls.instances == 0) out.add("class '{}': no instances", cls.name);
    for (const Input& input : cls.inputs) {
        if (input.elements.empty())
            out.add("class '{}' input '{}': no connection", cls.name, input.name);
        for (const Connection& connection : input.elements)
            checkConnection(design, cls, input, connection, out);
    }
    for (const Output& output : cls.outputs)
        checkOwned(design, id, output.plane, PlaneKind::Output, out);
    for (PlaneId plane : cls.state)
        checkOwned(design, id, plane, PlaneKind::State, out);
    for (const Column& column : cls.columns) {
        if (column.values.size() != cls.instances)
            out.add("class '{}' column '{}': size", cls.name, column.name);
        checkConstants(column.values, column.type, "column '" + column.name + "'", out);
    }
    std::uint64_t next = 0;
    for (const InstanceRun& run : cls.runs) {
        if (run.first != next || run.count == 0)
            out.add("class '{}': instance runs do not follow each other", cls.name);
        if (!run.suffix && run.count != 1)
            out.add("class '{}': {} instances called '{}'", cls.name, run.count, run.prefix);
        if (run.waits) checkOwned(design, id, run.waits->plane, PlaneKind::State, out);
        next = static_cast<std::uint64_t>(run.first) + run.count;
    }
    if (next != (cls.isDelayLine ? 0 : cls.instances))
        out.add("class '{}': instance runs cover {} of {}", cls.name, next, cls.instances);
}

void checkNames(const Design& design, const std::vector<NameRun>& names, Complaints& out) {
    for (const NameRun& run : names) {
        if (run.plane.index >= design.planes.size()) {
            out.add("name '{}': plane out of range", run.prefix);
        } else if (run.count == 0
                   || !within(run.start, run.stride, run.count,
                              design.planes[run.plane.index].instances)) {
            out.add("name '{}': leaves plane '{}'", run.prefix,
                    design.planes[run.plane.index].name);
        } else if (!run.suffix && run.count != 1) {
            out.add("name '{}': {} things of one name", run.prefix, run.count);
        }
    }
}

}  // namespace

std::vector<std::string> verify(const Design& design) {
    Complaints out;
    for (std::size_t i = 0; i < design.planes.size(); ++i)
        checkPlane(design, design.planes[i], i, out);
    for (std::size_t i = 0; i < design.tables.size(); ++i) {
        const Table& table = design.tables[i];
        if (table.values.size() != table.type.elements() || !table.type.isArray())
            out.add("table {}: size", i);
        checkConstants(table.values, table.type.scalar, fmt::format("table {}", i), out);
    }
    std::uint64_t instances = 0;
    for (std::uint32_t i = 0; i < design.classes.size(); ++i) {
        const Class& cls = design.classes[i];
        checkClass(design, ClassId{i}, out);
        verifyBody(design,
                   {cls.body, &cls, nullptr, ClassId{i},
                    static_cast<std::uint32_t>(design.functions.size()), cls.name},
                   out);
        if (!cls.isDelayLine) instances += cls.instances;
    }
    for (std::uint32_t i = 0; i < design.functions.size(); ++i) {
        const Function& function = design.functions[i];
        if (function.owner.valid() && function.owner.index >= design.classes.size()) {
            out.add("function '{}': owner out of range", function.name);
            continue;
        }
        verifyBody(design, {function.body, nullptr, &function, function.owner, i, function.name},
                   out);
    }
    if (instances != design.processCount)
        out.add("{} processes, {} instances", design.processCount, instances);
    checkNames(design, design.names, out);
    checkNames(design, design.hiddenNames, out);
    return std::move(out.texts);
}

}  // namespace smec::ir
