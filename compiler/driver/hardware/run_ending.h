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
        Limit,    ///< target::kMostCycles
        Values,   ///< target::kMostValues
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

/// What the interpreter wrote with --ending.
RunEnding readEnding(const std::filesystem::path& file);

/// "stopped with status 0 in cycle 41", "ran to the limit of 10,000 cycles"
std::string describe(const RunEnding& ending);

}  // namespace smec::driver
