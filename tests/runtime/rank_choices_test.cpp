// What is chosen for ranks by the environment, and ranks that chose other things.

#include "engine/rank_choices.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <string>

#include "engine/rank_plan.h"
#include "grids.h"
#include "output/error.h"
#include "test_models.h"

using namespace sme;
using namespace sme::test;

namespace {

/// With one variable; what is wrong with it, or nothing.
std::string problemOf(const char* variable, const char* value) {
    setenv(variable, value, 1);
    std::string problem;
    try {
        choicesOfEnvironment();
    } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::Usage);
        problem = error.what();
    }
    unsetenv(variable);
    return problem;
}

RankChoices with(const char* variable, const char* value) {
    setenv(variable, value, 1);
    const RankChoices choices = choicesOfEnvironment();
    unsetenv(variable);
    return choices;
}

}  // namespace

TEST_CASE("words of the environment choose how ranks work", "[ranks]") {
    const RankChoices none = choicesOfEnvironment();
    CHECK(none.cut == CutWay::Cheapest);
    CHECK(none.overlap == Overlap::WherePays);
    CHECK(!none.ahead);
    CHECK(with("SME_RANKS_CUT", "lists").cut == CutWay::Lists);
    CHECK(with("SME_RANKS_CUT", "each").cut == CutWay::Each);
    CHECK(with("SME_RANKS_CUT", "blocks").cut == CutWay::Blocks);
    CHECK(with("SME_RANKS_CUT", "graph").cut == CutWay::Graph);
    CHECK(with("SME_RANKS_CUT", "metis").cut == CutWay::Metis);
    CHECK(with("SME_RANKS_OVERLAP", "0").overlap == Overlap::Never);
    CHECK(with("SME_RANKS_OVERLAP", "1").overlap == Overlap::Always);
    CHECK(with("SME_RANKS_AHEAD", "0").ahead == 0u);
    CHECK(with("SME_RANKS_AHEAD", "20").ahead == 20u);
    CHECK(!with("SME_RANKS_AHEAD", "20").neverAhead);
    CHECK(with("SME_RANKS_AHEAD", "never").neverAhead);
    CHECK(!with("SME_RANKS_AHEAD", "never").ahead);
}

TEST_CASE("other words are refused, with what there is to choose", "[ranks]") {
    const std::string cuts = "SME_RANKS_CUT takes lists, each, blocks, graph or metis, not '";
    CHECK(problemOf("SME_RANKS_CUT", "rows") == cuts + "rows'");
    CHECK(problemOf("SME_RANKS_CUT", "") == cuts + "'");
    CHECK(problemOf("SME_RANKS_CUT", "Lists") == cuts + "Lists'");
    const std::string overlaps = "SME_RANKS_OVERLAP takes 0 or 1, not '";
    CHECK(problemOf("SME_RANKS_OVERLAP", "") == overlaps + "'");
    CHECK(problemOf("SME_RANKS_OVERLAP", "2") == overlaps + "2'");
    CHECK(problemOf("SME_RANKS_OVERLAP", "never") == overlaps + "never'");
    const std::string cycles = "SME_RANKS_AHEAD takes never or a whole number up to 20, not '";
    for (const std::string word : {"", "21", "-1", "2x", "4294967297"})
        CHECK(problemOf("SME_RANKS_AHEAD", word.c_str()) == cycles + word + "'");
}

TEST_CASE("shares that differ in a piece have another number", "[ranks]") {
    GridModel grid({{64, 64}});
    const Model& model = grid.model();
    const auto number = [&](CutWay way, unsigned ranks) {
        return numberOf(model, planRanks(model, ranks, way).shares);
    };
    CHECK(number(CutWay::Lists, 4) == number(CutWay::Lists, 4));
    CHECK(number(CutWay::Lists, 4) != number(CutWay::Lists, 3));
    CHECK(number(CutWay::Lists, 4) != number(CutWay::Blocks, 4));
    RankShares one(model, 2);
    one.give(0, 64, 0);
    one.give(0, 4'096, 1);
    RankShares other(model, 2);
    other.give(0, 128, 0);
    other.give(0, 4'096, 1);
    RankShares swapped(model, 2);
    swapped.give(0, 64, 1);
    swapped.give(0, 4'096, 0);
    CHECK(numberOf(model, one) != numberOf(model, other));
    CHECK(numberOf(model, one) != numberOf(model, swapped));
}
