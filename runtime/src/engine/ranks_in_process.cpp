#include "engine/ranks_in_process.h"

#include <cstring>

#include "engine/target.h"
#include "output/error.h"
#include "schedule/wait.h"

namespace sme {

class RanksInProcess::Rank final : public Transport {
public:
    Rank(RanksInProcess& all, unsigned rank) : all_(all), rank_(rank) {}

    unsigned rank() const override { return rank_; }
    unsigned size() const override { return all_.size_; }
    const char* name() const override { return "threads of one process"; }

    std::size_t prepare(std::span<const Parcel> sends, std::span<const Parcel> receives) override {
        prepared_.push_back({{sends.begin(), sends.end()}, {receives.begin(), receives.end()}});
        return prepared_.size() - 1;
    }

    void exchange(std::size_t number) override {
        for (const Parcel& parcel : prepared_[number].sends)
            all_.post(rank_, parcel);
        for (const Parcel& parcel : prepared_[number].receives)
            all_.take(rank_, parcel);
    }

    void abandon(const std::string& why) override { all_.abandon(why); }

    std::uint64_t reduce(std::uint64_t bits) override { return all_.reduce(rank_, bits); }

    std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) override {
        all_.given_[rank_].assign(bytes.begin(), bytes.end());
        all_.reduce(rank_, 0);
        std::vector<std::vector<std::byte>> gathered;
        if (rank_ == 0) {
            gathered.resize(all_.size_);
            gathered.swap(all_.given_);
        }
        all_.reduce(rank_, 0);
        return gathered;
    }

    std::vector<std::byte> broadcast(std::span<const std::byte> bytes) override {
        if (rank_ == 0) all_.given_[0].assign(bytes.begin(), bytes.end());
        all_.reduce(rank_, 0);
        std::vector<std::byte> given = all_.given_[0];
        all_.reduce(rank_, 0);
        return given;
    }

private:
    struct Prepared {
        std::vector<Parcel> sends;
        std::vector<Parcel> receives;
    };
    RanksInProcess& all_;
    const unsigned rank_;
    std::vector<Prepared> prepared_;
};

RanksInProcess::RanksInProcess(unsigned ranks, bool spins)
    : size_(ranks),
      spins_(spins),
      mailboxes_(std::size_t{ranks} * ranks),
      bells_(ranks),
      given_(ranks) {
    for (unsigned rank = 0; rank < ranks; ++rank)
        ranks_.push_back(std::make_unique<Rank>(*this, rank));
}

RanksInProcess::~RanksInProcess() = default;

Transport& RanksInProcess::of(unsigned rank) { return *ranks_[rank]; }

/// The first reason counts: others follow from it.
void RanksInProcess::abandon(const std::string& why) {
    std::call_once(abandonedOnce_, [&] {
        why_ = why;
        // seq_cst: before the bells ring, or a rank that hears one would sleep again
        isAbandoned_.store(true, std::memory_order_seq_cst);
    });
    for (unsigned rank = 0; rank < size_; ++rank)
        ring(rank);
}

void RanksInProcess::ring(unsigned rank) {
    Bell& bell = bells_[rank];
    // seq_cst, both: the bell has rung before this looks who sleeps, and a rank says that it sleeps
    // before it looks at the bell, so that one of the two sees the other
    bell.rung.fetch_add(1, std::memory_order_seq_cst);
    if (bell.sleeps.load(std::memory_order_seq_cst) != 0) futexWakeAll(bell.rung);
}

template <typename IsReady>
void RanksInProcess::await(unsigned rank, const IsReady& isReady) {
    Bell& bell = bells_[rank];
    for (unsigned spins = spins_ ? target::kRankSpins : 0;; spins = spins > 0 ? spins - 1 : 0) {
        const std::uint32_t heard = bell.rung.load(std::memory_order_seq_cst);
        if (isReady()) return;
        if (isAbandoned_.load(std::memory_order_seq_cst)) throw Error(ErrorKind::Limit, why_);
        if (spins > 0) {
            relax();
            continue;
        }
        bell.sleeps.store(1, std::memory_order_seq_cst);  // see ring()
        futexWait(bell.rung, heard);
        bell.sleeps.store(0, std::memory_order_relaxed);  // a ring too many costs a call
    }
}

void RanksInProcess::post(unsigned from, const Parcel& parcel) {
    Mailbox& box = mailbox(from, parcel.rank);
    const std::uint32_t posted = box.posted.load(std::memory_order_relaxed);  // its own
    // acquire: the receiver has read the slot
    await(from, [&] { return posted - box.taken.load(std::memory_order_acquire) < 2; });
    box.slots[posted & 1].assign(parcel.data, parcel.data + parcel.bytes);
    box.posted.store(posted + 1, std::memory_order_release);  // hands over the slot
    ring(parcel.rank);
}

void RanksInProcess::take(unsigned to, const Parcel& parcel) {
    Mailbox& box = mailbox(parcel.rank, to);
    const std::uint32_t taken = box.taken.load(std::memory_order_relaxed);  // its own
    // acquire: the sender has filled the slot
    await(to, [&] { return box.posted.load(std::memory_order_acquire) != taken; });
    const std::vector<std::byte>& slot = box.slots[taken & 1];
    if (slot.size() != parcel.bytes)
        throw Error(ErrorKind::Internal, "ranks do not agree about what they exchange");
    std::memcpy(parcel.data, slot.data(), parcel.bytes);
    box.taken.store(taken + 1, std::memory_order_release);  // gives the slot back
    ring(parcel.rank);
}

/// The last one to come ends the round. Its bits are there until the round after the next one has
/// begun, which needs everybody.
std::uint64_t RanksInProcess::reduce(unsigned rank, std::uint64_t bits) {
    // relaxed: no round ends without this rank
    const std::uint32_t round = round_.load(std::memory_order_relaxed);
    std::atomic<std::uint64_t>& all = bits_[round & 1];
    all.fetch_or(bits, std::memory_order_relaxed);  // handed over by arrived_
    // acq_rel: what each rank did before is there for the last, and by round_ for all
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == size_) {
        arrived_.store(0, std::memory_order_relaxed);
        bits_[(round + 1) & 1].store(0, std::memory_order_relaxed);
        round_.store(round + 1, std::memory_order_release);
        for (unsigned each = 0; each < size_; ++each)
            if (each != rank) ring(each);
    } else {
        await(rank, [&] { return round_.load(std::memory_order_acquire) != round; });
    }
    return all.load(std::memory_order_relaxed);
}

}  // namespace sme
