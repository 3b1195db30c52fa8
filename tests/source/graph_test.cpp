#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "source/graph.h"

using namespace smec;

namespace {

using Numbers = std::vector<std::uint32_t>;

Numbers of(std::span<const std::uint32_t> nodes) { return {nodes.begin(), nodes.end()}; }

std::vector<Numbers> of(const NodeLists& lists) {
    std::vector<Numbers> result;
    lists.forEach([&](std::span<const std::uint32_t> list) { result.push_back(of(list)); });
    return result;
}

Numbers targets(const Graph& graph, std::uint32_t node) { return of(graph[node]); }

/// Small, with self-edges and edges given twice; every third one without cycles.
struct Random {
    explicit Random(std::uint32_t seed) : engine(seed), nodes(upTo(9)) {
        const std::uint32_t count = nodes == 0 ? 0 : upTo(2 * nodes);
        for (std::uint32_t i = 0; i < count; ++i) {
            Edge edge{upTo(nodes - 1), upTo(nodes - 1)};
            if (seed % 3 == 0 && edge.from == edge.to) continue;
            if (seed % 3 == 0 && edge.from < edge.to) std::swap(edge.from, edge.to);
            edges.push_back(edge);
        }
    }
    std::uint32_t upTo(std::uint32_t most) {
        return static_cast<std::uint32_t>(engine() % (most + 1));
    }

    std::mt19937 engine;
    std::uint32_t nodes;
    std::vector<Edge> edges;
};

/// reaches[a][b]: over one edge or more.
std::vector<std::vector<bool>> closure(const Random& random) {
    std::vector<std::vector<bool>> reaches(random.nodes, std::vector<bool>(random.nodes));
    for (const Edge& edge : random.edges)
        reaches[edge.from][edge.to] = true;
    for (std::uint32_t via = 0; via < random.nodes; ++via)
        for (std::uint32_t from = 0; from < random.nodes; ++from)
            for (std::uint32_t to = 0; to < random.nodes; ++to)
                if (reaches[from][via] && reaches[via][to]) reaches[from][to] = true;
    return reaches;
}

Numbers all(std::uint32_t nodes) {
    Numbers numbers(nodes);
    std::iota(numbers.begin(), numbers.end(), 0U);
    return numbers;
}

constexpr std::uint32_t kGraphs = 3000;
constexpr std::uint32_t kLong = 1'000'000;

Graph chain() {
    std::vector<Edge> edges;
    for (std::uint32_t i = 0; i + 1 < kLong; ++i)
        edges.push_back({i, i + 1});
    return {kLong, edges};
}

}  // namespace

TEST_CASE("graph: edges of a node stay in the order in which they were given") {
    const std::vector<Edge> edges{{2, 1}, {0, 2}, {2, 2}, {0, 1}, {2, 1}, {2, 0}};
    Graph graph(4, edges);
    REQUIRE(graph.size() == 4);
    CHECK(targets(graph, 0) == Numbers{2, 1});
    CHECK(targets(graph, 1).empty());
    CHECK(targets(graph, 2) == Numbers{1, 2, 1, 0});
    CHECK(targets(graph, 3).empty());
    graph.add(Numbers{3, 4});
    CHECK(targets(graph, 4) == Numbers{3, 4});
    CHECK(Graph().size() == 0);
    CHECK(Graph(0, {}).size() == 0);
}

TEST_CASE("graph: nothing comes of nothing") {
    const Graph empty;
    CHECK(componentsOf(empty).size() == 0);
    CHECK(topologicalOrder(empty, Ties::Lowest).empty());
    CHECK(topologicalOrder(empty, Ties::Latest).empty());
    CHECK(postorder(empty, {}).nodes.empty());
    CHECK(longestPaths(empty).empty());
}

TEST_CASE("components: ties go by the first node, then by the order of edges") {
    CHECK(of(componentsOf({{1}, {0, 2}, {}, {1, 3}})) == std::vector<Numbers>{{2}, {0, 1}, {3}});
    CHECK(of(componentsOf({{3, 1}, {}, {}, {}})) == std::vector<Numbers>{{3}, {1}, {0}, {2}});
    CHECK(of(componentsOf({{1, 3}, {}, {}, {}})) == std::vector<Numbers>{{1}, {3}, {0}, {2}});
    const Graph graph{{0}, {2, 2}, {}};
    CHECK(isCyclic(graph, Numbers{0}));
    CHECK(!isCyclic(graph, Numbers{1}));
    CHECK(!isCyclic(graph, Numbers{2}));
    CHECK(isCyclic(graph, Numbers{1, 2}));
}

