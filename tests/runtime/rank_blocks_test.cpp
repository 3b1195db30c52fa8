// Grids that are found in what processes read, and blocks of them for ranks.

#include "schedule/rank_blocks.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>

#include "engine/block_cuts.h"
#include "engine/rank_plan.h"
#include "grids.h"
#include "test_models.h"

using namespace sme;
using namespace sme::test;

namespace {

/// By instance, its rank.
std::vector<unsigned> ranksIn(const RankShares& shares, std::uint32_t work) {
    std::vector<unsigned> ranks;
    shares.forEach(work, [&](InstanceRange range, unsigned rank) {
        REQUIRE(range.begin == ranks.size());
        ranks.resize(range.end, rank);
    });
    return ranks;
}

std::vector<std::uint64_t> bytesSent(const Model& model, const RankPlan& plan) {
    std::vector<std::uint64_t> bytes(plan.shares.ranks());
    for (const Crossing& each : plan.crossings)
        bytes[each.from] += each.count * model.types[model.planes[each.plane].type].bytes;
    return bytes;
}

std::uint64_t mostSent(const Model& model, const RankShares& shares) {
    return std::ranges::max(bytesSent(model, planOf(model, shares)));
}

}  // namespace

TEST_CASE("the grid of a torus is found in what its processes read", "[ranks]") {
    GridModel torus({{12, 7}});
    const std::vector<IndexSpace> spaces = indexSpacesOf(torus.model());
    REQUIRE(spaces.size() == 1);
    CHECK(spaces[0].works == std::vector<std::uint32_t>{0});
    CHECK(spaces[0].first == 0);
    CHECK(spaces[0].end == 84);
    CHECK(spaces[0].pitches == std::vector<std::uint32_t>{7});
    REQUIRE(spaces[0].reads.size() == 2);
    CHECK(spaces[0].reads[1].distance == 7);
    // four bytes from above and below, but for the first and the last row
    CHECK(spaces[0].reads[1].bytes == Approx(8 * 11. / 12));
    CHECK(spaces[0].reads[0].bytes == Approx(8 * 6. / 7));
}

TEST_CASE("a grid has three dimensions at most", "[ranks]") {
    GridModel many({{4, 4, 4, 4, 4, 4}});
    const std::vector<IndexSpace> spaces = indexSpacesOf(many.model());
    REQUIRE(spaces.size() == 1);
    CHECK(spaces[0].pitches == std::vector<std::uint32_t>{4, 16});
    const RankPlan plan = planRanks(many.model(), 64);  // in no time
    CHECK(plan.shares.ranks() == 64);
}

TEST_CASE("grids of three dimensions, of two sizes and of several kinds are found", "[ranks]") {
    GridModel cube({{6, 5, 8}});
    REQUIRE(indexSpacesOf(cube.model()).size() == 1);
    CHECK(indexSpacesOf(cube.model())[0].pitches == std::vector<std::uint32_t>{8, 40});

    GridModel two({{12, 7}, {20, 16}});
    const std::vector<IndexSpace> spaces = indexSpacesOf(two.model());
    REQUIRE(spaces.size() == 2);
    CHECK(spaces[0].end == 84);
    CHECK(spaces[0].pitches == std::vector<std::uint32_t>{7});
    CHECK(spaces[1].first == 84);
    CHECK(spaces[1].end == 84 + 320);
    CHECK(spaces[1].pitches == std::vector<std::uint32_t>{16});

    GridModel kinds({{12, 7}}, 2);
    REQUIRE(indexSpacesOf(kinds.model()).size() == 1);
    CHECK(indexSpacesOf(kinds.model())[0].works == std::vector<std::uint32_t>{0, 1});
}

