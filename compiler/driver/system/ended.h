#pragma once

namespace smec::driver {

/// Thrown by a command that has no result; what to say about it has been said.
struct Ended {
    int status;
};

}  // namespace smec::driver