TEST_CASE("components: as reachability says, in random graphs") {
    for (std::uint32_t seed = 0; seed < kGraphs; ++seed) {
        INFO("seed " << seed);
        const Random random(seed);
        const auto reaches = closure(random);
        const Graph graph(random.nodes, random.edges);
        Numbers place(random.nodes, UINT32_MAX);
        const std::vector<Numbers> found = of(componentsOf(graph));
        for (std::uint32_t i = 0; i < found.size(); ++i) {
            REQUIRE(std::ranges::is_sorted(found[i]));
            REQUIRE(isCyclic(graph, found[i]) == reaches[found[i].front()][found[i].front()]);
            for (const std::uint32_t node : found[i]) {
                REQUIRE(place[node] == UINT32_MAX);
                place[node] = i;
            }
        }
        REQUIRE(std::ranges::count(place, UINT32_MAX) == 0);
        for (std::uint32_t a = 0; a < random.nodes; ++a)
            for (std::uint32_t b = 0; b < random.nodes; ++b) {
                const bool areOne = a == b || (reaches[a][b] && reaches[b][a]);
                REQUIRE((place[a] == place[b]) == areOne);
                if (reaches[a][b]) REQUIRE(place[b] <= place[a]);
            }
    }
}

TEST_CASE("topological order: ties go by number, or to what became free last") {
    const Graph graph{{3}, {4, 5}, {}, {}, {}, {}};
    CHECK(topologicalOrder(graph, Ties::Lowest) == Numbers{0, 1, 2, 3, 4, 5});
    CHECK(topologicalOrder(graph, Ties::Latest) == Numbers{2, 1, 5, 4, 0, 3});
    CHECK(topologicalOrder({{}, {5, 4}, {}, {}, {}, {}}, Ties::Latest)
          == Numbers{3, 2, 1, 4, 5, 0});
    CHECK(topologicalOrder({{}, {0}, {0, 0}}, Ties::Lowest) == Numbers{1, 2, 0});
    // 1 points to itself, 2 is behind it
    CHECK(topologicalOrder({{}, {1, 2}, {}}, Ties::Lowest) == Numbers{0});
    CHECK(topologicalOrder({{}, {1, 2}, {}}, Ties::Latest) == Numbers{0});
}

TEST_CASE("topological order: as the smallest of what is free says, in random graphs") {
    for (std::uint32_t seed = 0; seed < kGraphs; ++seed) {
        INFO("seed " << seed);
        const Random random(seed);
        std::vector<Edge> left = random.edges;
        Numbers expected, waiting = all(random.nodes);
        for (;;) {
            const auto next = std::ranges::find_if(waiting, [&](std::uint32_t node) {
                return std::ranges::find(left, node, &Edge::to) == left.end();
            });
            if (next == waiting.end()) break;
            std::erase_if(left, [&](const Edge& edge) { return edge.from == *next; });
            expected.push_back(*next);
            waiting.erase(next);
        }
        const Graph graph(random.nodes, random.edges);
        REQUIRE(topologicalOrder(graph, Ties::Lowest) == expected);

        Numbers latest = topologicalOrder(graph, Ties::Latest);
        for (const Edge& edge : random.edges) {
            const auto from = std::ranges::find(latest, edge.from);
            const auto to = std::ranges::find(latest, edge.to);
            REQUIRE((to == latest.end() || from < to));
        }
        std::ranges::sort(latest);
        std::ranges::sort(expected);
        REQUIRE(latest == expected);
    }
}

