#pragma once

#include "ir/ir.h"
#include "ir/members.h"

/// What a design consists of beside bodies, member by member: taken apart by a structured binding,
/// so that a member which is added does not compile before it is in a list or said not to count.
namespace smec::ir {

inline auto membersOf(const Design& x) {
    const auto& [name, planes, classes, functions, tables, enums, shapes, names, hiddenNames,
                 processCount, unchecked, uncountedRounds, hash] = x;
    // `hiddenNames` follow from classes and names
    return always(name, planes, classes, functions, tables, enums, shapes, names, processCount,
                  unchecked, uncountedRounds);
}

inline auto membersOf(const Class& x) {
    const auto& [name, range, instances, combinational, isDelayLine, inputs, outputs, state,
                 columns, covers, runs, body] = x;
    return std::tuple_cat(
        withNames(name), always(range), withInstances(instances),
        always(combinational, isDelayLine, inputs, outputs, state, columns, covers),
        withInstances(runs), always(body));
}

inline auto membersOf(const Plane& x) {
    const auto& [name, kind, type, enumeration, range, owner, instances, perOwner, hold,
                 combinational, hidden, objects, firstElement, initial, dimensions] = x;
    return std::tuple_cat(withNames(name), always(kind, type, enumeration, range),
                          withInstances(owner, instances), always(perOwner, hold, combinational),
                          withNames(hidden), withInstances(objects, firstElement, initial),
                          always(dimensions));
}

inline auto membersOf(const Input& x) {
    const auto& [name, type, elements, range] = x;
    return std::tuple_cat(withNames(name), always(type, elements, range));
}

inline auto membersOf(const Function& x) {
    const auto& [name, range, owner, results, paramCount, body, mayFail, mayTrace, callsForeign,
                 external] = x;
    return always(name, range, owner, results, paramCount, body, mayFail, mayTrace, callsForeign,
                  external);
}

inline auto membersOf(const Table& x) {
    const auto& [type, values, name] = x;
    return always(type, values, name);
}

inline auto membersOf(const Enum& x) {
    const auto& [name, width, isSigned, members] = x;
    return always(name, width, isSigned, members);
}

inline auto membersOf(const EnumMember& x) {
    const auto& [name, value] = x;
    return always(name, value);
}

inline auto membersOf(const Shape& x) {
    const auto& [kind, name, scalar, enumeration, range, element, count, members] = x;
    return always(kind, name, scalar, enumeration, range, element, count, members);
}

inline auto membersOf(const Shape::Member& x) {
    const auto& [name, shape, leaf] = x;
    return always(name, shape, leaf);
}

inline auto membersOf(const NameRun& x) {
    const auto& [prefix, suffix, index, count, plane, start, stride, exposed, variable, shape,
                 leaves, range] = x;
    return always(prefix, suffix, index, count, plane, start, stride, exposed, variable, shape,
                  leaves, range);
}

inline auto membersOf(const NameRun::Place& x) {
    const auto& [plane, start, stride, elements] = x;
    return always(plane, start, stride, elements);
}

// ---- storage and wiring

inline auto membersOf(const InitialData& x) {
    const auto& [perInstance, values] = x;
    return always(perInstance, values);
}

inline auto membersOf(const Connection& x) {
    const auto& [runs] = x;
    return withInstances(runs);
}

inline auto membersOf(const Run& x) {
    const auto& [first, count, plane, start, stride] = x;
    return always(first, count, plane, start, stride);
}

inline auto membersOf(const Output& x) {
    const auto& [name, plane, hold, log] = x;
    // `log` follows from the body
    return std::tuple_cat(withNames(name), always(plane, hold));
}

inline auto membersOf(const Column& x) {
    const auto& [name, type, values, range] = x;
    return std::tuple_cat(withNames(name), always(type), withInstances(values),
                          withConstants(range));
}

inline auto membersOf(const Cover& x) {
    const auto& [name, counter] = x;
    return always(name, counter);
}

inline auto membersOf(const InstanceRun& x) {
    const auto& [first, count, prefix, suffix, index, order, orderStride, range, waits, body] = x;
    // `waits` says where in the source the states are that the body has, `body` what it is
    return always(first, count, prefix, suffix, index, order, orderStride, range);
}

inline auto membersOf(const Foreign::Port& x) {
    const auto& [name, isArray, elements, fields] = x;
    return always(name, isArray, elements, fields);
}

inline auto membersOf(const Foreign::Field& x) {
    const auto& [name, shape, written] = x;
    return always(name, shape, written);
}

inline auto membersOf(const Scalar& x) {
    const auto& [kind, isSigned, width] = x;
    return always(kind, isSigned, width);
}

inline auto membersOf(const StorageType& x) {
    const auto& [scalar, length] = x;
    return always(scalar, length);
}

inline auto membersOf(const Constant& x) {
    const auto& [value] = x;
    return always(value);
}

inline auto membersOf(const Interval& x) {
    const auto& [low, high] = x;
    return always(low, high);
}

}  // namespace smec::ir
