#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/transport.h"

namespace sme {

/// Ranks that are threads of this process. Each copies what it sends into the mailbox of the two,
/// which holds two parcels, so that nobody waits for a slower neighbour right away.
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

    /// Parcels from one rank to another. The sender counts in `posted` after it has filled a slot,
    /// the receiver in `taken` after it has emptied one.
    struct Mailbox {
        alignas(64) std::atomic<std::uint32_t> posted{0};
        std::vector<std::byte> slots[2];
        alignas(64) std::atomic<std::uint32_t> taken{0};
    };
    /// Rings when something changed that a rank may wait for.
    struct alignas(64) Bell {
        std::atomic<std::uint32_t> rung{0};
        std::atomic<std::uint32_t> sleeps{0};
    };

    Mailbox& mailbox(unsigned from, unsigned to) { return mailboxes_[from * size_ + to]; }
    void abandon(const std::string& why);
    void ring(unsigned rank);
    template <typename IsReady>
    void await(unsigned rank, const IsReady& isReady);
    void post(unsigned from, const Parcel& parcel);
    void take(unsigned to, const Parcel& parcel);
    std::uint64_t reduce(unsigned rank, std::uint64_t bits);

    const unsigned size_;
    const bool spins_;
    std::vector<Mailbox> mailboxes_;  ///< by sender, then receiver
    std::vector<Bell> bells_;         ///< by rank
    std::vector<std::unique_ptr<Rank>> ranks_;
    std::once_flag abandonedOnce_;
    std::string why_;  ///< written before isAbandoned_ is set
    std::atomic<bool> isAbandoned_{false};

    std::atomic<std::uint32_t> arrived_{0};  ///< in this round of reduce()
    std::atomic<std::uint32_t> round_{0};
    std::atomic<std::uint64_t> bits_[2]{};       ///< by parity of the round
    std::vector<std::vector<std::byte>> given_;  ///< by rank, between two rounds
};

}  // namespace sme
