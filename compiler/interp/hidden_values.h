#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "interp/simulation.h"

/// What processes and delayed fields keep that the language has no name for, as states have it
/// (docs/semantics.md, "States").
namespace smec::interp {

/// "p[3]#var.2.0": whose, what, and which ones.
struct HiddenName {
    enum class What : std::uint8_t { Random, Cover, Wait, Left, End, Variable, Last, Ring };
    std::string owner;
    What what;
    std::uint32_t number = 0;  ///< of a cover, a variable
    std::uint32_t leaf = 0;    ///< of a type: scalars and flattened arrays of scalars, in order

    static std::optional<HiddenName> of(const std::string& path);
};

class HiddenWriter {
public:
    HiddenWriter(const Simulation& simulation, const State& state);
    /// Appends `size` bytes. What nobody will read any more is the default of its type, or 0.
    void append(const std::string& path, std::size_t size, std::vector<std::byte>& out) const;

private:
    const Simulation& simulation_;
    const State& state_;
    std::unordered_map<std::string, std::size_t> processes_, registers_;  ///< by path
};

/// Puts them into a state that is one of before cycle 0, but for what has a name, and its cycle.
class HiddenReader {
public:
    HiddenReader(const Simulation& simulation, State& state);
    /// `at`: where the bytes stand in the state. False: there is no such value, or it has no such bytes.
    bool put(const std::string& path, std::span<const std::byte> bytes, std::uint64_t at);
    /// When all are put: processes stand where they wait. Returns the byte of what says of the first one
    /// that it waits where it cannot.
    std::optional<std::uint64_t> finish();

private:
    bool putOfProcess(const HiddenName& name, std::size_t number, std::span<const std::byte> bytes,
                      std::uint64_t at);
    bool putDelayed(const HiddenName& name, std::size_t number, std::span<const std::byte> bytes);
    bool goThere(std::size_t number);

    struct Waiting {
        std::uint64_t place = 0;
        std::uint64_t at = 0;  ///< where the state says so
        std::uint64_t left = 1;
        std::unordered_map<std::uint32_t, Value> ends{};  ///< of loops, by variable
    };
    const Simulation& simulation_;
    State& state_;
    std::unordered_map<std::string, std::size_t> processes_, registers_;  ///< by path
    std::unordered_map<std::size_t, Waiting> waiting_;                    ///< by process
};

}  // namespace smec::interp
