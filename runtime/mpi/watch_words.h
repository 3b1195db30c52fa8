#pragma once

#include <array>
#include <cstdint>

namespace sme {

/// What watches of ranks say to each other.
enum class WatchWord : std::uint32_t {
    Hello = 1,  ///< of who called: its rank
    Welcome,
    Joined,  ///< to rank 0, from parent to parent
    Ended,   ///< without having left: its system closed the connection
    Silent,  ///< for kSilence
    GaveUp,  ///< it has told why itself
    Told,    ///< what ended
    Left
};

struct WatchFrame {
    WatchWord word;
    std::uint32_t rank;
};

/// Nobody else knows it. Who calls shows one half, who is called the other one.
using WatchSecret = std::array<std::array<std::uint8_t, 16>, 2>;

/// Hello or Welcome, the first that each side says; only frames follow.
struct WatchGreeting {
    std::array<std::uint8_t, 16> secret;
    WatchFrame frame;
};

}  // namespace sme
