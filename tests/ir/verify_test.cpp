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
          == "design top, 2 processes\n"
             "plane 0 output y.v of 0: 2 x u8 = 0\n"
             "class 0 inc: 2 instances\n"
             "    instance 0 \"s[\"0..1\"]\" order 1 by 1\n"
             "    input x.v: u8\n"
             "        0 + 1: plane 0 from 1 by 0\n"
             "        1 + 1: plane 0 from 0 by 0\n"
             "    output y.v: plane 0\n"
             "    output y.v: u8\n"
             "    y.v = wrap u8((x.v + 1))\n"
             "name \"link[\"0..1\"].v\": plane 0 from 0 by 1\n");
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
    SECTION("operand after its user") {
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

TEST_CASE("statements that name what is not there are found", "[ir]") {
    Design design = ring();
    Body& body = design.classes[0].body;
    const auto onlyStatement = [&](auto node) {
        body.statements.clear();
        body.statements.push_back({{}, std::move(node)});
    };
    SECTION("nothing to store") {
        onlyStatement(Set{LocalId{0}, {}, {}});
        CHECK(complains(design, "does not exist"));
    }
    SECTION("a value beyond the last one") {
        onlyStatement(Set{LocalId{0}, {}, ExprId{99}});
        CHECK(complains(design, "expression 99 does not exist"));
    }
    SECTION("a local beyond the last one") {
        onlyStatement(Set{LocalId{7}, {}, ExprId{3}});
        CHECK(complains(design, "local 7 does not exist"));
    }
    SECTION("inside a loop without an end or a variable") {
        For loop{LocalId{5}, LoopKind::Up, ExprId{0}, {}, {}, {}};
        loop.body.push_back({{}, Set{LocalId{0}, {}, {}}});
        onlyStatement(std::move(loop));
        CHECK(complains(design, "local 5 does not exist"));
        CHECK(complains(design, "expression 4294967295 does not exist"));
    }
    SECTION("a result for nobody") {
        onlyStatement(Call{{LocalId{4}}, FunctionId{0}, {}});
        CHECK(complains(design, "local 4 does not exist"));
    }
    SECTION("conditions, arrays, checks and stops") {
        onlyStatement(If{{}, {}, {}});
        CHECK(complains(design, "does not exist"));
        onlyStatement(FillArray{LocalId{0}, {}});
        CHECK(complains(design, "does not exist"));
        onlyStatement(Check{{}, 0, {}});
        CHECK(complains(design, "does not exist"));
        onlyStatement(Stop{{}});
        CHECK(complains(design, "does not exist"));
        onlyStatement(Switch{{}, {}, {}});
        CHECK(complains(design, "does not exist"));
    }
}

TEST_CASE("planes and names that are broken are found", "[ir]") {
    Design design = ring();
    SECTION("output that belongs to nobody") {
        design.planes[0].owner = {};
        CHECK(complains(design, "plane 0 'y.v': owner"));
    }
    SECTION("owner that does not exist") {
        design.planes[0].owner = ClassId{7};
        CHECK(complains(design, "owner out of range"));
    }
    SECTION("more rows than instances") {
        design.planes[0].instances = 3;
        CHECK(complains(design, "number of instances"));
    }
    SECTION("enumeration that does not exist") {
        design.planes[0].enumeration = 0;
        CHECK(complains(design, "enumeration out of range"));
    }
    SECTION("initial values for each instance, but one") {
        design.planes[0].initial.perInstance = true;
        CHECK(complains(design, "1 initial values, expected 2"));
    }
    SECTION("name of a plane that does not exist") {
        design.names[0].plane = PlaneId{4};
        CHECK(complains(design, "name 'link[': plane out of range"));
    }
    SECTION("two things of one name") {
        design.names[0].suffix.reset();
        CHECK(complains(design, "2 things of one name"));
    }
    SECTION("table that is shorter than its type") {
        design.tables.push_back({{{ScalarKind::Int, false, 8}, 2}, {{Integer(1)}}});
        CHECK(complains(design, "table 0: size"));
    }
}

TEST_CASE("classes that are broken are found", "[ir]") {
    Design design = ring();
    Class& cls = design.classes[0];
    SECTION("input from a plane that does not exist") {
        cls.inputs[0].elements[0].runs[0].plane = PlaneId{4};
        CHECK(complains(design, "class 'inc' input 'x.v': plane out of range"));
    }
    SECTION("input from a variable") {
        design.planes[0].kind = PlaneKind::State;
        CHECK(complains(design, "reads the variable 'y.v'"));
        CHECK(complains(design, "plane 'y.v' is not its own"));
    }
    SECTION("input of another type") {
        cls.inputs[0].type.scalar.width = 4;
        CHECK(complains(design, "type differs from plane 'y.v'"));
    }
    SECTION("input from nowhere") {
        cls.inputs[0].elements.clear();
        CHECK(complains(design, "no connection"));
    }
    SECTION("column of another length") {
        cls.columns.push_back({"k", {ScalarKind::Int, false, 8}, {{Integer(1)}}, {}});
        CHECK(complains(design, "column 'k': size"));
    }
    SECTION("instances that nobody named") {
        cls.runs[0].count = 1;
        CHECK(complains(design, "instance runs cover 1 of 2"));
    }
    SECTION("instances named twice") {
        cls.runs.push_back(cls.runs[0]);
        CHECK(complains(design, "instance runs do not follow each other"));
    }
    SECTION("two instances of one name") {
        cls.runs[0].suffix.reset();
        CHECK(complains(design, "2 instances called 's['"));
    }
    SECTION("function of a class that does not exist") {
        Function function;
        function.name = "f";
        function.owner = ClassId{3};
        design.functions.push_back(function);
        CHECK(complains(design, "function 'f': owner out of range"));
    }
}
