#pragma once

#include <cstdint>
#include <vector>

#include "engine/arena.h"
#include "engine/halo.h"
#include "engine/mailboxes.h"
#include "engine/transport.h"

namespace sme {

/// What a rank sends and receives when a level of a cycle is done, packed into one parcel for each
/// neighbour: through memory on the same machine, else by the transport. The transport and the arena
/// outlive it.
class HaloExchange {
public:
    /// `halos` by level; `cutHalos` the same by level where some of them are cut, for a rank that
    /// computes meanwhile. All ranks connect at the same time.
    HaloExchange(Transport& transport, const std::vector<Halo>& halos,
                 const std::vector<Halo>& cutHalos, const Model& model, const Arena& arena,
                 RankWait wait);
    /// Between cycles: whether levels are those of `cutHalos`. Other ranks need not do the same.
    void useCut(bool isCut) { levels_ = isCut ? &cut_ : &whole_; }

    /// Whether something of this rank crosses after a level.
    bool isAt(std::uint32_t level) const { return !(*levels_)[level].isEmpty(); }
    /// Whether a level is followed by one that is computed while its parcels travel.
    bool isOpen(std::uint32_t level) const { return (*levels_)[level].isOpen; }
    /// When all of this rank's level is done: sends.
    void begin(std::uint32_t level, std::uint64_t cycle);
    /// After begin(): carries on with what goes by the transport; whether it has to be asked again.
    bool isCarrying(std::uint32_t level);
    /// After begin(): whether all has come that finish() waits for; carries on with it.
    bool hasCome(std::uint32_t level);
    /// After begin(), while nobody runs: receives.
    void finish(std::uint32_t level, std::uint64_t cycle);

    /// Null where ranks are on several machines.
    Mailboxes* mailboxes() { return boxes_.reachesAll() ? &boxes_ : nullptr; }

    std::uint64_t bytesSent() const { return bytesSent_; }  ///< in a cycle
    std::size_t neighbours() const { return neighbours_; }
    /// Times that something was received, and those of them in which it had come while this rank
    /// computed.
    std::uint64_t times() const { return times_; }
    std::uint64_t timesHidden() const { return timesHidden_; }
    void forgetTimes() { times_ = timesHidden_ = 0; }

private:
    /// Stretches of one length, in one region of the arena.
    struct Stretches {
        ClockGroup group;
        bool isState;
        std::size_t bytes;                   ///< of each
        std::vector<std::uint64_t> offsets;  ///< in the region
    };
    struct Packing {
        unsigned rank = 0;
        std::size_t bytes = 0;
        std::vector<Stretches> stretches;
        std::vector<std::byte> buffer;  ///< for the transport; empty: it goes through memory
    };
    struct Level {
        std::vector<Packing> sends;
        std::vector<Packing> receives;
        std::size_t number = 0;  ///< of the prepared exchange
        bool isPrepared = false;
        bool isOpen = false;
        bool isEmpty() const { return sends.empty() && receives.empty(); }
    };

    static std::vector<std::size_t> largest(const std::vector<Halo>& halos, const Model& model,
                                            unsigned ranks);
    std::vector<Packing> packingsOf(const std::vector<PlaneRange>& ranges,
                                    const Model& model) const;
    std::vector<Level> levelsOf(const std::vector<Halo>& halos, const Model& model);
    void prepare(Level& level);
    std::byte* region(const Stretches& stretches, std::uint64_t cycle) const;
    void pack(const Packing& packing, std::byte* parcel, std::uint64_t cycle) const;
    void unpack(const Packing& packing, const std::byte* parcel, std::uint64_t cycle) const;

    Transport& transport_;
    const Arena& arena_;
    Mailboxes boxes_;
    std::vector<Level> whole_;
    std::vector<Level> cut_;
    std::vector<Level>* levels_ = &whole_;
    std::uint64_t bytesSent_ = 0;
    std::size_t neighbours_ = 0;
    std::uint64_t times_ = 0;
    std::uint64_t timesHidden_ = 0;
};

}  // namespace sme
