// Rank 0 has parcels for rank 1 in its own piece, in slots that are filled in turn:
//
//   piece of 0:  words  sleepers | routes: taken of 0, of 1 … | slot 5  slot 6  slot 3  slot 4
//
// A slot says which parcel it holds, in the line in which the parcel starts, so that a small one
// takes one line from processor to processor. Rank 1 writes in its own piece how many it has taken;
// as there are several slots, rank 0 looks rarely.

#include "engine/mailboxes.h"

#include <algorithm>
#include <memory>

#include "engine/target.h"
#include "output/error.h"
#include "values/parity.h"

namespace sme {
namespace {

std::size_t inLines(std::size_t bytes) {
    return (bytes + target::kLine - 1) / target::kLine * target::kLine;
}

/// More slots for small parcels: whoever is ahead need not wait, and looks less often for room.
std::uint32_t slotsFor(std::size_t bytes) {
    if (bytes <= target::kSmallParcel) return 8;
    return bytes <= target::kMiddlingParcel ? 4 : 2;
}

}  // namespace

Mailboxes::Mailboxes(Transport& transport, const std::vector<std::size_t>& largest, RankWait wait)
    : transport_(transport),
      rank_(transport.rank()),
      sends_(transport.size()),
      receives_(transport.size()),
      seen_{std::vector<std::uint32_t>(transport.size()),
            std::vector<std::uint32_t>(transport.size())},
      shared_(wait.oversubscribed),
      waiter_(wait.mode, wait.oversubscribed, shared_, true) {
    std::vector<Route> routes(transport.size());
    std::size_t bytes = 0;
    layOut(largest, routes, bytes);
    pieces_ = transport.share(bytes);
    reachesAll_ = std::ranges::find(pieces_, nullptr) == pieces_.end();
    if (reaches(rank_)) writeOwn(routes);
    transport.reduce(0);  // all have written
    if (reaches(rank_)) findWays();
}

/// What others wait for changes, in the lowest bit where it says nothing else.
Mailboxes::~Mailboxes() {
    if (!reaches(rank_)) return;
    for (unsigned other = 0; other < pieces_.size(); ++other) {
        if (other == rank_ || !reaches(other)) continue;
        Way& way = sends_[other];
        for (std::uint32_t i = 0; way.slots && i <= way.mask; ++i) {
            Word& word = way.slot(i).count;
            store(word, word.load(std::memory_order_relaxed) | kLeft, other);
        }
        Word& taken = route(rank_, other).taken;
        store(taken, taken.load(std::memory_order_relaxed) | kLeft, other);
        // the words of reduce() need a bit of their own
        for (Word& word : head(rank_).words)
            store(word, word.load(std::memory_order_relaxed) | (kLeft << 31), other);
    }
}

void Mailboxes::layOut(const std::vector<std::size_t>& largest, std::vector<Route>& routes,
                       std::size_t& bytes) const {
    bytes = headBytes(routes.size());
    for (std::size_t to = 0; to < routes.size(); ++to) {
        if (largest[to] == 0) continue;
        routes[to].offset = bytes;
        routes[to].slots = slotsFor(largest[to]);
        routes[to].stride = inLines(sizeof(Slot) + largest[to]);
        bytes += routes[to].slots * routes[to].stride;
    }
}

void Mailboxes::writeOwn(const std::vector<Route>& routes) {
    std::construct_at(&head(rank_));
    for (unsigned to = 0; to < routes.size(); ++to) {
        Route& own = *std::construct_at(&route(rank_, to));
        own.offset = routes[to].offset;
        own.stride = routes[to].stride;
        own.slots = routes[to].slots;
        for (std::uint32_t i = 0; i < own.slots; ++i)
            std::construct_at(
                reinterpret_cast<Slot*>(pieces_[rank_] + own.offset + i * own.stride));
    }
}

void Mailboxes::findWays() {
    const auto wayOf = [&](unsigned from, unsigned to) {
        const Route& found = route(from, to);
        if (found.slots == 0) return Way{};
        return Way{pieces_[from] + found.offset, found.stride, found.slots - 1};
    };
    for (unsigned other = 0; other < pieces_.size(); ++other) {
        if (!reaches(other)) continue;
        sends_[other] = wayOf(rank_, other);
        receives_[other] = wayOf(other, rank_);
    }
}

/// seq_cst, both: either this sees that the reader sleeps, or the reader the word (schedule/wait.h).
void Mailboxes::store(Word& word, std::uint32_t value, unsigned reader) {
    word.store(value, std::memory_order_seq_cst);
    if (head(reader).sleepers.load(std::memory_order_seq_cst) != 0) futexWakeAll(word, true);
}

/// The rank that left tells it the transport, then or soon.
void Mailboxes::tellWhy() {
    transport_.reduce(0);
    throw Error(ErrorKind::Internal, "a rank has left the others");
}

void Mailboxes::waitForRoom(unsigned to, Way& way) {
    Word& taken = route(to, rank_).taken;
    // acquire: the other one has read the slot
    std::uint32_t seen = taken.load(std::memory_order_acquire);
    for (way.freed = seen / 2; way.isFull(); way.freed = seen / 2) {
        if ((seen & kLeft) != 0) tellWhy();
        seen = waiter_.whileEquals(taken, seen, head(rank_).sleepers);
    }
}

std::byte* Mailboxes::open(unsigned to) {
    Way& way = sends_[to];
    if (way.isFull()) waitForRoom(to, way);
    return way.slot(way.count).data();
}

void Mailboxes::post(unsigned to, std::size_t bytes) {
    Way& way = sends_[to];
    Slot& slot = way.slot(way.count);
    slot.bytes = bytes;
    store(slot.count, ++way.count * 2, to);
}

bool Mailboxes::hasCome(unsigned from) const {
    const Way& way = receives_[from];
    // relaxed: await() looks once more
    const std::uint32_t seen = way.slot(way.count).count.load(std::memory_order_relaxed);
    return (seen & ~kLeft) == (way.count + 1) * 2;
}

const std::byte* Mailboxes::await(unsigned from, std::size_t bytes) {
    Way& way = receives_[from];
    Slot& slot = way.slot(way.count);
    const std::uint32_t wanted = (way.count + 1) * 2;
    // acquire: the other one has filled the slot
    std::uint32_t seen = slot.count.load(std::memory_order_acquire);
    while ((seen & ~kLeft) != wanted) {
        if ((seen & kLeft) != 0) tellWhy();
        seen = waiter_.whileEquals(slot.count, seen, head(rank_).sleepers);
    }
    if (slot.bytes != bytes)
        throw Error(ErrorKind::Internal, "ranks do not agree about what they exchange");
    return slot.data();
}

/// Told so often that the other one, who has more slots than that, never waits for what is done.
void Mailboxes::release(unsigned from) {
    Way& way = receives_[from];
    ++way.count;
    if ((way.count & (way.mask >> 1)) == 0) store(route(rank_, from).taken, way.count * 2, from);
}

/// Two words a rank, for it may be a round ahead before another has read its last word.
std::uint64_t Mailboxes::reduce(std::uint64_t bits) {
    constexpr std::uint32_t kMask = (1u << kBits) - 1;
    const unsigned parity = parityOf(++round_);
    const auto own = static_cast<std::uint32_t>(bits) | ((round_ << kBits) & ~(kLeft << 31));
    Word& word = head(rank_).words[parity];
    word.store(own, std::memory_order_seq_cst);  // as in store()
    for (unsigned other = 0; other < pieces_.size(); ++other) {
        if (other != rank_ && head(other).sleepers.load(std::memory_order_seq_cst) != 0)
            futexWakeAll(word, true);
    }
    for (unsigned other = 0; other < pieces_.size(); ++other) {
        if (other == rank_) continue;
        std::uint32_t& seen = seen_[parity][other];
        const std::uint32_t before = seen;
        if ((before & (kLeft << 31)) != 0) tellWhy();
        seen = waiter_.whileEquals(head(other).words[parity], before, head(rank_).sleepers);
        // it may have left right after its word
        const bool isOld = ((seen ^ before) & ~kMask & ~(kLeft << 31)) == 0;
        if (isOld) tellWhy();
        bits |= seen & kMask;
    }
    return bits;
}

}  // namespace sme
