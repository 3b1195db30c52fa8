#include <catch2/catch.hpp>

#include <tuple>

#include "ir/reader_graph.h"

using namespace smec::ir;

namespace {

using Numbers = std::vector<std::uint32_t>;

Numbers of(std::span<const std::uint32_t> classes) { return {classes.begin(), classes.end()}; }

std::vector<Numbers> of(const smec::NodeLists& components) {
    std::vector<Numbers> result;
    components.forEach(
        [&](std::span<const std::uint32_t> classes) { result.push_back(of(classes)); });
    return result;
}

/// A class of four instances with one output; its plane has the same number.
std::uint32_t add(Design& design, bool isCombinational) {
    const auto number = static_cast<std::uint32_t>(design.classes.size());
    Plane plane;
    plane.kind = PlaneKind::Output;
    plane.owner = {number};
    plane.instances = 4;
    plane.combinational = isCombinational;
    design.planes.push_back(plane);
    Class cls;
    cls.instances = 4;
    cls.combinational = isCombinational;
    design.classes.push_back(std::move(cls));
    return number;
}

void connect(Design& design, std::uint32_t reader, Run run) {
    Input input;
    input.elements.push_back({{run}});
    design.classes[reader].inputs.push_back(std::move(input));
}

}  // namespace

TEST_CASE("reader graph: sources, readers, levels and components of classes") {
    Design design;
    const std::uint32_t clocked = add(design, false);
    const std::uint32_t last = add(design, true), first = add(design, true);
    connect(design, first, {0, 4, {clocked}, 0, 1});  // of the cycle before: no edge
    connect(design, last, {0, 4, {first}, 0, 1});
    connect(design, last, {0, 4, {first}, 3, -1});
    connect(design, clocked, {0, 4, {last}, 0, 1});
    const ReaderGraph graph(design);
    CHECK(of(graph.sourcesOf(last)) == Numbers{first});
    CHECK(graph.sourcesOf(first).empty());
    CHECK(graph.sourcesOf(clocked).empty());
    CHECK(of(graph.readersOf(first)) == Numbers{last});
    CHECK(of(graph.readersOf(last)) == Numbers{clocked});
    CHECK(graph.levels() == Numbers{0, 1, 0});
    CHECK(of(graph.components()) == std::vector<Numbers>{{first}, {last}});
}

TEST_CASE("reader graph: classes that depend on one another are one component") {
    Design design;
    const std::uint32_t a = add(design, true), b = add(design, true), c = add(design, true);
    connect(design, a, {1, 3, {b}, 0, 1});
    connect(design, b, {0, 4, {a}, 0, 1});
    connect(design, c, {0, 4, {b}, 0, 1});
    const ReaderGraph graph(design);
    CHECK(of(graph.components()) == std::vector<Numbers>{{a, b}, {c}});
    CHECK(graph.isCyclic(Numbers{a, b}));
    CHECK_FALSE(graph.isCyclic(Numbers{c}));
    CHECK(graph.levels() == Numbers(3, smec::kEndless));
}

TEST_CASE("reader graph: a read names the instances at both ends") {
    Design design;
    const std::uint32_t writer = add(design, false), reader = add(design, false);
    design.planes[writer].perOwner = 2;
    Plane constant;
    constant.kind = PlaneKind::Undriven;
    design.planes.push_back(constant);
    connect(design, reader, {0, 4, {2}, 0, 0});  // nobody drives it
    connect(design, reader, {0, 4, {writer}, 7, -2});
    std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> reads;
    forEachRead(design, reader, [&](const Read& read) {
        CHECK_FALSE(read.isInSameCycle());
        reads.push_back({read.writer, read.reader, read.input});
        CHECK(read.source(0) == 3);
        CHECK(read.source(3) == 0);
    });
    CHECK(reads.size() == 1);
    CHECK(reads.front() == std::tuple(writer, reader, 1u));
}
