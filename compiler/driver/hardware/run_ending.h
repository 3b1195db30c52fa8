#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace smec::driver {

/// How a run of the reference interpreter ended that `smec export` or `smec verify` started.
struct RunEnding {
    enum class Kind : std::uint8_t {
        Unknown,  ///< it wrote nothing
        Cycles,   ///< as many as --cycles asked for
        Input,    ///< the last row of --input
        Limit,    ///< kMostCycles
        Values,   ///< kMostValues
        Stop,
        Failure,
        Cut,  ///< by --timeout or a signal
    };
    Kind kind = Kind::Unknown;
    std::uint64_t cycles = 0;  ///< that it ran
    int status = 0;            ///< of Kind::Stop

    bool hasFailed() const { return kind == Kind::Failure; }
    /// By itself, so that others have to end in the same cycle when they may run longer.
    bool isOfDesign() const { return kind == Kind::Stop || kind == Kind::Failure; }
};

/// Without --cycles a run ends here, unless the design or its input ends before. Few programs are
/// still about to start then, and their test benches take seconds.
inline constexpr std::uint64_t kMostCycles = 10'000;
/// Or here, but with 100 cycles at least: values of fields and variables in all its cycles.
inline constexpr std::uint64_t kMostValues = 4'000'000;

/// What the interpreter wrote with --ending.
RunEnding readEnding(const std::filesystem::path& file);

/// "stopped with status 0 in cycle 41", "ran to the limit of 10,000 cycles"
std::string describe(const RunEnding& ending);

}  // namespace smec::driver
