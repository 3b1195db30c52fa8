#pragma once

// Going back in a run, for the table of sme/simulation.h: the changes that were made between its
// cycles, states of some of them, and the way from these to any other one.
//
//     cycle   0 ......... 40 ......... 80 ......... 117        states kept of 0, 40, 80
//     go_to(90): the state of 80, and the changes and cycles from there on once more, silently

#include <sme/input_log.h>
#include <sme/refusal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sme {

/// How much of the past is kept as states.
struct KeptStates {
    bool isOff = false;  ///< none, so that all runs once more
    /// From the first cycle on; else the usual ones, once somebody has gone back.
    std::optional<std::size_t> bytes = std::nullopt;
    double share = 0.01;  ///< of the time; 1: whatever it takes
};

/// The past of one simulation. `Face` as of sme/simulation_table.h.
template <typename Face>
class Past {
    using Place = typename Face::Place;
    using State = typename Face::State;
    using Clock = std::chrono::steady_clock;

public:
    /// `places`: what the handles in changes stand for.
    Past(Face& face, const std::vector<Place>& places, const KeptStates& kept)
        : face_(face), places_(places), kept_(kept) {
        face_.rememberForeign(kept.bytes.value_or(typename Face::History::Budget().bytes));
        if (kept.bytes) keepStates();
    }

    /// `run(until)` runs cycles up to one at most and returns why they ended before. `prepare()`
    /// comes before each call, and before the state is kept that it starts from.
    template <typename Run, typename Prepare>
    std::uint32_t run(std::uint64_t until, const Run& run, const Prepare& prepare) {
        std::uint32_t ended = 0;
        while (ended == 0 && face_.cycle() < until) {
            makeChanges();
            prepare();
            keepState();
            std::uint64_t stop = std::min(until, log_.cycleAt(next_));
            if (history_)
                stop = std::min(stop, std::max({history_->next(), notBefore_, face_.cycle() + 1}));
            isRunning_ = true;
            const Ending ending(isRunning_);
            ended = timed(stop, run);
            makeChanges();
        }
        reached_ = std::max(reached_, face_.cycle());
        return ended;
    }
    std::uint32_t advance(std::uint64_t until) {
        return run(
            until, [&](std::uint64_t stop) { return face_.advance(stop); }, [] {});
    }

    void goTo(std::uint64_t cycle) {
        const bool isForth = cycle >= face_.cycle();
        if (!isForth) goBack(cycle);
        replay(std::min(cycle, reached()), isForth);
        advance(cycle);
    }
    void reset() {
        face_.forgetForeign(0);
        face_.reset();
        begin(std::nullopt);
    }
    /// Where a state lies in a past, to go on with that past from there.
    struct Mark {
        std::uint64_t past = 0;  ///< 0: nobody knows
        std::uint64_t cycle = 0;
        std::uint64_t cuts = 0;  ///< that there had been
        InputLog::Place place;   ///< behind the changes that led there
    };
    /// Of the state as it is.
    Mark mark() const { return {number_, face_.cycle(), cutCount_, next_}; }
    /// What came after a state of this past is no more, and what came before can be gone to. Of any
    /// other state it begins anew.
    void restore(const State& state, const Mark& mark) {
        if (isKnown(mark)) {
            face_.restore(state);
            cutAt(mark.place);
            return;
        }
        State copy = state;
        face_.restore(state);
        begin(std::move(copy));
    }

    /// Sets a value and remembers it. What came after this cycle is no more.
    void set(std::uint32_t handle, std::span<const std::byte> value, bool isInput) {
        const Place& place = places_[handle];
        before_.resize(value.size());
        face_.get(place, before_.data());
        log_.reserve(handle, value.size());
        face_.set(place, value.data());
        const std::uint64_t cycle = face_.cycle();
        forgetFuture();
        if (std::memcmp(before_.data(), value.data(), value.size()) == 0) return;
        log_.add({cycle, handle, value}, !isInput);
        next_ = log_.end();
    }

    /// Many cycles whose inputs are there: what changes from row to row is remembered, as if it had
    /// been set.
    class Rows {
    public:
        explicit Rows(Past& past) : past_(past) {
            past.forgetFuture();
            place_ = past.log_.end();
        }
        /// Of the row of `cycle`.
        void add(std::uint64_t cycle, std::uint32_t handle, std::span<const std::byte> value) {
            past_.log_.add({cycle, handle, value}, false);
        }
        /// All rows are there.
        void close() { past_.next_ = past_.log_.end(); }
        /// Rows of cycles that did not run go.
        ~Rows() {
            if (past_.face_.cycle() == first_)
                past_.log_.dropFrom(place_);
            else
                past_.log_.dropAfter(past_.face_.cycle() - 1);
            past_.next_ = past_.log_.end();
        }
        Rows(const Rows&) = delete;
        Rows& operator=(const Rows&) = delete;

