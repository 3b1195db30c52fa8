#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/transport.h"
#include "schedule/wait.h"

namespace sme {

/// How a rank waits for others of its machine.
struct RankWait {
    WaitMode mode = WaitMode::Adaptive;
    bool oversubscribed = false;
};

/// Carries parcels between ranks that share memory, and bits between all where all do, without a
/// call of the system or of MPI. Every word has one writer. The transport, whose memory it is,
/// outlives it.
///
/// Who leaves, in whatever way, says so to those who still wait for it: they throw what the
/// transport knows about why.
class Mailboxes {
public:
    /// All ranks at the same time. `largest`: bytes of the largest parcel for each rank, 0 where
    /// there is none.
    Mailboxes(Transport& transport, const std::vector<std::size_t>& largest, RankWait wait);
    ~Mailboxes();
    Mailboxes(const Mailboxes&) = delete;
    Mailboxes& operator=(const Mailboxes&) = delete;

    bool reaches(unsigned rank) const { return pieces_[rank] != nullptr; }
    bool reachesAll() const { return reachesAll_; }

    /// Where the next parcel for `to` is to be filled in; post() hands it over.
    std::byte* open(unsigned to);
    void post(unsigned to, std::size_t bytes);
    /// Whether the next parcel of `from` has come.
    bool hasCome(unsigned from) const;
    /// The next parcel of `from`; there until release().
    const std::byte* await(unsigned from, std::size_t bytes);
    void release(unsigned from);
    /// The union of the bits of all ranks, which it reaches. At most kBits of them.
    std::uint64_t reduce(std::uint64_t bits);
    static constexpr unsigned kBits = 21;

    /// After each time that this rank waited for others or might have: how to wait next time.
    void passed() {
        if (waiter_.isAdaptive()) shared_.passed();
    }

private:
    using Word = std::atomic<std::uint32_t>;
    /// Counts of parcels, times two, so that the lowest bit says that the writer has left.
    static constexpr std::uint32_t kLeft = 1;

    /// What a rank tells each other one, beside parcels.
    struct Route {
        alignas(64) Word taken{0};  ///< parcels of the other one, now and then
        std::uint64_t offset = 0;   ///< of the slots for the other one, in this piece
        std::uint64_t stride = 0;
        std::uint32_t slots = 0;
    };
    /// The memory of a rank: this, routes by rank, slots.
    struct Head {
        alignas(64) Word words[2]{0, 0};  ///< (round << kBits) | bits, by parity of the round
        alignas(64) Word sleepers{0};
    };
    struct Slot {
        Word count{0};  ///< of its last parcel
        std::uint64_t bytes = 0;
        std::byte* data() { return reinterpret_cast<std::byte*>(this + 1); }
    };
    /// One direction between this rank and another one.
    struct Way {
        std::byte* slots = nullptr;
        std::uint64_t stride = 0;
        std::uint32_t mask = 0;   ///< slots - 1
        std::uint32_t count = 0;  ///< parcels so far
        std::uint32_t freed = 0;  ///< of those, taken by the other one as far as it is known
        Slot& slot(std::uint32_t number) const {
            return *reinterpret_cast<Slot*>(slots + (number & mask) * stride);
        }
        bool isFull() const { return ((count - freed) & (~0u >> 1)) > mask; }  // counts of 31 bits
    };

    static std::size_t headBytes(std::size_t ranks) { return sizeof(Head) + ranks * sizeof(Route); }
    Head& head(unsigned rank) const { return *reinterpret_cast<Head*>(pieces_[rank]); }
    Route& route(unsigned owner, unsigned other) const {
        return reinterpret_cast<Route*>(pieces_[owner] + sizeof(Head))[other];
    }
    void layOut(const std::vector<std::size_t>& largest, std::vector<Route>& routes,
                std::size_t& bytes) const;
    void writeOwn(const std::vector<Route>& routes);
    void findWays();
    void waitForRoom(unsigned to, Way& way);
    void store(Word& word, std::uint32_t value, unsigned reader);
    [[noreturn]] void tellWhy();

    Transport& transport_;
    const unsigned rank_;
    std::vector<std::byte*> pieces_;  ///< by rank; null: on another machine
    bool reachesAll_ = true;
    std::vector<Way> sends_;     ///< by rank
    std::vector<Way> receives_;  ///< by rank
    std::uint32_t round_ = 0;
    std::vector<std::uint32_t> seen_[2];  ///< words of each rank, by parity of the round
    SharedWait shared_;
    Waiter waiter_;
};

}  // namespace sme
