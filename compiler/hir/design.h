#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hir/body.h"

namespace smec::hir {

struct SpecId {
    std::uint32_t index = UINT32_MAX;
    bool valid() const { return index != UINT32_MAX; }
    bool operator==(const SpecId&) const = default;
};
struct InstanceId {
    std::uint32_t index = UINT32_MAX;
    bool valid() const { return index != UINT32_MAX; }
    bool operator==(const InstanceId&) const = default;
};
struct BusId {
    std::uint32_t index = UINT32_MAX;
    bool valid() const { return index != UINT32_MAX; }
    bool operator==(const BusId&) const = default;
};
struct ShapeId {
    std::uint32_t index = UINT32_MAX;
    bool valid() const { return index != UINT32_MAX; }
    bool operator==(const ShapeId&) const = default;
};

/// The fields of a bus: names, types and properties; defaults belong to each bus (they may differ
/// between instances).
struct FieldShape {
    std::string name;
    TypeId type;
    bool hold = false;
    bool flip = false;
    SourceRange range;
    bool holdImplied = false;  ///< `hold` comes from --unwritten=hold alone: void where the driver
                               ///< is combinational
};
struct BusShape {
    std::vector<FieldShape> fields;  ///< in declaration order
    std::uint32_t delay = 1;         ///< cycles from write to read
    bool isDelayed =
        false;          ///< `delay` stands there: registered even behind a combinational driver
    NameIndex names{};  ///< of the fields; made where shapes are interned
    std::optional<std::uint32_t> fieldNamed(std::string_view field) const {
        return names.find(fields, field);
    }
};

enum class FieldDriver : std::uint8_t { None, Clocked, Combinational };

/// One bus (one element of a bus array is a bus of its own).
struct Bus {
    ShapeId shape;
    InstanceId owner;          ///< network or process that declares it
    std::uint32_t group;       ///< BusGroup
    std::uint32_t element;     ///< row-major number within the group's array; 0 when it is no array
    std::uint32_t firstField;  ///< index of its first field in Design::fields; the others follow
};

/// A declared bus: all elements of `bus b[2][3] { … }` of one owner, consecutive in Design::buses.
struct BusGroup {
    std::string name;                       ///< "link"
    std::vector<std::uint64_t> dimensions;  ///< empty: a single bus
    std::vector<std::uint64_t> scope;  ///< values of the generate indices around the declaration;
                                       ///< part of the name when not empty: link[3]…
    BusId first;
    std::uint32_t count;
    SourceRange range;
    bool exposed = false;
    std::uint32_t
        defaults;  ///< Design::defaultSets: one Value per field, the same for all elements
};

/// One field of one bus. Its initial value is Design::defaultSets[group.defaults][field].
struct Field {
    InstanceId driver;  ///< invalid: nobody inside
    FieldDriver kind = FieldDriver::None;
};

enum class ProcKind : std::uint8_t { Clocked, Combinational, Simulation };

/// How a port of a specialisation came about.
enum class PortOrigin : std::uint8_t {
    Parameter,  ///< in / out in the header
    Own,        ///< a bus declared in the process: readable and writable
    Reference   ///< a direct reference in the body to a bus elsewhere: a.ping
};
/// Elements of an array port: all of them, or those that are listed in ascending order.
struct ElementSet {
    std::vector<std::uint32_t> listed;  ///< empty: all
    bool isAll() const { return listed.empty(); }
    bool contains(std::uint32_t element) const {
        return isAll() || std::binary_search(listed.begin(), listed.end(), element);
    }
    /// Of a port of `all` elements.
    std::uint32_t count(std::uint32_t all) const {
        return isAll() ? all : static_cast<std::uint32_t>(listed.size());
    }
    std::uint32_t operator[](std::uint32_t number) const {
        return isAll() ? number : listed[number];
    }
    bool operator==(const ElementSet&) const = default;
};
struct PortField {
    bool read = false;
    bool written = false;
    SourceRange firstWrite;  ///< for "two drivers" errors
    /// Of an array port: where every index is constant after unrolling, only what is named.
    ElementSet readElements{};
    ElementSet writtenElements{};
};
/// A port of a specialisation: shape of what is connected, and which fields the body reads and
/// writes.
struct Port {
    std::string name;
    PortOrigin origin = PortOrigin::Parameter;
    bool canRead = true;
    bool canWrite = false;
    ShapeId shape;
    bool isArray = false;
    std::vector<std::uint64_t> dimensions;  ///< of an array port
    std::uint32_t elements = 1;             ///< product of the dimensions
    SourceRange range;
    std::vector<PortField> fields;  ///< parallel to the shape's fields
    /// Of an array port that may drive: the shape of each element, where they differ in `hold` or
    /// `delay`, and in nothing else; else empty.
    std::vector<ShapeId> elementShapes{};
};

/// A constant of the process whose value may differ between its instances. `type` is the operand
/// type (integers).
struct SpecConstant {
    TypeId type;
    std::string name;  ///< the constant's or expression's source text, for readable code
    SourceRange range;
};

/// A process declaration with its port shapes and those constants that shape it, checked once.
struct Specialisation {
    std::string name;   ///< of the process
    SourceRange range;  ///< of the declaration's name
    ProcKind kind = ProcKind::Clocked;
    std::vector<Port> ports;
    std::vector<SpecConstant> constants;
    Body body;           ///< vars of kind Process come first, in source order
    FunctionId foreign;  ///< of an extern process: what its activations call; else invalid
    std::vector<InstanceId> instances;  ///< in output order
};

enum class InstanceKind : std::uint8_t { Network, Process };

/// A node of the instance tree, in depth-first source order (a parent before its children): the
/// index is the place in the output order.
struct Instance {
    InstanceKind kind = InstanceKind::Process;
    InstanceId parent;   ///< invalid for the top
    SpecId spec;         ///< processes
    std::uint32_t name;  ///< Design::strings: "s", or "q_0" for an anonymous one
    std::uint32_t firstIndex =
        0;  ///< its indices s[3][4]: Design::indices[firstIndex, + indexCount)
    std::uint32_t indexCount = 0;
    std::uint32_t firstBus = 0;  ///< Design::bindings[firstBus, …): the buses of spec.ports in
                                 ///< order, array ports flattened
    std::uint32_t firstConstant = 0;  ///< Design::constants[firstConstant, + spec.constants.size())
    std::uint32_t firstInit = 0;  ///< Design::initials[firstInit, + number of Process variables)
};

/// A network as its declaration names it, for those who write the structure out again.
struct Network {
    struct Port {
        std::string name;
        bool isArray = false;
        std::vector<BusId> buses;
    };
    InstanceId instance;
    std::string name;
    SourceRange range;
    std::vector<Port> ports;
};

/// The whole elaborated network. Sized for millions of instances: per-instance data in flat tables,
/// equal values shared.
struct Design {
    TypeTable types;
    std::vector<BusShape> shapes;
    std::vector<Function> functions;
    std::vector<Specialisation> specs;
    std::vector<Instance> instances;
    std::vector<std::uint64_t> indices;
    std::vector<BusId> bindings;
    std::vector<std::uint32_t> constants;  ///< into `values`
    std::vector<std::uint32_t> initials;   ///< into `values`
    std::vector<Value> values;             ///< interned
    std::vector<Bus> buses;
    std::vector<BusGroup> busGroups;
    std::vector<Field> fields;
    std::vector<std::vector<Value>> defaultSets;
    std::vector<std::string> strings;  ///< interned
    std::vector<Network> networks;     ///< only where elab::Options::networks asks for them
    std::string topName;
    InstanceId top;

