#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/body.h"

/// Planes, classes of processes with equal bodies, and the connections between them.
namespace smec::ir {

enum class PlaneKind : std::uint8_t {
    Output,    ///< field driven by a class: Clocked region
    Input,     ///< exposed field nobody inside drives: Clocked region, written by the runtime
    Undriven,  ///< read as its default for ever: Constant region, one instance per distinct default
    State      ///< variable
};

/// One value for all instances, or one for each (scalars: `values` has 1 or n entries; arrays: 1 or
/// n lists of `length`).
struct InitialData {
    bool perInstance = false;
    Constants values;  ///< row-major: instance, element
};

struct Plane {
    std::string name;  ///< "status.n", "acc": field or variable within the process
    PlaneKind kind;
    StorageType type;
    std::optional<std::uint32_t> enumeration;
    std::optional<Interval> range;  ///< declared range, if any
    ClassId owner;                  ///< Output, State
    std::uint32_t instances = 1;
    /// Consecutive instances that one instance of the owner writes: the elements of an array port.
    std::uint32_t perOwner = 1;
    bool hold = false;
    bool combinational = false;  ///< visible in the same cycle
    bool hidden = false;         ///< has no name outside (counters of `cover`, wait states …)
    /// Objects of the extern process with this Foreign::id.
    std::optional<std::uint32_t> objects{};
    /// Of an element of an array that was taken apart, but of the first: the plane of the first.
    PlaneId firstElement{};
    InitialData initial{};
    std::vector<std::uint64_t> dimensions{};  ///< as declared, outermost first; their product is
                                              ///< type.length (scalars: empty)
    /// What an instance of the owner sees: a scalar, or an array of all that is its own.
    StorageType ownType() const {
        return {type.scalar, perOwner == 1
                                 ? type.length
                                 : static_cast<std::uint32_t>(perOwner * type.elements())};
    }
};

/// For instances first … first+count-1 (i = 0 …): element `start + i * stride` of `plane`.
struct Run {
    std::uint32_t first;
    std::uint32_t count;
    PlaneId plane;
    std::uint32_t start;
    std::int32_t stride;
};
/// What feeds one field of one port element, for all instances of the class: runs in ascending
/// order that cover 0 … n-1.
struct Connection {
    std::vector<Run> runs;
};

struct Input {
    std::string name;  ///< "x.v"
    StorageType type;
    std::vector<Connection> elements;  ///< one; of an array port one per element
    std::optional<Interval> range{};   ///< declared range of the field
};
/// How it is noted which elements of a held array an activation sets.
struct LogForm {
    std::uint32_t entries = 0;  ///< indices that there is room for
    /// How many there are stands in front of them, and more than there is room for are all elements; an
    /// activation begins with none. Else each statement that sets an element has an entry, which keeps
    /// what it was.
    bool isCounted = false;
    std::uint32_t words() const { return isCounted ? entries + 2 : entries; }
    bool operator==(const LogForm&) const = default;
};
/// A variable of a class that says in which elements of a held array the slots differ when an activation
/// begins.
struct Log {
    PlaneId plane;
    LogForm form;
};
/// A log that a held array is to get.
struct LogWanted {
    PlaneId array;
    LogForm form;
};
struct Output {
    std::string name;
    PlaneId plane;
    bool hold = false;
    std::optional<Log> log{};  ///< of a held array
};
struct Column {
    std::string name;
    Scalar type;
    std::vector<Constant> values;  ///< one per instance
    Interval range;                ///< of integers
};

/// Cycles in which a `cover` held: one counter for each instance.
struct Cover {
    std::string name;
    PlaneId counter;  ///< State, u64, hidden
};

/// Where instances wait: `plane`, State and hidden, holds 0 at the top of a body and n + 1 behind the
/// wait at statements[n].
struct WaitPlaces {
    PlaneId plane;
    std::vector<SourceRange> statements;
};

/// `count` instances with paths prefix + number + suffix; see sme::InstanceRun.
struct InstanceRun {
    std::uint32_t first;
    std::uint32_t count;
    std::string prefix;
    std::optional<std::string> suffix;  ///< absent: one instance, path = prefix
    std::uint64_t index;
    std::uint64_t order;
    std::uint64_t orderStride;
    SourceRange range{};  ///< of their process, which classes that became one do not tell
    std::optional<WaitPlaces> waits{};  ///< of a process that waits
    /// hashOf(design, cls) as it was lowered, by which states tell an edited body; 0: nothing is hidden.
    std::uint64_t body = 0;
};

struct Class {
    std::string name;  ///< of the process
    SourceRange range;
    std::uint32_t instances = 0;
    bool combinational = false;
    bool isDelayLine = false;  ///< made by the compiler for `delay d`: no process of the design
    std::vector<Input> inputs;
    std::vector<Output> outputs;
    std::vector<PlaneId> state;
    std::vector<Column> columns;
    std::vector<Cover> covers;
    std::vector<InstanceRun> runs;
    Body body;
};

}  // namespace smec::ir
