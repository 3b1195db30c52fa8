#include "lab/chunks.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>

using namespace sme;

namespace {

using Sizes = std::vector<std::uint64_t>;

constexpr int kSchemes = static_cast<int>(ChunkScheme::ModifiedStatic) + 1;

Sizes sizes(ChunkScheme scheme, std::uint64_t total, unsigned threads, double parameter = 0) {
    return chunkSizes({scheme, parameter, 1}, total, threads);
}

/// `runs` is {size, how often, size, how often, …}.
Sizes expand(const Sizes& runs) {
    Sizes result;
    for (std::size_t i = 0; i < runs.size(); i += 2)
        result.insert(result.end(), runs[i + 1], runs[i]);
    return result;
}

}  // namespace

TEST_CASE("chunk sizes as calculated by hand: 100 instances, 4 threads") {
    CHECK(sizes(ChunkScheme::Static, 100, 4) == expand({25, 4}));
    CHECK(sizes(ChunkScheme::SelfScheduling, 100, 4) == expand({1, 100}));
    // ceil(R / 4) of 100 75 56 42 31 23 17 12 9 6 4 3 2 1
    CHECK(sizes(ChunkScheme::Guided, 100, 4)
          == Sizes{25, 19, 14, 11, 8, 6, 5, 3, 3, 2, 1, 1, 1, 1});
    // K0 = ceil(100 / 8) = 13, S = ceil(200 / 14) = 15, step floor(12 / 14) = 0
    CHECK(sizes(ChunkScheme::Trapezoid, 100, 4) == expand({13, 7, 9, 1}));
    // ceil(R / 8) of 100 48 24 12 4
    CHECK(sizes(ChunkScheme::Factoring, 100, 4) == expand({13, 4, 6, 4, 3, 4, 2, 4, 1, 4}));
    CHECK(sizes(ChunkScheme::TrapezoidFactoring, 100, 4) == expand({13, 7, 9, 1}));
    // K0 = 100 / (5 * 4) = 5, increase ceil(200 * (1 - 3/5) / (4 * 3 * 2)) = ceil(80 / 24) = 4
    CHECK(sizes(ChunkScheme::FixedIncrease, 100, 4) == expand({5, 4, 9, 4, 13, 3, 5, 1}));
    // 5, + 5 / 2, + 5 / 4, + 0
    CHECK(sizes(ChunkScheme::VariableIncrease, 100, 4) == expand({5, 4, 7, 4, 8, 6, 4, 1}));
    // half of them dealt, then ceil(R / 4) of 50 37 27 20 15 11 8 6 4 3 2 1
    CHECK(sizes(ChunkScheme::PerformanceLoop, 100, 4, 0.5)
          == Sizes{13, 13, 12, 12, 13, 10, 7, 5, 4, 3, 2, 2, 1, 1, 1, 1});
    // ceil(R / 6) of 100 83 69 57 47 39 32 26 21 17 14 11 9 7 5 4 3 2 1
    CHECK(sizes(ChunkScheme::Probabilistic, 100, 4)
          == Sizes{17, 14, 12, 10, 8, 7, 6, 5, 4, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1});
    // ln 2 * 103 / (4 ln (103 / 4)) = 71.39 / 12.99 = 5.49
    CHECK(sizes(ChunkScheme::ModifiedFixedSize, 100, 4) == expand({6, 16, 4, 1}));
    CHECK(sizes(ChunkScheme::ModifiedStatic, 100, 4) == expand({7, 4, 6, 12}));
}

