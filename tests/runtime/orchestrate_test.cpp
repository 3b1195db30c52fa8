#include "schedule/orchestrate.h"

#include <catch2/catch.hpp>

#include <algorithm>

#include "lab/chunk_table.h"
#include "lab/orchestrations.h"
#include "schedule/schedule.h"

using namespace sme;

namespace {

/// Pieces of one work, one instance each.
std::vector<Piece> pieces(const std::vector<double>& costs) {
    std::vector<Piece> result;
    for (std::uint32_t i = 0; i < costs.size(); ++i)
        result.push_back({{{}, i, i + 1, 0}, costs[i]});
    return result;
}

std::vector<double> someCosts(std::uint32_t seed, std::size_t count) {
    std::vector<double> costs;
    for (std::size_t i = 0; i < count; ++i) {
        seed = seed * 1664525 + 1013904223;
        costs.push_back(1 + (seed >> 24) % 50);
    }
    return costs;
}

}  // namespace

TEST_CASE("stretches with the lowest makespan") {
    CHECK(dealStretches(pieces({3, 1, 2, 2}), 2) == Deal{0, 0, 1, 1});
    CHECK(dealStretches(pieces({1, 1, 1, 9}), 2) == Deal{0, 0, 0, 1});
    CHECK(makespan(pieces({5, 1, 5, 1, 5, 1}), dealStretches(pieces({5, 1, 5, 1, 5, 1}), 3), 3)
          == 6);
    CHECK(dealStretches(pieces({1}), 4) == Deal{0});
    CHECK(dealStretches(pieces({}), 4).empty());
    CHECK(dealStretches(pieces({0, 0, 0}), 2).size() == 3);
}

TEST_CASE("longest processing time first") {
    // 9 to 0; 7 to 1; 6 to 1 (7 < 9); 5 to 0 (9 < 13); 5 to 1 (13 < 14)
    CHECK(dealLongestFirst(pieces({5, 6, 9, 7, 5}), 2) == Deal{0, 1, 0, 1, 1});
    CHECK(dealLongestFirst(pieces({1, 1}), 3) == Deal{0, 1});
}

TEST_CASE("a profile prefers stretches unless longest-first is clearly better") {
    CHECK(dealByProfile(pieces({2, 2, 2, 2}), 2) == Deal{0, 0, 1, 1});
    // stretches: {10} {10 1 1 1 1 1 1}, 16; longest first 13
    const std::vector<Piece> uneven = pieces({1, 1, 1, 10, 10, 1, 1, 1});
    CHECK(makespan(uneven, dealByProfile(uneven, 2), 2) == 13);
    const std::vector<Piece> spread = pieces({10, 9, 1, 1, 9, 10});
    CHECK(makespan(spread, dealByProfile(spread, 3), 3) < 19);
}

TEST_CASE("all ways to deal: every thread number valid, no worse than they promise") {
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        const std::vector<Piece> some = pieces(someCosts(seed, 5 + seed * 3));
        double sum = 0, longest = 0;
        for (const Piece& piece : some) {
            sum += piece.cost;
            longest = std::max(longest, piece.cost);
        }
        for (unsigned threads = 1; threads <= 6; ++threads) {
            const double bound = std::max(longest, sum / threads);
            const auto valid = [&](const Deal& deal) {
                REQUIRE(deal.size() == some.size());
                for (const unsigned thread : deal)
                    REQUIRE(thread < threads);
                CHECK(makespan(some, deal, threads) >= bound - 1e-9);
                return makespan(some, deal, threads);
            };
            const double stretches = valid(dealStretches(some, threads));
            CHECK(stretches <= sum / threads + longest);
            CHECK(valid(dealLongestFirst(some, threads)) <= 4.0 / 3 * bound + longest / 3);
            const double profile = valid(dealByProfile(some, threads));
            CHECK(profile <= stretches + 1e-9);
            const Deal once = dealMonteCarlo(some, threads, 1, 7);
            const double many = valid(dealMonteCarlo(some, threads, 50, 7));
            CHECK(many <= valid(once));
            CHECK(dealMonteCarlo(some, threads, 50, 7) == dealMonteCarlo(some, threads, 50, 7));
            CHECK(valid(dealByLocalSearch(some, threads, {}, 1)) <= profile + 1e-9);
        }
    }
}

TEST_CASE("local search keeps together what exchanges much") {
    // 0 talks to 3, 1 to 2: of all even deals only one cuts nothing
    const std::vector<Piece> four = pieces({10, 10, 10, 10});
    const std::vector<Exchange> exchanges = {{0, 3, 100}, {1, 2, 100}};
    const Deal deal = dealByLocalSearch(four, 2, exchanges, 0.01);
    CHECK(deal[0] == deal[3]);
    CHECK(deal[1] == deal[2]);
    CHECK(deal[0] != deal[1]);
    // where talking costs more than working, everything stays on one thread
    const Deal dear = dealByLocalSearch(four, 2, {{0, 1, 9}, {1, 2, 9}, {2, 3, 9}, {3, 0, 9}}, 99);
    CHECK(std::count(dear.begin(), dear.end(), dear[0]) == 4);
}

TEST_CASE("flows become lines between pieces") {
    Model model{};
    model.workCount = 2;
    // work 1 reads all of work 0; work 0 its own first half
    const Flow flows[] = {{1, 0, 4, 0, 0, 8, 640}, {0, 0, 8, 0, 0, 4, 128}};
    model.flows = flows;
    model.flowCount = 2;
    const std::vector<Piece> some = {{{{}, 0, 4, 0}, 1}, {{{}, 4, 8, 0}, 1}, {{{}, 0, 4, 1}, 1}};
    const std::vector<Exchange> exchanges = exchangesOf(model, some);
    REQUIRE(exchanges.size() == 3);
    const auto lines = [&](std::uint32_t a, std::uint32_t b) {
        for (const Exchange& each : exchanges) {
            if (each.a == a && each.b == b) return each.lines;
        }
        return 0.0;
    };
    CHECK(lines(0, 1) == 1);  // half of the 128 bytes: the other half stays in the first piece
    CHECK(lines(0, 2) == 5);
    CHECK(lines(1, 2) == 5);
}

TEST_CASE("slices join neighbours of one work") {
    const std::vector<Piece> some = pieces({1, 1, 1, 1});
    const Slices slices = toSlices(some, {0, 0, 1, 0}, 2);
    REQUIRE(slices[0].size() == 2);
    CHECK(slices[0][0].end == 2);
    CHECK(slices[0][1].begin == 3);
    REQUIRE(slices[1].size() == 1);
}

TEST_CASE("the static share of pls is the shortest by the longest time of an instance") {
    Times times{{{{{}, 0, 2, 0}, 10}, {{{}, 2, 3, 0}, 20}}, {}};
    CHECK(staticShare(times) == 0.25);
    CHECK(staticShare({}) == 0);
}
