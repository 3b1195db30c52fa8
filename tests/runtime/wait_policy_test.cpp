// Threads of a barrier on a machine that is played: two processors, and other programs on them.

#include "schedule/wait_policy.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>

using namespace sme;

namespace {

using Ns = std::int64_t;

constexpr Ns kMs = 1'000'000;
constexpr Ns kSecond = 1000 * kMs;
constexpr Ns kWork = 500;       // of a thread in a cycle
constexpr Ns kLine = 50;        // until a word that was written is seen
constexpr Ns kWakeUp = 18'000;  // until a thread that slept runs
constexpr Ns kWaking = 3'000;   // what that costs who wakes it
constexpr Ns kSpin = 50'000;    // in vain
constexpr Ns kShort = 30'000;   // the processor, for who spins beside programs that sleep much
constexpr Ns kSlice = 3 * kMs;  // for which a program runs while others want its processor

enum class How { Adaptive, Spin, Sleep };

/// What a processor does for a thread that shares it: whoever has used up its share stands still
/// for a slice.
class Processor {
public:
    /// Whether another program is there at `time`.
    std::function<bool(Ns)> isBusy = [](Ns) { return false; };
    /// For how long a thread that does not sleep keeps it then, and loses it.
    Ns keeps = kSlice;
    Ns slice = kSlice;
    /// When a thread that starts at `from` has run for `wanted`.
    Ns run(Ns from, Ns wanted) {
        if (!isBusy(from)) {
            used_ = 0;
            return from + wanted;
        }
        used_ += wanted;
        if (used_ < keeps) return from + wanted;
        used_ = 0;
        Ns end = from;
        while (isBusy(end) && end < from + slice)
            end += slice / 64;
        return end + wanted;
    }
    /// It slept: the system owes it the processor.
    void rest(Ns time) { used_ = std::max<Ns>(0, used_ - time); }

private:
    Ns used_ = 0;
};

/// Two threads that meet after each cycle.
class Played {
public:
    explicit Played(How how) : how_(how), policy_(1) {
        processors[1].slice = kSlice * 5 / 7;  // they do not stop at the same time
    }

    Processor processors[2];
    Ns work[2] = {kWork, kWork};
    std::uint64_t vain = 0;  ///< spins

    /// Programs that sleep much themselves, as compilers do, take the processor from who spins.
    void everywhere(const std::function<bool(Ns)>& isBusy, Ns keeps) {
        for (Processor& processor : processors) {
            processor.isBusy = isBusy;
            processor.keeps = keeps;
        }
    }

    Ns now() const { return std::max(at_[0], at_[1]); }

    /// Cycles from now to `end`.
    std::uint64_t runTo(Ns end) {
        std::uint64_t cycles = 0;
        for (; now() < end; ++cycles)
            cycle();
        return cycles;
    }

private:
    bool spins() const { return how_ == How::Spin || (how_ == How::Adaptive && policy_.spins()); }

    void cycle() {
        for (int thread : {0, 1})
            at_[thread] = processors[thread].run(at_[thread], work[thread]);
        const int first = at_[0] <= at_[1] ? 0 : 1;
        meet(first, 1 - first);
    }

    void meet(int first, int last) {
        const Ns start = at_[first];
        const bool isSpinning = spins();
        if (isSpinning) {
            const Ns given = how_ == How::Spin ? at_[last] - start : kSpin;
            const Ns end = processors[first].run(start, std::min(given, at_[last] - start));
            if (how_ == How::Spin || at_[last] - start <= kSpin) {
                at_[first] = std::max(end, at_[last]) + kLine;
                policy_.spun();
                return;
            }
            ++vain;
        }
        at_[last] += kWaking;
        processors[first].rest(at_[last] - start);
        at_[first] = std::max(start, at_[last]) + kWakeUp;
        isSpinning ? policy_.spunInVain(now()) : policy_.slept(now());
    }

