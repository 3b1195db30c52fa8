#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "netlist/named.h"

/// A netlist at word level, as Yosys writes it with `write_json`: modules of cells whose ports are
/// connected bit by bit. Plain data. The file format is described in Yosys' manual at write_json,
/// the cells in its chapter on the internal cell library.
namespace smec::netlist {

/// A bit of a module: a constant, or the number of a net.
using Bit = std::uint32_t;
inline constexpr Bit kZero = 0;
inline constexpr Bit kOne = 1;
inline constexpr Bit kUnknown = UINT32_MAX;            ///< x
inline constexpr Bit kHighImpedance = UINT32_MAX - 1;  ///< z
inline bool isNet(Bit bit) { return bit > kOne && bit < kHighImpedance; }

/// Least significant bit first.
using Bits = std::vector<Bit>;
/// Parameters and attributes: binary digits, most significant first, or text.
using Values = Named<std::string>;

enum class Direction : std::uint8_t { Input, Output, Inout };

struct Port {
    std::string name;
    Direction direction = Direction::Input;
    Bits bits;
    bool isSigned = false;
};

struct Cell {
    std::string name;
    std::string type;  ///< "$add"; a module's name where it is an instance
    Values parameters;
    Values attributes;
    Named<Bits> connections;

    /// A connected port; none: empty.
    const Bits& operator[](std::string_view port) const;
    /// A parameter as a number; none: 0.
    std::uint64_t number(std::string_view parameter) const;
    bool flag(std::string_view parameter) const { return number(parameter) != 0; }
};

/// Whether its type is among those.
bool isOneOf(const auto& types, const Cell& cell) {
    return std::ranges::find(types, cell.type) != types.end();
}

struct Net {
    std::string name;
    bool isHidden = false;  ///< a name of Yosys' own
    Bits bits;
    Values attributes;
};

struct Module {
    std::string name;
    Values attributes;
    std::vector<Port> ports;  ///< in the order of the source
    std::vector<Cell> cells;
    std::vector<Net> nets;

    const Port* port(std::string_view name) const;
};

struct Design {
    std::vector<Module> modules;
};

/// An attribute of modules that were one before their instances began with values of their own.
inline constexpr const char* kStartsDiffer = "smec_starts_differ";

/// An attribute or parameter; none: empty.
std::string_view valueOf(const Values& values, std::string_view name);
/// Binary digits as a number; anything else is 0.
std::uint64_t numberOf(std::string_view digits);

}  // namespace smec::netlist
