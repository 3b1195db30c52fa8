#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/transport.h"

namespace sme {

/// Ranks that are threads of this process, and exchange through its memory.
class RanksInProcess {
public:
    /// `spins`: whether there is a processor for each, so that one who waits may look for a while
    /// before it sleeps.
    RanksInProcess(unsigned ranks, bool spins);
    ~RanksInProcess();
    RanksInProcess(const RanksInProcess&) = delete;
    RanksInProcess& operator=(const RanksInProcess&) = delete;

    Transport& of(unsigned rank);

private:
    class Rank;

    /// Rings when something changed that a rank may wait for.
    struct alignas(64) Bell {
        std::atomic<std::uint32_t> rung{0};
        std::atomic<std::uint32_t> sleeps{0};
    };

    void abandon(const std::string& why);
    void ring(unsigned rank);
    template <typename IsReady>
    void await(unsigned rank, const IsReady& isReady);
    std::vector<std::byte*> share(unsigned rank, std::size_t bytes);
    std::uint64_t reduce(unsigned rank, std::uint64_t bits);

    const unsigned size_;
    const bool spins_;
    std::vector<Bell> bells_;  ///< by rank
    std::vector<std::unique_ptr<Rank>> ranks_;
    std::once_flag abandonedOnce_;
    std::string why_;  ///< written before isAbandoned_ is set
    std::atomic<bool> isAbandoned_{false};

    std::atomic<std::uint32_t> arrived_{0};  ///< in this round of reduce()
    std::atomic<std::uint32_t> round_{0};
    std::atomic<std::uint64_t> bits_[2]{};       ///< by parity of the round
    std::vector<std::vector<std::byte>> given_;  ///< by rank, between two rounds
    struct alignas(64) Line {
        std::byte bytes[64];
    };
    std::vector<std::vector<std::unique_ptr<Line[]>>> shared_;  ///< by rank
};

}  // namespace sme
