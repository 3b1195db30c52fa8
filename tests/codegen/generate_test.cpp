#include <catch2/catch.hpp>

#include <cstring>

#include "codegen/cpp/generate.h"
#include "codegen/cpp/print/text.h"
#include "compile.h"
#include "designs.h"
#include "image_lister.h"
#include "sme/model_image.h"
#include "support/golden.h"

using namespace smec;

namespace {

codegen::cpp::SourceBundle generate(const ir::Design& design, const SourceManager& sources = {},
                                    const codegen::cpp::Options& options = {}) {
    return codegen::cpp::generate(design, plan::build(design, {}), plan::factsOf(design), sources,
                                  options);
}

std::string textOf(const codegen::cpp::SourceBundle& bundle) {
    std::string text;
    for (const auto& [name, content] : bundle.files) {
        text += "==== " + name + "\n"
                + (name == codegen::cpp::kModelImage ? test::listImage(content) : content);
    }
    return text;
}

std::size_t changedFiles(const codegen::cpp::SourceBundle& a, const codegen::cpp::SourceBundle& b) {
    std::size_t count = 0;
    for (const std::string& name : b.translationUnits) {
        const auto old = a.files.find(name);
        count += old == a.files.end() || old->second != b.files.at(name) ? 1 : 0;
    }
    return count;
}

void addNamed(ir::Design& design, const std::string& name) {
    test::ClassBuilder p(design, name, 8);
    const ir::LocalId out = p.output("int.float", test::unsignedType(8));
    const ir::LocalId context = p.state("context", test::unsignedType(8));
    const ir::LocalId i = p.state("classes", test::unsignedType(8));
    const auto in = p.input("out.in", test::unsignedType(8),
                            {{0, 4, p.plane(), 4, 1}, {4, 4, p.plane(), 0, 1}});
    const auto site = p.failSite(ir::FailureKind::Assertion, "");
    p.add(p.set(context, p.read(in)));
    p.add({{}, ir::Check{p.op(ir::BinaryOp::Lt, p.read(context), p.number(9)), site, {}}});
    p.add(p.set(i, p.read(context)));
    p.add(p.set(out, p.read(i)));
    p.finish();
}

}  // namespace

TEST_CASE("generated text is stable", "[codegen][golden]") {
    test::checkGolden("codegen/ring.txt", textOf(generate(test::ring(8))));
    test::checkGolden("codegen/mesh.txt", textOf(generate(test::mesh(4))));
    test::checkGolden("codegen/failing.txt", textOf(generate(test::failing(9))));
    test::checkGolden("codegen/hetero.txt", textOf(generate(test::hetero(3))));
}

TEST_CASE("the same design gives the same bytes", "[codegen]") {
    CHECK(generate(test::hetero(200)).files == generate(test::hetero(200)).files);
    CHECK(generate(test::mesh(16)).files == generate(test::mesh(16)).files);
}

