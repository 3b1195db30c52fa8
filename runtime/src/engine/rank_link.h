#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <vector>

#include "engine/ahead_pace.h"
#include "engine/halo_exchange.h"
#include "engine/overlap_trial.h"
#include "engine/transport.h"
#include "schedule/between.h"
#include "schedule/recorder.h"

namespace sme {

/// What ties a rank to the others while cycles run: what processes read of one another, and when
/// the run ends. Thread 0 calls, while all other threads of the rank stand still. Nothing throws:
/// a problem ends the run of this rank, and is kept for who asked for the run.
///
/// After an open level nobody stands still: threads say that they are done with it and go on to the
/// next one, and thread 0 sends, looks after what travels between units of that, and receives when
/// it is done, too.
class RankLink final : public Between {
public:
    /// All ranks connect at the same time. The transport and the arena outlive it.
    RankLink(Transport& transport, const std::vector<Halo>& halos,
             const std::vector<Halo>& cutHalos, const Model& model, const Arena& arena,
             RankWait wait);

    /// Whether ranks ask each other after each cycle, for the design can end a run, or print.
    static bool asksAlways(const Model& model) {
        return (model.flags & (kHasStop | kHasFailure | kPrints)) != 0;
    }

    /// Whether something crosses after a level, or travels when it is done, here.
    bool isAt(std::uint32_t level) const {
        return exchange_.isAt(level) || (level > 0 && isOpen(level - 1));
    }
    void cross(std::uint32_t level, std::uint64_t cycle);
    /// Whether what crosses after a level travels while the next one is computed.
    bool isOpen(std::uint32_t level) const { return exchange_.isOpen(level); }
    /// Thread 0 is done with an open level; of `others` arrive() says so.
    void open(std::uint32_t level, std::uint64_t cycle, unsigned others);
    /// Any other thread. release: thread 0 packs what this one has written.
    void arrive() { arrived_.fetch_add(1, std::memory_order_release); }
    /// Between units of the level after an open one.
    void look() override;

    /// The CycleFlag bits of all ranks after `cycle`. Where nothing in the design can end the run or
    /// print, ranks ask each other only now and then, and what one found waits for that.
    std::uint32_t agree(std::uint64_t cycle, std::uint32_t flags);
    /// Whether something in the design can end the run or print.
    bool asksAlways() const { return asksAlways_; }
    /// What all do next: what rank 0 says, but nobody runs ahead who cannot, or who owes.
    AheadPace::Stretch plan(AheadPace::Stretch wanted, bool canGoBack);
    /// The CycleFlag bits of all ranks after cycles that ran ahead.
    std::uint32_t answer(std::uint32_t flags);
    void beginAsking() { fastest_ = ~std::uint64_t{0}; }
    /// Of those of agree() since beginAsking().
    double fastestAnswerNs() const { return static_cast<double>(fastest_) * rate_.nsPerTick(); }
    /// Flags that came up after agree().
    void owe(std::uint32_t flags) { owed_ |= flags; }
    /// On rank 0 what others give, by rank.
    std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes);

    bool isFirst() const { return transport_.rank() == 0; }
    const HaloExchange& exchange() const { return exchange_; }
    /// Between cycles: whether levels are those of `cutHalos`, whose works are `work`.
    void useCut(bool isCut, const Work* work) {
        exchange_.useCut(isCut);
        work_ = work;
    }
    /// What rank 0 says; between cycles.
    OverlapTrial::Stretch plan(OverlapTrial::Stretch wanted);
    /// In which it carried, or waited for others.
    double secondsWaited() const { return static_cast<double>(waited_) * rate_.nsPerTick() * 1e-9; }
    /// What was exchanged before the first cycle does not count.
    void beginWaiting() {
        waited_ = 0;
        exchange_.forgetTimes();
    }
    std::exception_ptr problem() const { return problem_; }

private:
    /// Of the last open level.
    enum class Travel : std::uint8_t {
        None,   ///< what crosses has been received
        Waits,  ///< for other threads of this rank
        Begun
    };

    template <typename Function>
    void guarded(const Function& function);
    void beginOpen();
    std::uint64_t pace();
    std::uint64_t unite(std::uint64_t bits);

    Transport& transport_;
    HaloExchange exchange_;
    const bool asksAlways_;
    Travel travel_ = Travel::None;
    std::uint32_t openLevel_ = 0;
    std::uint64_t openCycle_ = 0;
    std::uint32_t expected_ = 0;  ///< arrived_, when all are done with the open level
    std::uint32_t owed_ = 0;
    std::uint64_t next_ = 0;                     ///< the cycle after which ranks agree
    std::uint32_t interval_ = 0;                 ///< log2 of the cycles between
    std::int64_t asked_ = 0;                     ///< when, in ns
    std::uint64_t waited_ = 0;                   ///< ticks
    std::uint64_t fastest_ = ~std::uint64_t{0};  ///< ticks
    TickRate rate_;
    std::exception_ptr problem_;
    alignas(64) std::atomic<std::uint32_t> arrived_{0};
};

}  // namespace sme