    private:
        Past& past_;
        const std::uint64_t first_ = past_.face_.cycle();
        InputLog::Place place_;
    };

    /// Throws Refusal where rows of inputs cannot make the run once more.
    void checkInputs() const {
        if (base_)
            throw Refusal(SME_BAD_USE, "the run went on from a state of cycle "
                                           + std::to_string(first_)
                                           + ", which rows of inputs do not lead to");
        if (const std::optional<std::uint64_t> cycle = log_.firstInternal())
            throw Refusal(SME_BAD_USE, "before cycle " + std::to_string(*cycle)
                                           + " a variable or a clocked field was set, which rows "
                                             "of inputs do not hold");
    }
    const InputLog& log() const { return log_; }
    /// Whether cycles run, which call sinks.
    bool isRunning() const { return isRunning_; }

private:
    class Ending {
    public:
        explicit Ending(bool& flag) : flag_(flag) {}
        ~Ending() { flag_ = false; }
        Ending(const Ending&) = delete;
        Ending& operator=(const Ending&) = delete;

    private:
        bool& flag_;
    };
    std::uint64_t reached() const { return std::max(reached_, face_.cycle()); }

    void keepStates() {
        typename Face::History::Budget budget;
        if (kept_.bytes) budget.bytes = *kept_.bytes;
        budget.share = kept_.share;
        history_.emplace(budget);
    }
    /// Starts anew with the state that the face has; nothing: before cycle 0.
    void begin(std::optional<State> base) {
        base_ = std::move(base);
        face_.beginForeign();
        first_ = reached_ = face_.cycle();
        log_ = InputLog();
        next_ = {};
        number_ = nextPast();
        cuts_.clear();
        forgetStates();
    }
    /// Of all simulations, so that a state of another one is known for that.
    static std::uint64_t nextPast() {
        static std::atomic<std::uint64_t> last{0};
        return last.fetch_add(1, std::memory_order_relaxed) + 1;  // relaxed: a number, no more
    }
    /// Whether what leads to a state is what was set in this past before it.
    bool isKnown(const Mark& mark) const {
        if (mark.past != number_ || !face_.whyNotAgain().empty()) return false;
        return std::none_of(cuts_.begin(), cuts_.end(), [&](const Cut& cut) {
            return cut.number > mark.cuts
                   && (cut.cycle < mark.cycle || cut.place.offset < mark.place.offset);
        });
    }
    /// Of changes, those at a place and behind it are no more, nor what came after this cycle.
    void cutAt(const InputLog::Place& place) {
        const std::uint64_t cycle = face_.cycle();
        log_.dropFrom(place);
        next_ = place;
        reached_ = cycle;
        face_.forgetForeign(cycle);
        while (!cuts_.empty() && cuts_.back().cycle >= cycle
               && cuts_.back().place.offset >= place.offset)
            cuts_.pop_back();  // the new one says more
        cuts_.push_back({++cutCount_, cycle, place});
        // that of this cycle knows of its changes so far only
        if (!history_ || cycle == 0) return forgetStates();
        history_->forgetAfter(cycle - 1);
        keptAt_.reset();
        notBefore_ = 0;
    }
    void forgetStates() {
        keptAt_.reset();
        notBefore_ = 0;
        if (history_) history_->forget();
    }
    void forgetFuture() {
        const std::uint64_t cycle = face_.cycle();
        if (reached_ <= cycle && keptAt_ != cycle) return;
        cutAt(log_.after(cycle));
    }

    /// Those that were made before the cycle that is the next one.
    void makeChanges() {
        while (log_.cycleAt(next_) <= face_.cycle()) {
            const std::optional<InputLog::Change> change = log_.take(next_);
            if (!change) return;
            face_.set(places_[change->handle], change->value.data());
        }
    }