    const How how_;
    WaitPolicy policy_;
    Ns at_[2] = {1, 1};
};

/// Cycles that a machine does in a time, in each way.
struct Speeds {
    double adaptive, spin, sleep;
    double best() const { return std::max(spin, sleep); }
};

Speeds speedsOf(Ns end, const std::function<void(Played&)>& disturb) {
    const auto cycles = [&](How how) {
        Played played(how);
        disturb(played);
        return static_cast<double>(played.runTo(end));
    };
    return {cycles(How::Adaptive), cycles(How::Spin), cycles(How::Sleep)};
}

bool between(Ns time, Ns begin, Ns end) { return time >= begin && time < end; }

}  // namespace

TEST_CASE("waiting: alone it spins") {
    const Speeds counts = speedsOf(kSecond / 4, [](Played&) {});
    CHECK(counts.adaptive == counts.spin);
    CHECK(counts.spin > 20 * counts.sleep);
}

TEST_CASE("waiting: 10 ms after a burst of others it is as fast as before") {
    for (const Ns length : {2 * kMs, 10 * kMs, 50 * kMs, 120 * kMs}) {
        Played played(How::Adaptive);
        const Ns end = 100 * kMs + length;
        played.everywhere([&](Ns time) { return between(time, 100 * kMs, end); }, kShort);
        const auto before = static_cast<double>(played.runTo(10 * kMs));
        played.runTo(end + std::max(10 * kMs, length / 6));
        const Ns start = played.now();
        const auto after = static_cast<double>(played.runTo(start + 10 * kMs));
        INFO("a burst of " << length / kMs << " ms");
        CHECK(after > 0.97 * before);
    }
}

TEST_CASE("waiting: a burst each second costs what it takes") {
    for (const Ns keeps : {kShort, kSlice}) {
        const Speeds speeds = speedsOf(6 * kSecond, [&](Played& played) {
            played.everywhere([](Ns time) { return time % kSecond > 950 * kMs; }, keeps);
        });
        INFO("spin " << speeds.spin << " sleep " << speeds.sleep);
        CHECK(speeds.adaptive > speeds.best() / 1.03);
    }
}

TEST_CASE("waiting: beside busy programs it does what is best there") {
    for (const Ns length : {kSecond / 2, 4 * kSecond}) {
        for (const Ns keeps : {kShort, kSlice}) {
            const auto always = [](Ns) { return true; };
            const Speeds both =
                speedsOf(length, [&](Played& played) { played.everywhere(always, keeps); });
            INFO("spin " << both.spin << " sleep " << both.sleep);
            CHECK((both.sleep > both.spin) == (keeps == kShort));
            CHECK(both.adaptive > both.best() / 1.15);
            const Speeds one = speedsOf(length, [&](Played& played) {
                played.everywhere(always, keeps);
                played.processors[0].isBusy = [](Ns) { return false; };
            });
            INFO("on one: spin " << one.spin << " sleep " << one.sleep);
            CHECK(one.adaptive > one.best() / 1.15);
        }
    }
}

TEST_CASE("waiting: of long cycles spinning in vain is a small part") {
    const Speeds speeds = speedsOf(kSecond, [](Played& played) {
        played.work[0] = 140'000;
        played.work[1] = 40'000;
    });
    CHECK(speeds.adaptive > speeds.best() / 1.15);
}

TEST_CASE("waiting: who sleeps for a crowd spins rarely") {
    Played played(How::Adaptive);
    played.everywhere([](Ns) { return true; }, kShort);
    played.runTo(kSecond);
    const std::uint64_t before = played.vain;
    played.runTo(5 * kSecond);
    CHECK(played.vain - before < 60);  // 50 us each: less than 0.1 % of the time
}

TEST_CASE("waiting: with more threads than processors, tries that cost time slices come rarely") {
    Ns now = 0, tries = 0;
    WaitPolicy policy(now, true);
    while (now < 20 * kSecond) {
        const bool spins = policy.spins();
        const Ns took = spins ? 100 * kMs : 40'000;
        now += took;
        if (spins) {
            tries += took;
            policy.spunInVain(now);
        } else {
            policy.slept(now);
        }
    }
    CHECK(tries < now / 8);
}
