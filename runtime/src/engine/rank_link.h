#pragma once

#include <cstdint>
#include <exception>
#include <vector>

#include "engine/ahead_pace.h"
#include "engine/halo_exchange.h"
#include "engine/transport.h"
#include "schedule/recorder.h"

namespace sme {

/// What ties a rank to the others while cycles run: what processes read of one another, and when
/// the run ends. Thread 0 calls, while all other threads of the rank stand still. Nothing throws:
/// a problem ends the run of this rank, and is kept for who asked for the run.
class RankLink {
public:
    /// All ranks connect at the same time. The transport and the arena outlive it.
    RankLink(Transport& transport, const std::vector<Halo>& halos, const Model& model,
             const Arena& arena, RankWait wait);

    /// Whether ranks ask each other after each cycle, for the design can end a run, or print.
    static bool asksAlways(const Model& model) {
        return (model.flags & (kHasStop | kHasFailure | kPrints)) != 0;
    }

    /// Whether something crosses after a level, here.
    bool isAt(std::uint32_t level) const { return exchange_.isAt(level); }
    void cross(std::uint32_t level, std::uint64_t cycle);

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
    /// In which it carried, or waited for others.
    double secondsWaited() const { return static_cast<double>(waited_) * rate_.nsPerTick() * 1e-9; }
    /// What was exchanged before the first cycle does not count.
    void beginWaiting() { waited_ = 0; }
    std::exception_ptr problem() const { return problem_; }

private:
    template <typename Function>
    void guarded(const Function& function);
    std::uint64_t pace();
    std::uint64_t unite(std::uint64_t bits);

    Transport& transport_;
    HaloExchange exchange_;
    const bool asksAlways_;
    std::uint32_t owed_ = 0;
    std::uint64_t next_ = 0;                     ///< the cycle after which ranks agree
    std::uint32_t interval_ = 0;                 ///< log2 of the cycles between
    std::int64_t asked_ = 0;                     ///< when, in ns
    std::uint64_t waited_ = 0;                   ///< ticks
    std::uint64_t fastest_ = ~std::uint64_t{0};  ///< ticks
    TickRate rate_;
    std::exception_ptr problem_;
};

}  // namespace sme
