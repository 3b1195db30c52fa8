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
    Barrier barrier(2, WaitMode::Adaptive, false);
    int value = 0;
    std::thread late([&] {
        for (int i = 0; i < 3; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            value = i + 1;
            barrier.arrive(1, 0);
            barrier.arrive(1, 0);
        }
    });
    for (int i = 0; i < 3; ++i) {
        barrier.arrive(0, 0);
        CHECK(value == i + 1);
        barrier.arrive(0, 0);
    }
    late.join();
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
