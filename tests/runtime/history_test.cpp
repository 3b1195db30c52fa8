// States of the past: which are kept, what they take, and that each is what it was.

#include "engine/history.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <new>

#include "failing_allocations.h"

using namespace sme;

namespace {

constexpr std::size_t kHistoryPages = 64, kHistoryPageBytes = 4096;

/// Of a design of 64 pages, one of which changes in each cycle.
Snapshot historyState(std::uint64_t cycle) {
    Snapshot state{
        1, cycle, {cycle}, std::vector<std::byte>(kHistoryPages * kHistoryPageBytes + 100)};
    for (std::uint64_t i = cycle > kHistoryPages ? cycle - kHistoryPages : 0; i < cycle; ++i)
        state.memory[i % kHistoryPages * kHistoryPageBytes] = static_cast<std::byte>(i + 1);
    return state;
}

bool isHistoryState(const Snapshot& state, std::uint64_t cycle) {
    return state.cycle == cycle && state.memory == historyState(cycle).memory;
}

/// Keeps what is asked for up to a cycle; states cost nothing.
void runHistory(History& history, std::uint64_t until) {
    while (history.next() < until)
        history.add(historyState(history.next()), 0, 1);
}

}  // namespace

TEST_CASE("history: every state is what it was, and pages that stay are kept once") {
    History history({std::size_t{64} << 20, 1});
    runHistory(history, 100);
    CHECK(history.spacing() == 1);
    CHECK(history.cycles().size() == 100);
    for (std::uint64_t cycle = 0; cycle < 100; ++cycle)
        CHECK(isHistoryState(history.before(cycle), cycle));
    CHECK(isHistoryState(history.before(5000), 99));
    // 65 pages at first, then one a state, and numbers of pages
    CHECK(history.bytes() < (65 + 100) * kHistoryPageBytes + 100 * 66 * 4);
}

TEST_CASE("history: when the budget is full, the spacing doubles, and the last ones stay") {
    constexpr std::size_t kBytes = std::size_t{3} << 20;
    History history({kBytes, 1});
    bool isWithin = true;
    for (std::uint64_t until = 1; until < 3000; ++until) {
        runHistory(history, until);
        isWithin = isWithin && history.bytes() <= kBytes;
    }
    CHECK(isWithin);
    CHECK(history.spacing() > 8);
    const std::vector<std::uint64_t> cycles = history.cycles();
    CHECK(cycles.front() == 0);
    CHECK(cycles.back() + history.spacing() >= 2999);
    std::uint64_t widest = 0;
    for (std::size_t i = 1; i < cycles.size(); ++i)
        widest = std::max(widest, cycles[i] - cycles[i - 1]);
    CHECK(widest <= 2 * history.spacing());
    for (const std::uint64_t cycle : cycles)
        CHECK(isHistoryState(history.before(cycle), cycle));
    CHECK(isHistoryState(history.before(cycles[1] - 1), 0));
}

TEST_CASE("history: states that cost more than their share of the time get rarer") {
    History history({std::size_t{64} << 20, 0.01});
    for (int i = 0; i < 40; ++i)
        history.add(historyState(history.next()), 1, static_cast<double>(history.spacing()));
    CHECK(history.spacing() == 128);  // 1 of 128 is less than 1 %
}

TEST_CASE("history: what comes after a cycle is forgotten, and what it took is free") {
    History history({std::size_t{64} << 20, 1});
    runHistory(history, 50);
    const std::size_t bytes = history.bytes();
    runHistory(history, 90);
    history.forgetAfter(49);
    CHECK(history.bytes() == bytes);
    CHECK(history.next() == 50);
    CHECK(isHistoryState(history.before(60), 49));
    history.add(historyState(30), 0, 1);  // from there on in another way
    CHECK(history.next() == 31);
    CHECK(isHistoryState(history.before(40), 30));
    History narrow({1, 1});  // the first and the last one stay in any case
    runHistory(narrow, 3000);
    CHECK(narrow.cycles().size() == 2);
    CHECK(narrow.cycles().front() == 0);
    Snapshot initial{1, 0, {}};
    History first({1, 1});
    first.add(initial, 0, 1);
    CHECK(first.before(0).memory.empty());
}

TEST_CASE("history: of a big memory a state takes what has changed") {
    constexpr std::size_t kBytes = std::size_t{64} << 20, kPages = kBytes / kHistoryPageBytes;
    History history({std::size_t{256} << 20, 1});
    Snapshot state{1, 0, {0}, std::vector<std::byte>(kBytes)};
    history.add(state, 0, 1);
    const std::size_t first = history.bytes();
    constexpr std::size_t kStates = 4;
    for (state.cycle = 1; state.cycle <= kStates; ++state.cycle) {
        for (std::size_t i = 0; i < kPages / 100; ++i)  // 1 %, in pages that lie anywhere
            state.memory[(i * 100 + state.cycle * 7) % kPages * kHistoryPageBytes] =
                static_cast<std::byte>(state.cycle);
        history.add(state, 0, 1);
    }
    CHECK(history.bytes() - first <= kStates * (std::size_t{2} << 20));
    CHECK(history.before(kStates).memory == state.memory);
}

TEST_CASE(
    "history: where memory ends, the states that there are stay, and the next one finds room") {
    History history({std::size_t{64} << 20, 1});
    runHistory(history, 70);
    history.forgetAfter(63);  // pages that nobody uses
    const std::size_t bytes = history.bytes();
    const std::vector<std::uint64_t> cycles = history.cycles();
    std::uint64_t failures = 0;
    for (bool isKept = false; !isKept; ++failures) {
        Snapshot state = historyState(90);
        test::allocationsLeft = failures + 1;
        try {
            history.add(std::move(state), 0, 1);
            isKept = true;
        } catch (const std::bad_alloc&) {
            CHECK((history.bytes() == bytes && history.cycles() == cycles));
        }
        test::allocationsLeft = 0;
    }
    CHECK(failures > 25);  // it has 26 pages of its own
    for (const std::uint64_t cycle : cycles)
        CHECK(isHistoryState(history.before(cycle), cycle));
    CHECK(isHistoryState(history.before(90), 90));
    History fresh({std::size_t{64} << 20, 1});
    runHistory(fresh, 64);
    fresh.add(historyState(90), 0, 1);
    CHECK(history.bytes() == fresh.bytes());
    history.forgetAfter(0);
    fresh.forgetAfter(0);
    CHECK(history.bytes() == fresh.bytes());
}

TEST_CASE("history: the memory of a state comes back for the next one, within the budget") {
    History history({std::size_t{4} << 20, 1});
    Snapshot state = historyState(0);
    const std::byte* const memory = state.memory.data();
    history.add(std::move(state), 0, 1);
    CHECK(history.takeSpare().data() == memory);
    CHECK(history.takeSpare().empty());
    History narrow({1, 1});
    narrow.add(historyState(0), 0, 1);
    CHECK(narrow.takeSpare().capacity() == 0);
}
