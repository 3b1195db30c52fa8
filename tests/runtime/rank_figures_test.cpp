#include "run/rank_figures.h"

#include <catch2/catch.hpp>

#include "test_models.h"

using namespace sme;
using namespace sme::test;

namespace {

using Levels = std::vector<RankFigures::Level>;

Levels levelsOn(const Model& model, unsigned ranks) {
    return levelsOf(model, planRanks(model, ranks).crossings, ranks);
}

bool shows(const std::string& text, const std::string& part) {
    INFO(text);
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("of what crosses, the rank with most counts", "[ranks]") {
    Ring ring(64);
    CHECK(levelsOn(ring.model(), 1).empty());
    CHECK(levelsOn(ring.model(), 4) == Levels{{1, 4}});
    // rank 0 sends to 1 at level 0, and both ways at level 1
    const std::vector<Crossing> crossings{{0, 0, 1, 0, 3, 2},
                                          {0, 0, 1, 0, 9, 1},
                                          {1, 0, 1, 0, 3, 1},
                                          {1, 1, 0, 0, 7, 5},
                                          {1, 1, 2, 0, 7, 5}};
    Model twoLevels = ring.model();
    twoLevels.levels = 2;
    CHECK(levelsOf(twoLevels, crossings, 3) == Levels{{1, 12}, {2, 40}});
}

TEST_CASE("one of many ranks is measured without the others", "[ranks]") {
    Ring ring(16384);
    RunOptions options;
    for (const unsigned ranks : {1u, 4u, 1024u}) {
        const RankFigures figures = measureRank(ring.model(), options, ranks);
        CHECK(figures.ranks == ranks);
        CHECK(figures.rank < ranks);
        CHECK(figures.processes == 16384 / ranks);
        CHECK(figures.received == (ranks > 1 ? 1 : 0));
        CHECK(figures.levels == (ranks > 1 ? Levels{{1, 4}} : Levels{}));
        CHECK_FALSE(figures.agrees);
        CHECK(figures.alone > 0);
        CHECK(figures.together > 0);
        CHECK(figures.beside < ranks);
    }
}

TEST_CASE("the link of the memory costs something", "[ranks]") {
    CHECK(measureMemoryLink().seconds > 0);
    CHECK(measureMemoryLink().secondsOfByte >= 0);
}

TEST_CASE("ranks: --report ranks:N says what a rank does, and runs nothing else", "[ranks]") {
    Ring ring(64);
    const Result result = simulate(ring.model(), {"--report", "ranks:4"});
    CHECK(result.status == 0);
    CHECK(result.err.empty());
    CHECK(shows(result.out, "\"ranks\": 4,\n"));
    CHECK(shows(result.out, "\"processes\": 16,\n"));
    CHECK(shows(result.out, "\"levels\": [{\"messages\": 1, \"bytes\": 4}],\n"));
    for (const char* each : {"alone", "together", "exchange", "few", "fewBytes", "byte"})
        CHECK(shows(result.out, std::string("\"") + each + "\": "));

    MixedPlan plan;
    const Mixed mixed(plan);
    CHECK(shows(simulate(mixed.raw, {"--report", "ranks:3"}).out, "\"agrees\": true"));
    plan.stopCycle = 11;
    const Result ended = simulate(Mixed(plan).raw, {"--report", "ranks:1"});
    CHECK(ended.status == 2);
    CHECK(shows(ended.err,
                "rank 0 of 1, alone, ends after cycle 11, so that what it does cannot be"));

    const Result wrong = simulate(ring.model(), {"--report", "ranks:4", "--checksum"});
    CHECK(wrong.status == 2);
    CHECK(shows(wrong.err, "--checksum does not go with --report ranks:N"));
    for (const char* bad : {"ranks", "ranks:0", "ranks:1025", "ranks:x"})
        CHECK(shows(simulate(ring.model(), {"--report", bad}).err,
                    "--report takes a number of ranks from 1 to 1024 after ranks:, not"));
}