TEST_CASE("a ring and processes that stand apart are no grid", "[ranks]") {
    Ring ring(1'000);
    CHECK(indexSpacesOf(ring.model()).empty());
    CHECK(blockCutsOf(ring.model(), 4).empty());
}

TEST_CASE("a grid is cut into a block for each rank", "[ranks]") {
    GridModel grid({{4, 6}}, 1, 1);
    IndexSpace space = indexSpacesOf(grid.model()).at(0);
    const std::vector<unsigned> wanted{0, 0, 0, 1, 1, 1,  // 5 ranks in two bands
                                       0, 0, 0, 1, 1, 1,  //
                                       2, 2, 3, 3, 4, 4,  //
                                       2, 2, 3, 3, 4, 4};
    // two of five ranks have two fifths of the rows: 1
    std::vector<unsigned> got = ranksIn(sharesOfBlocks(grid.model(), 5, {{space, {2}}}), 0);
    CHECK(std::vector(got.begin(), got.begin() + 6) == std::vector<unsigned>{0, 0, 0, 1, 1, 1});
    CHECK(std::vector(got.end() - 12, got.end())
          == std::vector<unsigned>(wanted.end() - 12, wanted.end()));
    got = ranksIn(sharesOfBlocks(grid.model(), 3, {{space, {1}}}), 0);
    for (std::size_t i = 0; i < got.size(); ++i)
        CHECK(got[i] == i % 6 / 2);
}

TEST_CASE("borders of blocks are legal places of each row", "[ranks]") {
    GridModel grid({{10, 37}}, 1, 8);
    const IndexSpace space = indexSpacesOf(grid.model()).at(0);
    const RankShares shares = sharesOfBlocks(grid.model(), 4, {{space, {2}}});
    const std::span pieces = shares.of(0);
    CHECK(pieces.size() > 10);
    for (const RankShares::Piece& piece : pieces)
        CHECK((piece.end % 8 == 0 || piece.end == 370));
    CHECK(pieces.back().end == 370);
}

TEST_CASE("all instances have a rank, and no block is much larger than others", "[ranks]") {
    const std::vector<std::vector<std::uint32_t>> shapes{
        {64, 64}, {61, 83}, {30, 200}, {16, 12, 20}};
    for (const auto& shape : shapes) {
        GridModel grid({shape}, 1, 1);
        for (const unsigned ranks : {2u, 3u, 4u, 6u, 7u, 8u, 13u, 16u}) {
            const auto cuts = blockCutsOf(grid.model(), ranks, true);
            const RankShares shares = sharesOfBlocks(grid.model(), ranks, cuts);
            std::vector<std::uint32_t> sizes(ranks);
            for (const unsigned rank : ranksIn(shares, 0))
                ++sizes.at(rank);
            const double mean = static_cast<double>(grid.count()) / ranks;
            CHECK(std::ranges::max(sizes) < 1.2 * mean);
        }
    }
}

TEST_CASE("blocks send less than rows where a rank has many", "[ranks]") {
    GridModel grid({{256, 256}});
    const Model& model = grid.model();
    const IndexSpace space = indexSpacesOf(model).at(0);
    CHECK(mostSent(model, sharesOfLists(model, 16)) == 2 * 256 * 4);
    CHECK(mostSent(model, sharesOfBlocks(model, 16, {{space, {4}}})) == 4 * 64 * 4);
    CHECK(mostSent(model, sharesOfBlocks(model, 8, {{space, {4}}})) == 2 * (128 + 64) * 4);

    GridModel cube({{64, 64, 64}}, 1, 1);
    const IndexSpace places = indexSpacesOf(cube.model()).at(0);
    CHECK(mostSent(cube.model(), sharesOfLists(cube.model(), 8)) == 2 * 4'096 * 4);
    CHECK(mostSent(cube.model(), sharesOfBlocks(cube.model(), 8, {{places, {2, 2}}}))
          == 3 * 2 * 1'024 * 4);
}

TEST_CASE("blocks are taken where what they save is more than what they cost", "[ranks]") {
    // dear cells of 64 bytes: what crosses is what counts
    GridModel wide({{512, 512}}, 1, 1, 16);
    CHECK(planRanks(wide.model(), 64).shares.of(0).size() > 512);
    // cells of 4 bytes, of which rows are short and calls of a kernel many
    GridModel narrow({{128, 128}});
    CHECK(planRanks(narrow.model(), 4).shares.of(0).size() == 4);
    CHECK(planRanks(narrow.model(), 4, CutWay::Blocks).shares.of(0).size() > 4);
    CHECK(planRanks(wide.model(), 64, CutWay::Lists).shares.of(0).size() == 64);
}

TEST_CASE("blocks that waste memory are left out", "[ranks]") {
    // 4 ranks have 16 MiB each; in two bands 1,024 stretches of 2 KiB, twice, have a page more each
    GridModel large({{2'048, 2'048}});
    const auto cuts = blockCutsOf(large.model(), 64);
    REQUIRE(cuts.size() == 1);
    const RankShares shares = sharesOfBlocks(large.model(), 64, cuts);
    std::vector<std::uint32_t> pieces(64);
    for (const RankShares::Piece& piece : shares.of(0))
        ++pieces[piece.rank];
    CHECK(std::ranges::max(pieces) * 2 * 4'096 <= 2 << 20);
}
