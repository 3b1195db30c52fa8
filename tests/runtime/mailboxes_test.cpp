// Ranks that share memory, a thread each.

#include "engine/mailboxes.h"

#include <catch2/catch.hpp>

#include <thread>

#include "engine/ranks_in_process.h"
#include "output/error.h"

using namespace sme;

namespace {

/// What `first` and `second` do with mailboxes for parcels of `bytes`, as ranks 0 and 1.
template <typename First, typename Second>
void onTwoRanks(std::size_t bytes, RankWait wait, const First& first, const Second& second) {
    RanksInProcess all(2, false);
    std::thread other([&] {
        Mailboxes boxes(all.of(1), {bytes, 0}, wait);
        second(boxes, all.of(1));
    });
    {
        Mailboxes boxes(all.of(0), {0, bytes}, wait);
        first(boxes, all.of(0));
    }
    other.join();
}

std::byte byteOf(std::uint32_t round, std::size_t place) { return std::byte(round * 7 + place); }

}  // namespace

TEST_CASE("parcels arrive whole and in order, whoever is ahead", "[transport]") {
    for (const WaitMode mode : {WaitMode::Adaptive, WaitMode::Block, WaitMode::Yield}) {
        for (const std::size_t largest : {4u, 4'097u, 70'000u}) {
            constexpr std::uint32_t rounds = 300;
            const auto send = [&](Mailboxes& boxes) {
                for (std::uint32_t round = 0; round < rounds; ++round) {
                    std::byte* const parcel = boxes.open(1);
                    const std::size_t bytes = 1 + round % largest;
                    for (std::size_t i = 0; i < bytes; ++i)
                        parcel[i] = byteOf(round, i);
                    boxes.post(1, bytes);
                    boxes.passed();
                }
            };
            std::uint32_t good = 0;
            const auto receive = [&](Mailboxes& boxes) {
                for (std::uint32_t round = 0; round < rounds; ++round) {
                    const std::size_t bytes = 1 + round % largest;
                    const std::byte* const parcel = boxes.await(0, bytes);
                    good += parcel[0] == byteOf(round, 0)
                            && parcel[bytes - 1] == byteOf(round, bytes - 1);
                    boxes.release(0);
                    boxes.passed();
                }
            };
            onTwoRanks(
                largest, {mode, true}, [&](Mailboxes& boxes, Transport&) { send(boxes); },
                [&](Mailboxes& boxes, Transport&) { receive(boxes); });
            CHECK(good == rounds);
        }
    }
}

TEST_CASE("mailboxes unite the bits of all ranks", "[transport]") {
    constexpr unsigned ranks = 3;
    RanksInProcess all(ranks, false);
    const auto run = [&](unsigned rank) {
        Mailboxes boxes(all.of(rank), std::vector<std::size_t>(ranks), {WaitMode::Adaptive, true});
        bool good = boxes.reachesAll();
        for (std::uint32_t round = 0; round < 5'000; ++round) {  // more than a word can count
            const std::uint64_t bits = boxes.reduce(std::uint64_t{1} << ((rank * 7 + round) % 21));
            good = good && bits == ((1u | 1u << 7 | 1u << 14) << round % 7);
            boxes.passed();
        }
        return good;
    };
    bool good[ranks] = {};
    std::thread first([&] { good[1] = run(1); }), second([&] { good[2] = run(2); });
    good[0] = run(0);
    first.join();
    second.join();
    CHECK((good[0] && good[1] && good[2]));
}

TEST_CASE("who waits for a rank that is gone is told", "[transport]") {
    const auto says = [](Transport& own, const auto& wait) {
        try {
            wait();
            return false;
        } catch (const Error& error) {
            own.abandon(error.what());
            return std::string(error.what()) == "gone";
        }
    };
    const auto leaves = [](Mailboxes&, Transport& own) { own.abandon("gone"); };
    bool isTold[3] = {};
    onTwoRanks(1, {}, leaves, [&](Mailboxes& boxes, Transport& own) {
        isTold[0] = says(own, [&] { boxes.await(0, 1); });
    });
    onTwoRanks(1, {}, leaves, [&](Mailboxes& boxes, Transport& own) {
        isTold[1] = says(own, [&] { boxes.reduce(1); });
    });
    const auto fills = [&](Mailboxes& boxes, Transport& own) {
        isTold[2] = says(own, [&] {
            for (;;) {
                boxes.open(1);
                boxes.post(1, 1);
            }
        });
    };
    onTwoRanks(1, {}, fills, [](Mailboxes&, Transport& own) { own.abandon("gone"); });
    CHECK((isTold[0] && isTold[1] && isTold[2]));
}

TEST_CASE("mailboxes notice that two ranks differ about a parcel", "[transport]") {
    bool isNoticed = false;
    onTwoRanks(
        8, {},
        [](Mailboxes& boxes, Transport&) {
            boxes.open(1);
            boxes.post(1, 4);
        },
        [&](Mailboxes& boxes, Transport&) {
            try {
                boxes.await(0, 8);
            } catch (const Error&) {
                isNoticed = true;
            }
        });
    CHECK(isNoticed);
}