    /// Keeps the state where it is time to, in cycles and in what it costs.
    void keepState() {
        if (!history_ || face_.cycle() < std::max(history_->next(), notBefore_)) return;
        if (isTooEarly()) return;
        const Clock::time_point start = Clock::now();
        std::optional<State> state = face_.stateOrNone(*history_);
        if (!state) {
            history_.reset();
            kept_.isOff = true;
            return;
        }
        // its own time is known only when it has been kept: that of the one before stands for it
        const bool isPaced = keptAt_ && kept_.share < 1;
        try {
            history_->add(std::move(*state), took_, isPaced ? ran_ - ranBefore_ : 0);
        } catch (const std::bad_alloc&) {
            notBefore_ = 2 * face_.cycle() + 1;  // with those that there are
            return;
        }
        took_ = std::chrono::duration<double>(Clock::now() - start).count();
        spent_ += took_;
        ranBefore_ = ran_;
        keptAt_ = face_.cycle();
    }
    /// Whether one more state would be more than its share of the time so far; then it is time for
    /// that later.
    bool isTooEarly() {
        if (kept_.share >= 1) return false;
        // half: a state costs more than the time to keep it, for it is then in the caches
        const double share = kept_.share / 2;
        constexpr double kSecondsPerByte = 1e-9;  // of the first one, which takes new memory
        const double cost =
            took_ > 0 ? took_ : kSecondsPerByte * static_cast<double>(face_.stateBytes());
        const double missing = (spent_ + cost) / share - ran_;
        if (missing <= 0) return false;
        // twice as far at most: the first cycles say little about how long others take
        constexpr double kFirst = 16;
        const double most = kFirst + static_cast<double>(ranCycles_);
        const double wait = ran_ > 0 ? missing / ran_ * static_cast<double>(ranCycles_) : kFirst;
        notBefore_ = face_.cycle() + 1 + static_cast<std::uint64_t>(std::min(wait, most));
        return true;
    }
    /// `run(until)`, with the time that it takes.
    template <typename Run>
    std::uint32_t timed(std::uint64_t until, const Run& run) {
        if (!history_) return run(until);
        const Clock::time_point start = Clock::now();
        const std::uint64_t from = face_.cycle();
        const std::uint32_t ended = run(until);
        ran_ += std::chrono::duration<double>(Clock::now() - start).count();
        ranCycles_ += face_.cycle() - from;
        return ended;
    }

    void goBack(std::uint64_t cycle) {
        if (const std::string why = face_.whyNotAgain(); !why.empty())
            throw Refusal(SME_BAD_USE, why);
        if (cycle < first_)
            throw Refusal(SME_BAD_USE, "nothing is known of what was before cycle "
                                           + std::to_string(first_)
                                           + ", from whose state the run went on");
        reached_ = reached();
        if (!history_ && !kept_.isOff) keepStates();
        if (history_ && history_->reaches(cycle)) {
            const State state = history_->before(cycle);
            face_.restore(state);
            next_ = log_.after(face_.cycle());
            return;
        }
        if (base_)
            face_.restore(*base_);
        else
            face_.reset();
        next_ = {};
        makeChanges();
    }
    void replay(std::uint64_t until, bool isForth) {
        run(
            until,
            [&](std::uint64_t stop) {
                face_.replay(stop, isForth);
                return std::uint32_t{0};
            },
            [] {});
    }

    Face& face_;
    const std::vector<Place>& places_;
    bool isRunning_ = false;
    KeptStates kept_;
    InputLog log_;
    InputLog::Place next_;       ///< the change that has not been made yet
    std::uint64_t reached_ = 0;  ///< this cycle has been the next one, with these changes
    std::uint64_t first_ = 0;    ///< the first one that can be gone to
    std::optional<State> base_;  ///< of that; nothing: the initial state
    /// Where what came after a cycle was dropped.
    struct Cut {
        std::uint64_t number;
        std::uint64_t cycle;
        InputLog::Place place;  ///< what is behind it came later
    };
    std::vector<Cut> cuts_;  ///< but for those that a later one makes superfluous
    std::uint64_t cutCount_ = 0;
    std::uint64_t number_ = nextPast();
    std::optional<typename Face::History> history_;
    std::optional<std::uint64_t> keptAt_;  ///< the cycle of the state that was kept last
    // Seconds: to keep the last state and all of them, and of cycles, in all and before that state.
    double took_ = 0, spent_ = 0, ran_ = 0, ranBefore_ = 0;
    std::uint64_t ranCycles_ = 0;
    std::uint64_t notBefore_ = 0;    ///< no state is kept before this cycle
    std::vector<std::byte> before_;  ///< a member to keep its memory
};

}  // namespace sme
