#include <catch2/catch.hpp>

#include "ir/canonical.h"

using namespace smec::ir;

namespace {

struct Words {
    std::vector<std::string> all;
    void word(std::uint64_t x) { all.push_back(std::to_string(x)); }
    void text(const std::string& text) { all.push_back('"' + text); }
    void integer(const Integer& x) { all.push_back('#' + x.str()); }
};

constexpr Contents kStructure{.names = false, .instances = false};

std::vector<std::string> wordsOf(const Design& design, std::uint32_t cls, Contents contents) {
    Words words;
    Canonical(design, contents, words).add(design.classes[cls]);
    return words.all;
}

Plane byte(const std::string& name, std::uint32_t owner, std::uint32_t instances) {
    Plane plane;
    plane.name = name;
    plane.kind = PlaneKind::Output;
    plane.type = {{ScalarKind::Int, false, 8}, 0};
    plane.owner = {owner};
    plane.instances = instances;
    return plane;
}

Class adder(const std::string& name, std::uint32_t plane, std::uint32_t instances) {
    Class cls;
    cls.name = name;
    cls.instances = instances;
    cls.inputs.push_back({name + ".in", {{ScalarKind::Int, false, 8}, 0}, {{}}});
    cls.inputs.front().elements.front().runs.push_back({0, instances, {plane}, 0, 1});
    cls.outputs.push_back({name + ".out", {plane}, false});
    cls.columns.push_back({name + ".k", {}, std::vector<Constant>(instances), {0, 9}});
    cls.body.locals.push_back(
        {name, LocalKind::Output, {{ScalarKind::Int, false, 8}, 0}, 0, Interval{0, 255}});
    cls.body.exprs.push_back({ExprType::Int, ReadInput{0, {}, {}}});
    cls.body.statements.push_back({{}, Set{{0}, {}, {0}}});
    cls.body.statements.push_back({{}, Loop{{{{}, Break{}}}, false}});
    return cls;
}

/// Two classes that differ in their names, instances and planes only.
Design two() {
    Design design;
    design.planes = {byte("a", 0, 3), byte("b", 1, 5)};
    design.classes = {adder("one", 0, 3), adder("two", 1, 5)};
    return design;
}

}  // namespace

TEST_CASE("canonical: names, instances and numbers of planes are no structure") {
    const Design design = two();
    CHECK(wordsOf(design, 0, kStructure) == wordsOf(design, 1, kStructure));
    CHECK(wordsOf(design, 0, {.instances = false}) != wordsOf(design, 1, {.instances = false}));
    CHECK(wordsOf(design, 0, {.names = false}) != wordsOf(design, 1, {.names = false}));
}

TEST_CASE("canonical: what a body does and stores is structure") {
    const auto differs = [](auto change) {
        Design design = two();
        change(design);
        return wordsOf(design, 0, kStructure) != wordsOf(design, 1, kStructure);
    };
    CHECK(differs([](Design& d) { d.classes[1].combinational = true; }));
    CHECK(differs([](Design& d) { d.classes[1].inputs.front().elements.emplace_back(); }));
    CHECK(differs([](Design& d) { d.classes[1].outputs.front().hold = true; }));
    CHECK(differs([](Design& d) { d.classes[1].columns.front().range.high = 10; }));
    CHECK(differs([](Design& d) { d.classes[1].covers.push_back({"seen", {1}}); }));
    CHECK(differs([](Design& d) { d.classes[1].body.locals.front().range.reset(); }));
    CHECK(differs([](Design& d) { d.planes[1].type.scalar.width = 9; }));
    CHECK(differs([](Design& d) { d.planes[1].perOwner = 2; }));
    CHECK(differs([](Design& d) { d.planes[1].dimensions = {1}; }));
    CHECK(differs([](Design& d) {
        std::get<Loop>(d.classes[1].body.statements.back().node).isStateMachine = true;
    }));
    CHECK(differs([](Design& d) { d.classes[1].body.exprs.front().node = ReadColumn{0}; }));
}