TEST_CASE("chunk sizes as calculated by hand: other numbers") {
    CHECK(sizes(ChunkScheme::Static, 10, 4) == Sizes{3, 3, 2, 2});
    CHECK(sizes(ChunkScheme::Static, 2, 4) == Sizes{1, 1});
    CHECK(sizes(ChunkScheme::SelfScheduling, 4, 3) == Sizes{1, 1, 1, 1});
    CHECK(sizes(ChunkScheme::Guided, 10, 2) == Sizes{5, 3, 1, 1});
    CHECK(sizes(ChunkScheme::Guided, 5, 1) == Sizes{5});
    // K0 = 125, S = ceil(2000 / 126) = 16, step floor(124 / 15) = 8
    CHECK(sizes(ChunkScheme::Trapezoid, 1000, 4)
          == Sizes{125, 117, 109, 101, 93, 85, 77, 69, 61, 53, 45, 37, 28});
    // means of 125 117 109 101, 93 85 77 69, 61 53 45 37, 29 21 13 5
    CHECK(sizes(ChunkScheme::TrapezoidFactoring, 1000, 4)
          == expand({113, 4, 81, 4, 49, 4, 17, 1, 11, 1}));
    // B = 2: K0 = 100 / 16 = 6, increase ceil(200 * (1 - 2/4) / (4 * 2 * 1)) = ceil(12.5)
    CHECK(sizes(ChunkScheme::FixedIncrease, 100, 4, 2) == expand({6, 4, 19, 4}));
    CHECK(sizes(ChunkScheme::PerformanceLoop, 100, 4, 1) == expand({25, 4}));
    CHECK(sizes(ChunkScheme::PerformanceLoop, 3, 4, 0.5) == Sizes{1, 1, 1});
    CHECK(chunkSizes({ChunkScheme::Guided, 0, 10}, 100, 4) == Sizes{25, 19, 14, 11, 10, 10, 10, 1});
    CHECK(probabilisticSize(100, 1) == 67);
    CHECK(probabilisticSize(1, 8) == 1);
}

TEST_CASE("any number of instances and threads: all are handed out, none twice") {
    for (int scheme = 0; scheme < kSchemes; ++scheme) {
        for (unsigned threads = 1; threads <= 17; ++threads) {
            for (const std::uint64_t total : {0u, 1u, 2u, 3u, 7u, 16u, 100u, 101u, 1000u, 4099u}) {
                for (const double parameter : {0.0, 0.4, 5.0}) {
                    INFO("scheme " << scheme << ", " << total << " / " << threads);
                    const Sizes all =
                        sizes(static_cast<ChunkScheme>(scheme), total, threads, parameter);
                    CHECK(std::accumulate(all.begin(), all.end(), std::uint64_t{0}) == total);
                    CHECK(std::count(all.begin(), all.end(), 0u) == 0);
                }
            }
        }
    }
}

TEST_CASE("schemes fall or rise as they should") {
    for (unsigned threads = 1; threads <= 16; ++threads) {
        for (const std::uint64_t total : {50u, 100u, 999u, 20000u}) {
            for (const auto scheme :
                 {ChunkScheme::Static, ChunkScheme::Guided, ChunkScheme::Trapezoid,
                  ChunkScheme::Factoring, ChunkScheme::TrapezoidFactoring,
                  ChunkScheme::Probabilistic, ChunkScheme::ModifiedFixedSize,
                  ChunkScheme::ModifiedStatic}) {
                const Sizes all = sizes(scheme, total, threads);
                CHECK(std::is_sorted(all.rbegin(), all.rend()));
            }
            for (const auto scheme : {ChunkScheme::FixedIncrease, ChunkScheme::VariableIncrease}) {
                Sizes all = sizes(scheme, total, threads);
                all.pop_back();  // what was left
                CHECK(std::is_sorted(all.begin(), all.end()));
            }
        }
    }
}

TEST_CASE("mfsc has about as many chunks as factoring") {
    for (unsigned threads = 1; threads <= 32; threads *= 2) {
        for (const std::uint64_t total : {1000u, 20000u, 1000000u}) {
            const auto fixed =
                static_cast<double>(sizes(ChunkScheme::ModifiedFixedSize, total, threads).size());
            const auto factored =
                static_cast<double>(sizes(ChunkScheme::Factoring, total, threads).size());
            INFO(total << " / " << threads << ": " << fixed << " and " << factored);
            CHECK(fixed > 0.6 * factored);
            CHECK(fixed < 1.1 * factored);
        }
    }
}
