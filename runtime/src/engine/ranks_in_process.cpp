#include "engine/ranks_in_process.h"

#include "engine/target.h"
#include "output/error.h"
#include "schedule/wait.h"
#include "values/parity.h"

namespace sme {

class RanksInProcess::Rank final : public Transport {
public:
    Rank(RanksInProcess& all, unsigned rank) : all_(all), rank_(rank) {}

    unsigned rank() const override { return rank_; }
    unsigned size() const override { return all_.size_; }
    const char* name() const override { return "threads of one process"; }

    std::vector<std::byte*> share(std::size_t bytes) override { return all_.share(rank_, bytes); }
    std::size_t prepare(std::span<const Parcel>, std::span<const Parcel>) override {
        throw Error(ErrorKind::Internal, "ranks of one process need no messages");
    }
    void start(std::size_t) override {}
    bool isDone(std::size_t) override { return true; }
    void finish(std::size_t) override {}

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
    RanksInProcess& all_;
    const unsigned rank_;
};

RanksInProcess::RanksInProcess(unsigned ranks, bool spins)
    : size_(ranks), spins_(spins), bells_(ranks), given_(ranks), shared_(ranks) {
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

std::vector<std::byte*> RanksInProcess::share(unsigned rank, std::size_t bytes) {
    shared_[rank].push_back(std::make_unique<Line[]>((bytes + sizeof(Line) - 1) / sizeof(Line)));
    reduce(rank, 0);
    std::vector<std::byte*> pieces;
    for (const auto& of : shared_)
        pieces.push_back(of.back()[0].bytes);
    reduce(rank, 0);  // before anybody shares once more
    return pieces;
}

/// The last one to come ends the round. Its bits are there until the round after the next one has
/// begun, which needs everybody.
std::uint64_t RanksInProcess::reduce(unsigned rank, std::uint64_t bits) {
    // relaxed: no round ends without this rank
    const std::uint32_t round = round_.load(std::memory_order_relaxed);
    std::atomic<std::uint64_t>& all = bits_[parityOf(round)];
    all.fetch_or(bits, std::memory_order_relaxed);  // handed over by arrived_
    // acq_rel: what each rank did before is there for the last, and by round_ for all
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == size_) {
        arrived_.store(0, std::memory_order_relaxed);
        bits_[parityOf(round + 1)].store(0, std::memory_order_relaxed);
        round_.store(round + 1, std::memory_order_release);
        for (unsigned each = 0; each < size_; ++each)
            if (each != rank) ring(each);
    } else {
        await(rank, [&] { return round_.load(std::memory_order_acquire) != round; });
    }
    return all.load(std::memory_order_relaxed);
}

}  // namespace sme
