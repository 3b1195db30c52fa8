// What the tables of the model hold, as data and as text.

#include <catch2/catch.hpp>

#include <sstream>

#include "codegen/cpp/decide/program.h"
#include "codegen/cpp/generate.h"
#include "codegen/cpp/print/text.h"
#include "designs.h"
#include "source/internal_error.h"

using namespace smec;
using namespace smec::codegen::cpp;

namespace {

ModelPlan modelOf(const ir::Design& design) {
    const plan::Plan plan = plan::build(design, {});
    return decide(design, plan, plan::factsOf(design), SourceManager(), Options()).model;
}

SourceBundle bundleOf(const ir::Design& design) {
    return codegen::cpp::generate(design, plan::build(design, {}), plan::factsOf(design),
                                  SourceManager(), {});
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a body whose statements have no numbers, or others, is refused", "[codegen][model]") {
    ir::Design design = test::ring(4);
    REQUIRE(design.classes[0].body.statements[0].id == ir::StmtId{0});
    CHECK_NOTHROW(bundleOf(design));
    for (const ir::StmtId id : {ir::StmtId{}, ir::StmtId{1}}) {
        design.classes[0].body.statements[0].id = id;
        CHECK_THROWS_AS(bundleOf(design), InternalError);
    }
}

TEST_CASE("initial values are uniform, a column or zero", "[codegen][model]") {
    ir::Design design;
    test::ClassBuilder p(design, "p", 4);
    p.output("zero", test::unsignedType(8));
    p.output("uniform", test::unsignedType(8), {test::integer(7)});
    p.output("column", test::unsignedType(8), test::integers({1, 2, 3, 4}));
    p.state("count", test::unsignedType(8));
    p.finish();
    const ModelPlan model = modelOf(design);
    REQUIRE(model.planes.size() == 4);
    CHECK(model.planes[0].initial == InitialKind::Zero);
    CHECK(model.planes[1].initial == InitialKind::Uniform);
    CHECK(model.planes[2].initial == InitialKind::Column);
    CHECK(model.planes[1].home == plan::Home::TwoSlots);
    CHECK(model.planes[3].home == plan::Home::OneSlot);
    REQUIRE(model.types.size() == 1);
    CHECK(model.types[0].name == "u8");
}

TEST_CASE("types of arrays stand after those of their elements", "[codegen][model]") {
    ir::Design design;
    test::ClassBuilder p(design, "p", 4);
    p.state("rows", test::unsignedType(16, 6));
    p.finish();
    design.planes[0].dimensions = {2, 3};
    const ModelPlan model = modelOf(design);
    REQUIRE(model.types.size() == 3);
    CHECK(model.types[1].name == "[3]u16");
    CHECK(model.types[2].name == "[2][3]u16");
    CHECK(model.types[2].element == 1);
    CHECK(model.types[2].bytes == 12);
    CHECK(model.planes[0].type == 2);
}

TEST_CASE("arguments travel as what their site says", "[codegen][model]") {
    const ModelPlan model = modelOf(test::failing(9));
    REQUIRE(model.sites.size() == 1);
    REQUIRE(model.sites[0].traces.size() == 1);
    REQUIRE(model.sites[0].traces[0].size() == 2);
    CHECK(model.sites[0].traces[0][0].kind == ArgumentKind::Signed);
    CHECK(model.sites[0].traces[0][0].bits == 16);
    CHECK(model.sites[0].fails.at(0).empty());
    CHECK(model.effects.fails);
    CHECK_FALSE(model.effects.stops);
    CHECK_FALSE(model.effects.isOnce);
}

TEST_CASE("work is a loop's instances or a block's processes", "[codegen][model]") {
    const ModelPlan loop = modelOf(test::ring(100));
    REQUIRE(loop.work.size() == 1);
    CHECK(loop.work[0].instances == 100);
    CHECK(loop.work[0].steps == 1);
    CHECK(loop.work[0].parts == std::vector<plan::OrderedRow>{{{0}, 0, 100}});
    const ModelPlan block = modelOf(test::hetero(3));
    REQUIRE(block.work.size() == 1);
    CHECK(block.work[0].instances == 1);
    CHECK(block.work[0].steps == 3);
    CHECK(block.work[0].parts.size() == 3);
}

TEST_CASE("design.cpp has the addresses of kernels and nothing of tables", "[codegen][model]") {
    const std::string code = bundleOf(test::failing(9)).files.at("design.cpp");
    CHECK(has(code, "sme::kModelVersion, \"failing\", sme::kProcessorFeatures,"));
    CHECK(has(code, "constexpr sme::Instances instancesTable[] = {"));
    CHECK(has(code, "extern const std::uint32_t"));
    CHECK_FALSE(has(code, "Failure"));
}

TEST_CASE("no line of generated C++ is too long", "[codegen][model]") {
    ir::Design wide;
    test::ClassBuilder p(wide, "a_process_with_a_rather_long_name", 16);
    for (int i = 0; i < 12; ++i) {
        const ir::LocalId state =
            p.state("variable_of_some_length_" + std::to_string(i), test::unsignedType(32));
        p.add(p.set(state, p.wrap(p.op(ir::BinaryOp::Add, p.read(state), p.number(1)), 32)));
    }
    p.finish();
    for (const ir::Design& design : {wide, test::failing(9), test::hetero(20), test::mesh(24)}) {
        for (const auto& [name, content] : bundleOf(design).files) {
            if (!name.ends_with(".cpp")) continue;
            std::istringstream lines(content);
            for (std::string line; std::getline(lines, line);) {
                INFO(name << ": " << line);
                CHECK(line.size() <= Writer::kColumns);
            }
        }
    }
}
