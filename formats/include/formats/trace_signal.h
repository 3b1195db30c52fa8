#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sme/model.h"

namespace sme {

enum class TraceShown : std::uint8_t {
    Everywhere,
    InWaves  ///< in formats of viewers: it is nothing that a file of inputs or expected values names
};

/// Follows the path of a process: where it waits, in files for viewers.
constexpr std::string_view kWaitName = ".wait";

/// A scalar as traces know it: all that a format may ask about it.
struct TraceSignal {
    std::string name;     ///< "unit[2].out.pixel.r[3]"
    std::size_t whole;    ///< its length without parts: that of "unit[2].out.pixel"
    const Type* type;     ///< neither array nor struct
    std::uint64_t index;  ///< the largest index after the whole; 0 without any
    bool isExposed = false;
    TraceShown shown = TraceShown::Everywhere;
    bool isBus = false;  ///< the field `v` of a bus, which viewers show as the bus itself
};

/// Where the process of an instance stands in the source.
struct TraceSource {
    std::string path;  ///< of the instance
    std::string file;
    std::uint32_t line;
};

/// Where rows stand in time, in formats that have a time: row k holds over [k * period,
/// (k + 1) * period).
struct TraceTime {
    std::uint64_t period = 10;  ///< of a cycle, in nanoseconds
    bool showsClock = true;     ///< `clk`, which rises at k * period for k >= 1
};

/// What a trace holds. Made once, and the same for all models and numbers of threads.
struct TraceDescription {
    std::string design;  ///< the top network
    std::vector<TraceSignal> signals;
    TraceTime time;
    std::vector<TraceSource> sources{};  ///< for formats that tell them
};

/// A row: the bytes of its values as they are stored, in the order of the signals, and which signals
/// may have other values than in the row before, in ascending order. Of a first row these are all.
struct TraceRow {
    std::span<const std::byte* const> values;
    std::span<const std::uint32_t> changed;
};

}  // namespace sme
