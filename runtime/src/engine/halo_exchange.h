#pragma once

#include <cstdint>
#include <vector>

#include "engine/arena.h"
#include "engine/transport.h"

namespace sme {

/// The ranges of planes that a rank sends and receives after each cycle, as memory. The transport
/// and the arena outlive it.
class HaloExchange {
public:
    void connect(Transport& transport, const Halo& halo, const Model& model, const Arena& arena);
    /// One rank has nothing to exchange.
    bool hasOthers() const { return transport_ != nullptr; }
    /// After `cycle`, while nobody runs: returns the union of all ranks' flags.
    std::uint32_t run(std::uint64_t cycle, std::uint32_t flags);

private:
    Transport* transport_ = nullptr;
    std::vector<Message> sends_[2];  ///< by parity of the cycle that wrote them
    std::vector<Message> receives_[2];
};

}  // namespace sme