TEST_CASE("the C++ does not grow with the number of instances", "[codegen]") {
    const auto small = generate(test::ring(1000)), large = generate(test::ring(100'000));
    // flows are as many, their numbers longer
    CHECK(textOf(large).size() < textOf(small).size() + 2000);
    CHECK(textOf(generate(test::ring(1'000'000))).size() < textOf(large).size() + 2000);
    const auto torus = generate(test::mesh(64)), largeTorus = generate(test::mesh(256));
    CHECK(textOf(largeTorus).size() < textOf(torus).size() + 6000);
}

TEST_CASE("units of straight-line code are told apart from those of loops", "[codegen]") {
    const auto blocks = generate(test::hetero(200)), loops = generate(test::ring(1000));
    CHECK(blocks.shapes.at(blocks.translationUnits[0]) == CodeShape::Straight);
    CHECK_FALSE(blocks.shapes.contains("design.cpp"));
    CHECK(loops.shapes.empty());
}

TEST_CASE("rows of alike statements are compiled as loops are", "[codegen]") {
    const auto shapeOf = [](bool areAlike, std::uint32_t statements) {
        ir::Design design;
        test::ClassBuilder p(design, "rows", 1);
        const ir::LocalId out = p.output("v", test::unsignedType(32));
        std::vector<ir::LocalId> variables;
        for (std::uint32_t i = 0; i < statements; ++i)
            variables.push_back(p.state("s" + std::to_string(i), test::unsignedType(32)));
        for (std::uint32_t i = 0; i + 1 < variables.size(); ++i) {
            const auto op = areAlike || i % 3 == 0 ? ir::BinaryOp::Add : ir::BinaryOp::Mul;
            p.add(p.set(variables[i],
                        p.wrap(p.op(op, p.read(variables[i + 1]), p.number(i + 3)), 32)));
        }
        p.add(p.set(out, p.read(variables[0])));
        p.finish();
        const auto shapes = generate(design).shapes;
        return shapes.empty() ? CodeShape::Loops : shapes.begin()->second;
    };
    CHECK(shapeOf(false, 20) == CodeShape::Straight);
    CHECK(shapeOf(true, 20) == CodeShape::Loops);
    CHECK(shapeOf(false, 999) == CodeShape::Straight);
    CHECK(shapeOf(false, 1000) == CodeShape::LongStraight);
    CHECK(shapeOf(true, 1000) == CodeShape::Loops);
}

TEST_CASE("an edit of one process of many changes one unit, the identity and the model",
          "[codegen][stability]") {
    const auto base = generate(test::hetero(1000));
    REQUIRE(base.translationUnits.size() > 6);
    for (const std::uint32_t process : {0U, 123U, 500U, 999U}) {
        INFO("process " << process);
        CHECK(changedFiles(base, generate(test::hetero(1000, 1, {process, false}))) == 3);
        CHECK(changedFiles(base, generate(test::hetero(1000, 1, {process, true}))) <= 4);
    }
}

TEST_CASE("code and model have one identity, which is that of the code", "[codegen]") {
    const auto identityOf = [](const codegen::cpp::SourceBundle& bundle) {
        sme::ImageHeader header;
        std::memcpy(&header, bundle.files.at(codegen::cpp::kModelImage).data(), sizeof header);
        const std::string line = fmt::format(".quad 0x{:016x}\n", header.code);
        CHECK(bundle.files.at(codegen::cpp::kIdentityUnit).find(line) != std::string::npos);
        return header.code;
    };
    const std::uint64_t base = identityOf(generate(test::hetero(200)));
    CHECK(identityOf(generate(test::hetero(200))) == base);
    // as many functions, of the same names
    CHECK(identityOf(generate(test::hetero(200, 1, {123, false}))) != base);
    CHECK(identityOf(generate(test::hetero(201))) != base);
    // lines and texts are the model's
    SourceManager sources;
    const FileId file = sources.add("a.sme", "\n\nproc add()\n");
    ir::Design design = test::failing(9);
    const std::uint64_t said = identityOf(generate(design));
    design.classes[0].range = {file, 2, 12};
    CHECK(identityOf(generate(design, sources)) == said);
    design.classes[0].body.traces[0].format += "!";
    CHECK(identityOf(generate(design, sources)) == said);
}

TEST_CASE("locations and #line", "[codegen]") {
    SourceManager sources;
    const FileId file = sources.add("a\nb\\\".sme", "// one\nproc add()\n{ out.v = in.v + 1; }\n");
    ir::Design design = test::ring(8);
    design.classes[0].range = {file, 7, 17};
    design.classes[0].body.statements[0].range = {file, 20, 40};
    const std::string plain = generate(design, sources).files.at("unit_add_1.cpp");
    CHECK(plain.find("// a?nb?\".sme:2 add\n") != std::string::npos);
    const std::string lines = generate(design, sources, {true}).files.at("unit_add_1.cpp");
    CHECK(lines.find("#line 3 \"a\\\\nb\\\\\\\".sme\"\n") != std::string::npos);
    CHECK(test::listImage(generate(design, sources).files.at("model.bin"))
              .find("file=\"a\\nb\\\".sme\" line=2 column=1")
          != std::string::npos);
}

TEST_CASE("isSameCode looks past comments", "[codegen]") {
    CHECK(codegen::cpp::isSameCode("int a;\n    // x.sme:1 p\nint b;\n",
                                   "int a;\n    // x.sme:7 p\nint b;\n"));
    CHECK(codegen::cpp::isSameCode("a\nb", "a\nb"));
    CHECK_FALSE(codegen::cpp::isSameCode("a\nb", "a\nc"));
    CHECK_FALSE(codegen::cpp::isSameCode("a\n", "a\nb\n"));
}

TEST_CASE("identifiers are readable and safe", "[codegen]") {
    codegen::cpp::Names names;
    CHECK(names.add("status.n") == "status_n");
    CHECK(names.add("status_n") == "status_n_2");
    CHECK(names.add("class") == "class_v");
    CHECK(names.add("read_u32") == "read_u32_v");
    CHECK(names.add("write_u8_44") == "write_u8_44_v");
    CHECK(names.add("isUnobserved") == "isUnobserved_v");
    CHECK(names.add("NULL") == "NULL_v");
    CHECK(names.add("x[3].y") == "x_3_y");
    CHECK(names.add("") == "v");
    CHECK(names.add("3") == "v3");
    CHECK(codegen::cpp::stringLiteral("a\"\\\n\xc3?") == "\"a\\\"\\\\\\012\\303\\077\"");
}

TEST_CASE("names of a design that are C++ words compile", "[codegen]") {
    ir::Design design;
    design.name = "namespace";
    for (const char* name : {"operator", "add", "add_instances", "add_rows", "model", "planeTable",
                             "work", "classes", "tables"})
        addNamed(design, name);
    test::Build build(design);
    const test::Outcome outcome = build.compile("-O0 -Wall -Wextra -Werror");
    INFO(outcome.output);
    CHECK(outcome.status == 0);
}
