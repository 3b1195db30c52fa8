// Cuts of graphs by METIS, where the system has it.

#include "schedule/metis.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <vector>

#include "engine/rank_plan.h"
#include "engine/work_cut.h"
#include "test_models.h"

using namespace sme;
using namespace sme::test;

namespace {

/// Of as many levels, each closed: a vertex has to do with the next one and with one `stride` further on.
CutGraph rings(std::uint32_t levels, std::uint32_t count, std::uint32_t stride) {
    CutGraph graph;
    for (std::uint32_t level = 0; level < levels; ++level) {
        const std::uint32_t first = level * count;
        for (std::uint32_t i = 0; i < count; ++i) {
            graph.vertices.push_back({1.0 + i % 3, level});
            graph.edges.push_back({first + i, first + (i + 1) % count, 8});
            graph.edges.push_back({first + i, first + (i + stride) % count, 1});
        }
    }
    return graph;
}

/// By level, of the dearest part, by the mean of all parts.
std::vector<double> unevennessOf(const CutGraph& graph, const std::vector<unsigned>& partOf,
                                 unsigned parts, std::uint32_t levels) {
    std::vector<double> uneven;
    for (std::uint32_t level = 0; level < levels; ++level) {
        std::vector<double> loads(parts);
        double sum = 0;
        for (std::size_t i = 0; i < partOf.size(); ++i) {
            if (graph.vertices[i].level != level) continue;
            loads[partOf[i]] += graph.vertices[i].cost;
            sum += graph.vertices[i].cost;
        }
        uneven.push_back(std::ranges::max(loads) * parts / sum);
    }
    return uneven;
}

const Metis* metisHere() {
    const Metis* const metis = Metis::find();
    if (!metis) WARN(Metis::problem());
    return metis;
}

void noticed(int) {}

/// Works that cannot be cut, each of which reads `most` others, every one in `stride`.
class Wholes : public ModelBuilder {
public:
    Wholes(std::uint32_t count, std::uint32_t stride, std::uint32_t most) {
        const std::uint32_t u32 = integer(false, 32);
        const Instances nothing = [](const Thread&, const Slots&, std::uint32_t, std::uint32_t) {};
        for (std::uint32_t i = 0; i < count; ++i)
            writes(process("p", nothing, 1, 1, 100, 0, i, 1), plane(Home::TwoSlots, u32, 1));
        for (std::uint32_t i = 0; i < count; ++i)
            for (std::uint32_t other = i + stride; other < count && other <= i + stride * most;
                 other += stride)
                reads({i, 0, 1, other, 0, 0});
    }
};

}  // namespace

TEST_CASE("METIS cuts graphs into even parts that little crosses between, always alike",
          "[ranks]") {
    const Metis* const metis = metisHere();
    if (!metis) return;
    for (const std::uint32_t levels : {1u, 2u}) {
        const CutGraph graph = rings(levels, 600, 3);
        for (const unsigned parts : {2u, 3u, 8u}) {
            const std::vector<unsigned> partOf = metis->cut(graph, parts);
            REQUIRE(partOf.size() == graph.vertices.size());
            CHECK(std::ranges::max(partOf) == parts - 1);
            CHECK(std::ranges::max(unevennessOf(graph, partOf, parts, levels)) <= 1.031);
            // one stretch of a ring for each part: 8 and three times 1 at each of its ends
            CHECK(bytesCut(graph, partOf) <= 2.0 * levels * parts * (8 + 3));
            CHECK(metis->cut(graph, parts) == partOf);
        }
    }
}

TEST_CASE("METIS is not asked for parts without vertices, nor with many levels", "[ranks]") {
    const Metis* const metis = metisHere();
    if (!metis) return;
    CHECK(metis->cut({}, 3).empty());
    CHECK(metis->cut(rings(1, 4, 1), 1) == std::vector<unsigned>(4, 0));
    CHECK(std::ranges::max(metis->cut(rings(1, 4, 2), 8)) < 8);
    const CutGraph many = rings(5, 60, 3);
    CHECK(metis->cut(many, 4) == cutGraph(many, 4));
}

TEST_CASE("METIS leaves numbers by chance and signals as they were", "[ranks]") {
    const Metis* const metis = metisHere();
    if (!metis) return;
    std::srand(5);
    const int first = std::rand();
    const int second = std::rand();
    std::srand(5);
    CHECK(std::rand() == first);
    struct sigaction own {};
    own.sa_handler = noticed;
    own.sa_flags = SA_RESTART;
    struct sigaction before {};
    sigaction(SIGTERM, &own, &before);
    metis->cut(rings(1, 500, 7), 5);
    CHECK(std::rand() == second);
    struct sigaction after {};
    sigaction(SIGTERM, &before, &after);
    CHECK(after.sa_handler == noticed);
    CHECK((after.sa_flags & SA_RESTART) != 0);
    CHECK((after.sa_flags & static_cast<int>(SA_RESETHAND)) == 0);
}

TEST_CASE("libraries that are none of METIS are told", "[ranks]") {
    std::string problem;
    CHECK(!Metis::load("libmetis_that_is_not_there.so.5", problem));
    CHECK(problem.find("libmetis_that_is_not_there.so.5") != std::string::npos);
    CHECK(!Metis::load("libc.so.6", problem));
    CHECK(problem == "libc.so.6 does not cut a graph as METIS 5 does");
}

TEST_CASE("METIS cuts designs for ranks where that is asked for, and where they are large",
          "[ranks]") {
    const Metis* const metis = metisHere();
    if (!metis) return;
    const auto isByMetis = [&](const Model& model) {
        const RankShares lists = sharesOfLists(model, 4);
        const auto number = [&](const std::vector<RankShares>& cuts) {
            return numberOf(model, cuts.back());
        };
        const std::vector<RankShares> forced = graphCuts(model, lists, CutWay::Metis, metis);
        CHECK(forced.size() == 1);
        const std::vector<RankShares> own = graphCuts(model, lists, CutWay::Graph, metis);
        CHECK(number(own) == number(graphCuts(model, lists, CutWay::Cheapest)));
        REQUIRE(number(own) != number(forced));
        return number(graphCuts(model, lists, CutWay::Cheapest, metis)) == number(forced);
    };
    Wholes chains(64, 8, 1);
    CHECK(planOf(chains.model(), sharesOfLists(chains.model(), 4)).crossings.size() == 3 * 8);
    CHECK(planRanks(chains.model(), 4, CutWay::Metis, metis).crossings.size() == 0);
    CHECK(!isByMetis(chains.model()));
    CHECK(isByMetis(Wholes(400, 1, 80).model()));
}
