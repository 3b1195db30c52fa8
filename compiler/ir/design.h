#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/storage.h"

/// A whole design, and its names as they are seen from outside.
namespace smec::ir {

/// A type as it is seen from outside: what lower took apart into leaves.
struct Shape {
    struct Member {
        std::string name;
        std::uint32_t shape;
        std::uint32_t leaf;  ///< leaves in front of it
    };
    enum class Kind : std::uint8_t { Scalar, Array, Struct };
    Kind kind = Kind::Scalar;
    std::string name{};  ///< of a struct
    Scalar scalar{};     ///< with what Plane says of a scalar
    std::optional<std::uint32_t> enumeration{};
    std::optional<Interval> range{};
    std::uint32_t element = 0;  ///< of an array
    std::uint64_t count = 0;
    std::vector<Member> members{};
};

struct NameRun {
    std::string prefix;
    std::optional<std::string> suffix;  ///< absent: one name, = prefix
    std::uint64_t index;
    std::uint32_t count;
    PlaneId plane;
    std::uint32_t start;
    std::int32_t stride;
    bool exposed = false;
    bool variable = false;
    /// Of a value that is not stored in one piece (it holds structs, or an array whose elements
    /// have planes of their own): its type, and the place of every leaf (the first one's too). Else
    /// the plane's type says all.
    struct Place {
        PlaneId plane;
        std::uint32_t start;
        std::int32_t stride;
        std::vector<PlaneId> elements{};  ///< of an array: empty, or one plane for each
    };
    std::optional<std::uint32_t> shape{};
    std::vector<Place> leaves{};
    SourceRange range{};  ///< of the declaration of the bus or the variable
};

struct EnumMember {
    std::string name;
    Integer value;
};
struct Enum {
    std::string name;
    std::uint32_t width;
    bool isSigned;
    std::vector<EnumMember> members;
};
struct Table {
    StorageType type;
    Constants values;
    std::string name{};  ///< of one of the constants in the source that it is; may be empty
};

struct Design {
    std::string name;  ///< of the top network
    std::vector<Plane> planes;
    std::vector<Class> classes;       ///< in order of their first instance
    std::vector<Function> functions;  ///< callees before callers
    std::vector<Table> tables;
    std::vector<Enum> enums;
    std::vector<Shape> shapes;
    std::vector<NameRun> names;
    /// What later cycles depend on and nobody outside can name, under the names that states give it:
    /// docs/semantics.md. Planes of structs have a name for each leaf.
    std::vector<NameRun> hiddenNames;
    std::uint64_t processCount = 0;
    bool unchecked = false;
    /// Rounds of loops that an activation may take without a CountRound, where a pass removed them.
    std::uint32_t uncountedRounds = 0;
    /// hashOf(design) as it was lowered: of the design, whatever options choose to make of it. Absent until
    /// the passes begin.
    std::optional<std::uint64_t> hash{};
};

}  // namespace smec::ir
