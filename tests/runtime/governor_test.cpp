// --threads auto on a machine that is played: two processors, and other programs on them.

#include "tuning/governor.h"

#include <catch2/catch.hpp>

#include <functional>
#include <vector>

using namespace sme;

namespace {

using Ns = std::int64_t;

constexpr Ns kMs = 1'000'000;
constexpr Ns kSecond = 1000 * kMs;
constexpr Ns kAlone = 800;   // a cycle on one thread
constexpr Ns kShared = 500;  // on two
constexpr std::uint64_t kEndless = ~std::uint64_t{0};

/// Runs for a while, then others have the processor for a while, over and over.
struct Turns {
    Ns runs = 0;
    Ns waits = 0;
};

class Played : public Course {
public:
    /// Whether others are there at `time`, and how one thread, and two that wait for each other, run then.
    std::function<bool(Ns)> isBusy = [](Ns) { return false; };
    Turns turns[2] = {{4 * kMs, 2 * kMs}, {1 * kMs, 4 * kMs}};
    /// The run ends then.
    Ns end = 0;
    std::vector<Ns> secondThread;  ///< when it was started

    std::uint64_t cycle() const override { return cycle_; }
    Ns now() const override { return now_; }

    void use(unsigned threads) override {
        if (threads == 2 && threads_ == 1) secondThread.push_back(now_);
        threads_ = threads;
    }

    std::uint32_t run(std::uint64_t until) override {
        for (; cycle_ < until && now_ < end; ++cycle_)
            step();
        return now_ < end ? 0 : 1;
    }

    unsigned threads() const { return threads_; }

private:
    void step() {
        now_ += threads_ == 1 ? kAlone : kShared;
        const Turns& turn = turns[threads_ - 1];
        const bool isOut =
            isBusy(now_) && (sinceTurn_ += threads_ == 1 ? kAlone : kShared) >= turn.runs;
        if (!isOut) return;
        now_ += turn.waits;
        sinceTurn_ = 0;
    }

    unsigned threads_ = 1;
    std::uint64_t cycle_ = 0;
    Ns now_ = 1;
    Ns sinceTurn_ = 0;
};

/// Cycles until `end`.
double cyclesTo(Ns end, Played& played, Governor& governor) {
    const std::uint64_t first = played.cycle();
    played.end = end;
    governor.run(kEndless);
    return static_cast<double>(played.cycle() - first);
}

double cyclesAlone(Ns end, Played played) {
    const std::uint64_t first = played.cycle();
    played.end = end;
    played.use(1);
    played.run(kEndless);
    return static_cast<double>(played.cycle() - first);
}

}  // namespace

TEST_CASE("two threads run where they are faster") {
    Played played;
    Governor governor(played, 2);
    const double cycles = cyclesTo(2 * kSecond, played, governor);
    CHECK(played.threads() == 2);
    CHECK(cycles > 0.95 * 2 * kSecond / kShared);
    CHECK(governor.reason() == "auto: 1.60 times the speed of one thread");
}

TEST_CASE(
    "beside programs that stay, threads that wait for each other are fast for moments alone") {
    Played played;
    played.isBusy = [](Ns) { return true; };
    Governor governor(played, 2);
    for (const Ns end : {1 * kSecond, 10 * kSecond, 60 * kSecond}) {
        const double alone = cyclesAlone(end, played);
        CHECK(cyclesTo(end, played, governor) > 0.95 * alone);
        CHECK(played.threads() == 1);
    }
    CHECK(played.secondThread.size() > 2);  // looked at again
}

TEST_CASE("the number of threads changes when others come and go") {
    Played played;
    played.isBusy = [](Ns time) { return time > 5 * kSecond && time < 15 * kSecond; };
    Governor governor(played, 2);
    cyclesTo(5 * kSecond, played, governor);
    REQUIRE(played.threads() == 2);
    const double alone = cyclesAlone(15 * kSecond, played);
    const double soon = cyclesTo(5 * kSecond + 500 * kMs, played, governor);
    CHECK(played.threads() == 1);
    CHECK(soon + cyclesTo(15 * kSecond, played, governor) > 0.95 * alone);
    CHECK(played.threads() == 1);
    cyclesTo(40 * kSecond, played, governor);
    CHECK(played.threads() == 2);
    CHECK(governor.reason() == "auto: 1.60 times the speed of one thread; changed 2 times");
}

TEST_CASE("two threads that are slower than they seemed are tried ever more rarely") {
    Played played;
    played.isBusy = [](Ns) { return true; };
    played.turns[0] = {};                     // one thread is left alone
    played.turns[1] = {60 * kMs, 300 * kMs};  // longer than a trial takes
    Governor governor(played, 2);
    const double first = cyclesTo(20 * kSecond, played, governor);
    const std::size_t trials = played.secondThread.size();
    const double second = cyclesTo(200 * kSecond, played, governor);
    CHECK(first > 0.8 * 20 * kSecond / kAlone);
    CHECK(second > 0.95 * 180 * kSecond / kAlone);
    CAPTURE(trials, played.secondThread.size());
    CHECK(trials > 3);
    CHECK(played.secondThread.size() < 3 * trials);
}
