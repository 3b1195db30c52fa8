#include <catch2/catch.hpp>

#include "ir/analysis.h"
#include "ir/builder.h"

using namespace smec::ir;

namespace {

/// Two counters in a ring: x.v + 1 -> y.v.
Design ring() {
    Design design;
    design.name = "top";
    Plane plane{"y.v", PlaneKind::Output, {{ScalarKind::Int, false, 8}, 0}, {}, {}, ClassId{0}, 2};
    plane.initial.values = {{Integer(0)}};
    design.planes.push_back(plane);
    Class cls;
    cls.name = "inc";
    cls.instances = 2;
    cls.inputs.push_back(
        {"x.v", plane.type, {{{{0, 1, PlaneId{0}, 1, 0}, {1, 1, PlaneId{0}, 0, 0}}}}});
    cls.outputs.push_back({"y.v", PlaneId{0}, false});
    cls.runs.push_back({0, 2, "s[", "]", 0, 1, 1});
    cls.body.locals.push_back({"y.v", LocalKind::Output, plane.type, 0, std::nullopt});
    Builder builder(cls.body, {&cls.columns, &cls.inputs, nullptr, nullptr});
    const ExprId in = builder.add({ExprType::Int, ReadInput{0, {}, {}}});
    const ExprId next =
        builder.wrap(builder.binary(BinaryOp::Add, in, builder.constant(Integer(1))), 8, false);
    cls.body.statements.push_back({{}, Set{LocalId{0}, {}, next}});
    design.classes.push_back(std::move(cls));
    design.names.push_back({"link[", "].v", 0, 2, PlaneId{0}, 0, 1, false, false});
    design.processCount = 2;
    return design;
}

bool complains(const Design& design, const std::string& about) {
    for (const std::string& text : verify(design)) {
        if (text.find(about) != std::string::npos) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("a sound design verifies and prints", "[ir]") {
    const Design design = ring();
    for (const std::string& text : verify(design))
        FAIL_CHECK(text);
    CHECK(print(design)
          == "design 'top', 2 processes\n"
             "plane 0 output 'y.v': 2 x u8 = 0\n"
             "class 0 inc: 2 instances\n"
             "    instance 0 s[0..1] order 1 by 1\n"
             "    input x.v: u8\n"
             "        0 + 1: plane 0 from 1 by 0\n"
             "        1 + 1: plane 0 from 0 by 0\n"
             "    output y.v: plane 0\n"
             "    output y.v: u8\n"
             "    y.v = wrap u8((x.v + 1))\n"
             "name link[0..1].v: plane 0 from 0 by 1\n");
}

TEST_CASE("what is broken is found", "[ir]") {
    Design design = ring();
    SECTION("value that may not fit") {
        design.classes[0].body.statements.clear();
        design.classes[0].body.statements.push_back({{}, Set{LocalId{0}, {}, ExprId{2}}});
        CHECK(complains(design, "may not fit"));
    }
    SECTION("runs that leave a gap") {
        design.classes[0].inputs[0].elements[0].runs.pop_back();
        CHECK(complains(design, "runs cover 1 of 2"));
    }
    SECTION("run beyond its plane") {
        design.classes[0].inputs[0].elements[0].runs[1].start = 2;
        CHECK(complains(design, "leaves plane"));
    }
    SECTION("break outside of a loop") {
        design.classes[0].body.statements.push_back({{}, Break{}});
        CHECK(complains(design, "break outside"));
    }
    SECTION("operand behind its user") {
        std::get<Wrap>(design.classes[0].body.exprs[3].node).operand = ExprId{3};
        CHECK(complains(design, "does not stand before it"));
    }
    SECTION("site that does not exist") {
        design.classes[0].body.statements.push_back({{}, Trace{0, {}}});
        CHECK(complains(design, "site 0 does not exist"));
    }
    SECTION("index of a scalar") {
        std::get<Set>(design.classes[0].body.statements[0].node).index = ExprId{1};
        CHECK(complains(design, "index"));
    }
    SECTION("initial value that does not fit") {
        design.planes[0].initial.values = {{Integer(256)}};
        CHECK(complains(design, "does not fit"));
    }
    SECTION("name beyond its plane") {
        design.names[0].count = 3;
        CHECK(complains(design, "leaves plane"));
    }
    SECTION("a process too many") {
        design.processCount = 3;
        CHECK(complains(design, "3 processes"));
    }
}