TEST_CASE("postorder: roots and edges as they are given, each node once") {
    const Graph graph{{2, 1}, {3}, {3}, {}, {0}};
    CHECK(postorder(graph, Numbers{0}).nodes == Numbers{3, 2, 1, 0});
    CHECK(postorder(graph, Numbers{1, 0, 1}).nodes == Numbers{3, 1, 2, 0});
    CHECK(postorder(graph, Numbers{4}).nodes == Numbers{3, 2, 1, 0, 4});
    CHECK(postorder(graph, Numbers{4}).isAcyclic);
    const Postorder circle = postorder({{1}, {2, 0}, {}}, Numbers{0});
    CHECK(circle.nodes == Numbers{2, 1, 0});
    CHECK(!circle.isAcyclic);
    CHECK(!postorder({{0}}, Numbers{0}).isAcyclic);
    CHECK(postorder({{}, {1}}, Numbers{0}).isAcyclic);  // the cycle is not reached
}

TEST_CASE("postorder: behind all that is pointed to, in random graphs") {
    for (std::uint32_t seed = 0; seed < kGraphs; ++seed) {
        INFO("seed " << seed);
        Random random(seed);
        const auto reaches = closure(random);
        const Graph graph(random.nodes, random.edges);
        if (random.nodes == 0) continue;
        const std::uint32_t root = random.upTo(random.nodes - 1);
        const Postorder found = postorder(graph, Numbers{root});
        bool isAcyclic = true, isBehind = true;
        for (std::uint32_t node = 0; node < random.nodes; ++node) {
            const bool isReached = node == root || reaches[root][node];
            REQUIRE(std::ranges::count(found.nodes, node) == (isReached ? 1 : 0));
            isAcyclic = isAcyclic && !(isReached && reaches[node][node]);
        }
        for (const Edge& edge : random.edges) {
            const auto from = std::ranges::find(found.nodes, edge.from);
            if (from == found.nodes.end()) continue;
            isBehind = isBehind && std::ranges::find(found.nodes, edge.to) < from;
        }
        REQUIRE(found.isAcyclic == isAcyclic);
        REQUIRE(found.isAcyclic == isBehind);
    }
}

TEST_CASE("longest paths: edges given twice count once, cycles are endless") {
    CHECK(longestPaths({{1, 2}, {2, 2}, {}}) == Numbers{0, 1, 2});
    CHECK(longestPaths({{1}, {1, 2}, {}}) == Numbers{0, kEndless, kEndless});
}

TEST_CASE("longest paths: as relaxing all edges says, in random graphs") {
    for (std::uint32_t seed = 0; seed < kGraphs; ++seed) {
        INFO("seed " << seed);
        const Random random(seed);
        const auto reaches = closure(random);
        Numbers expected(random.nodes, 0);
        for (std::uint32_t round = 0; round < random.nodes; ++round)
            for (const Edge& edge : random.edges)
                expected[edge.to] = std::max(expected[edge.to], expected[edge.from] + 1);
        for (std::uint32_t node = 0; node < random.nodes; ++node)
            for (std::uint32_t from = 0; from < random.nodes; ++from)
                if (reaches[from][from] && (from == node || reaches[from][node]))
                    expected[node] = kEndless;
        REQUIRE(longestPaths({random.nodes, random.edges}) == expected);
    }
}

TEST_CASE("graph: a million nodes in a chain") {
    const Graph graph = chain();
    const NodeLists components = componentsOf(graph);
    REQUIRE(components.size() == kLong);
    CHECK(of(components[0]) == Numbers{kLong - 1});
    CHECK(topologicalOrder(graph, Ties::Lowest) == all(kLong));
    CHECK(topologicalOrder(graph, Ties::Latest) == all(kLong));
    const Postorder order = postorder(graph, Numbers{0});
    CHECK(order.isAcyclic);
    CHECK(order.nodes.size() == kLong);
    CHECK(order.nodes.front() == kLong - 1);
    CHECK(longestPaths(graph) == all(kLong));
}

TEST_CASE("free nodes: in the order of edges, behind the last that points to them") {
    const Graph graph{{2, 1, 2}, {2}, {}};
    FreeNodes free(graph);
    CHECK(free.has(0));
    CHECK(!free.has(1));
    Numbers freed;
    const auto note = [&](std::uint32_t node) { freed.push_back(node); };
    free.take(0, note);
    CHECK(freed == Numbers{1});
    free.take(1, note);
    CHECK(freed == Numbers{1, 2});
}