    /// By the shapes of a port and of a bus behind it, where they are not the same: the number that
    /// each field of the port has in the bus.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> fieldMaps;

    /// Where field `number` of a port of shape `seenAs` is in `bus`: into `fields`.
    std::uint32_t fieldOf(BusId bus, ShapeId seenAs, std::uint32_t number) const {
        const Bus& whole = buses[bus.index];
        if (whole.shape == seenAs) return whole.firstField + number;
        return whole.firstField + fieldMaps.at({seenAs.index, whole.shape.index})[number];
    }
    const Value& constant(const Instance& instance, std::uint32_t index) const {
        return values[constants[instance.firstConstant + index]];
    }
    const Value& initial(const Instance& instance, std::uint32_t index) const {
        return values[initials[instance.firstInit + index]];
    }
    const Value& defaultOf(BusId bus, std::uint32_t field) const {
        return defaultSets[busGroups[buses[bus.index].group].defaults][field];
    }
    const Value& defaultOf(BusId bus, ShapeId seenAs, std::uint32_t number) const {
        return defaultOf(bus, fieldOf(bus, seenAs, number) - buses[bus.index].firstField);
    }
};

/// "a.b[3]"; the top network's name is left out (the top itself is "").
std::string pathOf(const Design& design, InstanceId instance);
/// "a.link[2]"; with the owner's path in front.
std::string pathOf(const Design& design, BusId bus);

/// Stable text for golden tests and --emit=hir.
std::string dump(const Design& design, const SourceManager& sources);

}  // namespace smec::hir
