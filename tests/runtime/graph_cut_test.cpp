// Cuts of graphs by moves and swaps, and of designs by what their works read of one another.

#include "schedule/graph_cut.h"

#include <catch2/catch.hpp>

#include <algorithm>

#include "engine/rank_plan.h"
#include "engine/work_cut.h"
#include "test_models.h"

using namespace sme;
using namespace sme::test;

namespace {

std::vector<double> loadsOf(const CutGraph& graph, const std::vector<unsigned>& partOf,
                            unsigned parts) {
    std::vector<double> loads(parts);
    for (std::size_t i = 0; i < partOf.size(); ++i)
        loads[partOf[i]] += graph.vertices[i].cost;
    return loads;
}

/// Groups of equally many vertices, each in a chain, numbered one of each group in turn.
CutGraph chains(std::uint32_t groups, std::uint32_t each) {
    CutGraph graph;
    for (std::uint32_t i = 0; i < groups * each; ++i) {
        graph.vertices.push_back({1, 0});
        if (i >= groups) graph.edges.push_back({i - groups, i, 4});
    }
    return graph;
}

/// A grid that is closed, in any order.
CutGraph mixedTorus(std::uint32_t side) {
    const std::uint32_t count = side * side;
    const auto place = [&](std::uint32_t row, std::uint32_t column) {
        return (row % side * side + column % side) * 1'009 % count;
    };
    CutGraph graph{std::vector<CutGraph::Vertex>(count, {1, 0}), {}};
    for (std::uint32_t row = 0; row < side; ++row) {
        for (std::uint32_t column = 0; column < side; ++column) {
            graph.edges.push_back({place(row, column), place(row + 1, column), 4});
            graph.edges.push_back({place(row, column), place(row, column + 1), 4});
        }
    }
    return graph;
}

/// `count` kinds of one process each, of which each reads the one `stride` further on.
class Kinds : public ModelBuilder {
public:
    Kinds(std::uint32_t count, std::uint32_t stride) {
        const std::uint32_t u32 = integer(false, 32);
        const Instances nothing = [](const Thread&, const Slots&, std::uint32_t, std::uint32_t) {};
        for (std::uint32_t i = 0; i < count; ++i)
            writes(process("p", nothing, 1, 1, 100, 0, i, 1), plane(Home::TwoSlots, u32, 1));
        for (std::uint32_t i = 0; i + stride < count; ++i)
            reads({i, 0, 1, i + stride, 0, 0});
    }
};

}  // namespace

TEST_CASE("vertices are swapped where none can move", "[ranks]") {
    const CutGraph graph{{{1, 0}, {1, 0}, {1, 0}, {1, 0}}, {{0, 2, 8}, {1, 3, 8}}};
    const std::vector<unsigned> parts = improveCut(graph, {0, 0, 1, 1}, 2);
    CHECK(bytesCut(graph, parts) == 0);
    CHECK(loadsOf(graph, parts, 2) == std::vector<double>{2, 2});
}

TEST_CASE("a cut gets better, and no part dearer than the limit", "[ranks]") {
    CutGraph graph;  // pairs, which stand far apart
    for (std::uint32_t i = 0; i < 96; ++i) {
        graph.vertices.push_back({1, 0});
        if (i >= 48) graph.edges.push_back({i - 48, i, 4});
    }
    for (const unsigned parts : {2u, 3u, 4u, 8u}) {
        std::vector<unsigned> partOf(96);
        for (std::size_t i = 0; i < partOf.size(); ++i)
            partOf[i] = static_cast<unsigned>(i * parts / 96);
        const std::vector<unsigned> better = improveCut(graph, partOf, parts);
        CHECK(bytesCut(graph, partOf) >= 4 * 32);
        CHECK(bytesCut(graph, better) == 0);
        CHECK(std::ranges::max(loadsOf(graph, better, parts)) <= 1.03 * 96 / parts);
    }
}

TEST_CASE("parts grow along what is sent", "[ranks]") {
    for (const unsigned parts : {2u, 3u, 5u, 8u}) {
        const CutGraph graph = chains(parts, 24);
        const std::vector<unsigned> grown = cutGraph(graph, parts);
        CHECK(bytesCut(graph, grown) == 0);
        CHECK(loadsOf(graph, grown, parts) == std::vector<double>(parts, 24));
    }
    CHECK(cutGraph({}, 3).empty());
}

TEST_CASE("parts of a grid whose places have any numbers have short borders", "[ranks]") {
    constexpr std::uint32_t kSide = 48;
    const CutGraph graph = mixedTorus(kSide);
    const auto isGood = [&](unsigned parts, double border) {
        const std::vector<unsigned> partOf = cutGraph(graph, parts);
        CHECK(std::ranges::max(loadsOf(graph, partOf, parts)) <= 1.03 * kSide * kSide / parts);
        CHECK(bytesCut(graph, partOf) <= 4 * border);
        CHECK(mostCut(graph, partOf, parts) <= 4 * 1.5 * border * 2 / parts);
    };
    isGood(2, 1.25 * 2 * kSide);
    isGood(4, 1.25 * 4 * kSide);
    isGood(16, 1.25 * 8 * kSide);
}

TEST_CASE("parts that are too dear become even, by what that costs least", "[ranks]") {
    CutGraph graph;  // eight groups of eight
    for (std::uint32_t i = 0; i < 64; ++i) {
        graph.vertices.push_back({1, 0});
        for (std::uint32_t other = i / 8 * 8; other < i; ++other)
            graph.edges.push_back({other, i, 4});
    }
    for (const unsigned parts : {2u, 4u, 8u}) {
        const std::vector<unsigned> even = improveCut(graph, std::vector<unsigned>(64), parts);
        CHECK(loadsOf(graph, even, parts) == std::vector<double>(parts, 64. / parts));
        CHECK(bytesCut(graph, even) <= 8 * 28 * 4 / 4);  // of all
    }
}

TEST_CASE("levels are balanced by themselves", "[ranks]") {
    // all of level 1 would like to be on part 0
    CutGraph graph;
    for (std::uint32_t i = 0; i < 4; ++i)
        graph.vertices.push_back({1, i / 2});
    graph.edges = {{0, 2, 8}, {0, 3, 8}, {0, 1, 1}};
    const std::vector<unsigned> parts = improveCut(graph, {0, 1, 0, 1}, 2);
    CHECK(parts[2] != parts[3]);
    CHECK(parts[0] != parts[1]);
}

TEST_CASE("works that cannot be cut change ranks by what they read", "[ranks]") {
    Kinds kinds(64, 8);  // eight chains
    const Model& model = kinds.model();
    const auto crossing = [&](const RankShares& shares) {
        return planOf(model, shares).crossings.size();
    };
    const RankShares lists = sharesOfLists(model, 4);
    CHECK(crossing(lists) == 3 * 8);
    const std::vector<RankShares> cuts = graphCuts(model, lists);
    REQUIRE(cuts.size() == 2);
    for (const RankShares& better : cuts) {
        CHECK(crossing(better) <= 3 * 8);
        CHECK(std::ranges::max(costsOf(model, better)) == 1'600);
    }
    CHECK(crossing(cuts[1]) == 0);
    CHECK(planRanks(model, 4).crossings.size() == 0);
    CHECK(planRanks(model, 4, CutWay::Lists).crossings.size() == 3 * 8);
    Ring ring(1'000);
    CHECK(graphCuts(ring.model(), sharesOfLists(ring.model(), 2)).empty());
}
