#include "schedule/barrier.h"

#include <catch2/catch.hpp>

#include <thread>
#include <vector>

#include "schedule/machine.h"
#include "schedule/workers.h"

using namespace sme;

namespace {

/// Threads add to a shared number in turn, without any protection but the barrier (ThreadSanitizer
/// watches), and give flags that all must see in the same phase.
void turns(unsigned threads, WaitMode mode, int phases) {
    Barrier barrier(threads, mode, threads > inspectMachine().processors);
    std::uint64_t sum = 0;
    std::vector<std::uint64_t> wrong(threads);
    std::vector<std::thread> crew;
    for (unsigned thread = 0; thread < threads; ++thread) {
        crew.emplace_back([&, thread] {
            for (int phase = 0; phase < phases; ++phase) {
                const bool mine = static_cast<unsigned>(phase) % threads == thread;
                if (mine) sum += static_cast<std::uint64_t>(phase);
                const std::uint32_t flags =
                    barrier.arrive(thread, mine && phase % 5 == 0 ? 1u << (phase % 7) : 0);
                if (flags != (phase % 5 == 0 ? 1u << (phase % 7) : 0)) ++wrong[thread];
            }
        });
    }
    for (std::thread& thread : crew)
        thread.join();
    CHECK(sum == static_cast<std::uint64_t>(phases) * static_cast<std::uint64_t>(phases - 1) / 2);
    for (const std::uint64_t count : wrong)
        CHECK(count == 0);
}

}  // namespace

TEST_CASE("barrier: data and flags pass it in their phase") {
    for (const unsigned threads : {1u, 2u, 3u, 4u, 8u}) {
        for (const WaitMode mode : {WaitMode::Block, WaitMode::Adaptive})
            turns(threads, mode, 2000);
        turns(threads, WaitMode::Yield, 200);
    }
    turns(2, WaitMode::Spin, 500);
    turns(8, WaitMode::Spin, 10);  // more threads than processors take turns by time slices
}

TEST_CASE("barrier: a late partner is waited for asleep") {
    for (const bool oversubscribed : {false, true}) {
        SharedWait shared(oversubscribed);
        Waiter waiter(WaitMode::Adaptive, oversubscribed, shared);
        CHECK(waiter.isAdaptive());
        std::atomic<std::uint32_t> word{0}, sleepers{0};
        std::thread late([&] {
            while (sleepers.load() == 0)
                std::this_thread::yield();
            word.store(1);
            futexWakeAll(word);
        });
        CHECK(waiter.whileEquals(word, 0, sleepers) == 1);
        late.join();
        CHECK(sleepers.load() == 0);
    }
}

TEST_CASE("workers run one job after another") {
    for (const unsigned threads : {1u, 2u, 5u}) {
        Workers workers(threads);
        std::vector<int> counts(threads);
        for (int i = 0; i < 200; ++i) {
            workers.run(
                [](void* counters, unsigned thread) {
                    ++(*static_cast<std::vector<int>*>(counters))[thread];
                },
                &counts);
        }
        CHECK(counts == std::vector<int>(threads, 200));
    }
}
