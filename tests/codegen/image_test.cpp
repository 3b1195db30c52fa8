// model.bin: what the compiler writes is what the runtime loads, and nothing else is believed.

#include <catch2/catch.hpp>

#include <cstring>
#include <memory>

#include "codegen/cpp/decide/program.h"
#include "codegen/cpp/tables/model_image.h"
#include "designs.h"
#include "loaded_image.h"
#include "model/load_image.h"
#include "output/error.h"

using namespace smec;

namespace {

std::string imageOf(const ir::Design& design) {
    return codegen::cpp::generate(design, plan::build(design, {}), plan::factsOf(design),
                                  SourceManager(), {})
        .files.at(codegen::cpp::kModelImage);
}

/// What is wrong with a file, after whose name and offset. `how`: it is loaded.
template <typename... How>
std::string complaint(const std::string& file, const How&... how) {
    try {
        test::LoadedImage image(file, how...);
        return "";
    } catch (const sme::Error& error) {
        return error.what();
    }
}

template <typename Number>
std::string with(std::string file, std::size_t offset, Number number) {
    std::memcpy(file.data() + offset, &number, sizeof number);
    return file;
}

/// Where the first row of a table is.
template <typename Row>
std::size_t placeOf(const std::string& file) {
    sme::ImageHeader header;
    std::memcpy(&header, file.data(), sizeof header);
    return sme::placesOf(header).tables[sme::rows::kTable<Row>];
}

}  // namespace

TEST_CASE("a model is loaded as it was written", "[codegen][image]") {
    const test::LoadedImage image(imageOf(test::failing(9)));
    const sme::Model& model = image.model();
    CHECK(model.version == sme::kModelVersion);
    CHECK(std::string(model.name) == "failing");
    CHECK(std::string(model.processor) == "a processor");
    CHECK(std::string(model.compiler) == "smec");
    CHECK(model.flags == (sme::kHasFailure | sme::kPrints));
    REQUIRE(model.classCount == 1);
    REQUIRE(model.classes[0].siteCount == 1);
    const sme::SiteTable& sites = model.classes[0].sites[0];
    CHECK(sites.traces[0].argCount == 2);
    CHECK(sites.traces[0].args[0].kind == sme::ArgKind::Signed);
    CHECK(sites.traces[0].args[0].bits == 16);
    CHECK(sites.fails[0].kind == sme::Failure::Assertion);
    REQUIRE(model.workCount == 1);
    CHECK(model.work[0].entry.instances == image.instances(0));
    CHECK(model.work[0].parts[0].count == 9);
    for (std::uint32_t i = 0; i < model.planeCount; ++i)
        CHECK(model.planes[i].owner == 0);
    REQUIRE(model.nameRunCount == 3);
    CHECK(model.names[0].flags == sme::kExposed);
    CHECK(model.names[2].flags == sme::kVariable);
    CHECK(std::string(model.names[2].prefix) + "8" + model.names[2].suffix == "watch[8].count");
}

TEST_CASE("initial values and reads lie among the constants", "[codegen][image]") {
    const test::LoadedImage image(imageOf(test::ring(8)));
    const sme::Model& model = image.model();
    REQUIRE(model.planes[0].initial == sme::Initial::Column);
    std::uint32_t first = 0;
    std::memcpy(&first, model.planes[0].initialData, sizeof first);
    CHECK(first == 12345);
    REQUIRE(model.readCount == 2);
    sme::Read read{};
    std::memcpy(&read, model.reads, sizeof read);
    CHECK(read.start == 7);
    CHECK(reinterpret_cast<std::uintptr_t>(model.constants) % sme::kImageAlignment == 0);
}

TEST_CASE("the image of a program is loaded once", "[codegen][image]") {
    const test::LoadedImage image(imageOf(test::hetero(3)));
    const sme::Code code = image.codeWithImage();
    CHECK(&sme::modelOf(code) == &image.model());
    CHECK(&sme::modelOf(code) == &image.model());
}

TEST_CASE("members lie in their structs as they are listed", "[codegen][image]") {
    const auto check = []<typename Row>(std::type_identity<Row>) {
        if constexpr (!std::is_integral_v<Row>) {
            const Row row{};
            std::size_t last = 0, count = 0;
            sme::rows::Of<Row>::forEach(row, [&](auto kind, const Row& of) {
                const std::size_t place = sme::rows::placeOf(kind, of);
                CHECK((count == 0 ? place == 0 : place > last));
                CHECK(place < sizeof(Row));
                last = place;
                ++count;
            });
            CHECK(count == sme::rows::Of<Row>::kCount);
        }
    };
    sme::rows::forEachTable(check);
    sme::rows::forEachOf(sme::rows::Others(), check);  // as kernels know them
    CHECK(sme::rows::nameOf<&sme::Plane::type>() == "Plane::type");
}

TEST_CASE("a damaged model is refused with its name and the offset", "[codegen][image]") {
    const std::string file = imageOf(test::failing(9));
    CHECK(complaint(file).empty());
    CHECK(complaint("").starts_with("'x.bin' is damaged at byte 0: it ends"));
    CHECK(complaint("S" + file).starts_with("'x.bin' is damaged at byte 0: it is no model"));
    CHECK(complaint(file + std::string(8, '\0')).find("bytes, not") != std::string::npos);
    CHECK(complaint(with(file, file.size() - 1, '\1')).find("it is not what was written")
          != std::string::npos);
    CHECK(complaint(with(file, offsetof(sme::ImageHeader, version), 7U))
              .starts_with("'x.bin' is of model version 7, and this runtime of "));
    CHECK(complaint(with(file, offsetof(sme::ImageHeader, isLoaded), std::uint64_t{9}))
              .find("one in memory")
          != std::string::npos);
}

TEST_CASE("a model is for the code that it was made with", "[codegen][image]") {
    const auto refusal = [](const std::string& file, const char* network, std::uint64_t identity) {
        sme::Code code{};
        code.name = network;
        code.identity = &identity;
        return complaint(file, code);
    };
    const std::string file = imageOf(test::failing(9));
    // no function is asked for: the code has none
    CHECK(refusal(file, "failing", 5)
          == "'x.bin' is of another version of 'failing' than the code; compile the design again");
    CHECK(refusal(file, "ring", 5)
          == "'x.bin' is the model of 'failing', but the code is of 'ring'");
    const std::size_t name = placeOf<sme::Model>(file) + offsetof(sme::Model, name);
    CHECK(refusal(with(file, name, ~std::uint64_t{0}), "ring", 5)
          == "'x.bin' is the model of '', but the code is of 'ring'");
}

TEST_CASE("each offset and number of a row is looked at", "[codegen][image]") {
    const std::string file = imageOf(test::failing(9));
    const std::size_t plane = placeOf<sme::Plane>(file), work = placeOf<sme::Work>(file),
                      model = placeOf<sme::Model>(file), name = placeOf<sme::NameRun>(file);
    const auto says = [](const std::string& damaged, const std::string& what) {
        INFO(what);
        CHECK(complaint(damaged, sme::ImageCheck::Places).find(what) != std::string::npos);
    };
    says(with(file, plane + offsetof(sme::Plane, type), 9999U),
         "byte " + std::to_string(plane) + ": 'Plane::type' is 9999, of ");
    says(with(file, plane + offsetof(sme::Plane, hold), '\2'), "'Plane::hold' is 2, of 2");
    says(with(file, plane + offsetof(sme::Plane, offset), ~std::uint64_t{7}),
         "'Plane::offset' is beyond");
    const std::size_t stage = placeOf<sme::Stage>(file);
    says(with(file, plane + offsetof(sme::Plane, group), '\1'), "'Plane::group' is in no stage");
    says(with(file, stage + offsetof(sme::Stage, first), 1U),
         "'Stage::first' is not behind the stage before");
    says(with(file, stage + offsetof(sme::Stage, clocked), 7U),
         "'Stage::clocked' is no level of its own");
    says(with(file, model + offsetof(sme::Model, levels), 2U),
         "'Model::levels' are not those of its stages");
    says(with(file, work + offsetof(sme::Work, level), 1U), "'Work::level' is no level");
    const std::size_t entry = work + offsetof(sme::Work, entry);
    const std::size_t instances = entry + offsetof(sme::Entry, instances);
    says(with(file, instances, std::uint64_t{0}), "'Work::entry' is not one function");
    says(with(file, instances, std::uint64_t{99}), "'Entry::instances' is 98, of ");
    const std::size_t block = entry + offsetof(sme::Entry, block);
    says(with(file, block, std::uint64_t{1}), "'Work::entry' is not one function");
    says(with(with(file, instances, std::uint64_t{0}), block, std::uint64_t{1}),
         "'Work::count' is not 1, of a block");
    says(with(file, model + offsetof(sme::Model, planeCount), 0xffffU),
         "'Model::planes' asks for 65535 rows");
    says(with(file, name + offsetof(sme::NameRun, prefix), std::uint64_t{8}),
         "'NameRun::prefix' points to byte 8");
    says(with(file, name + offsetof(sme::NameRun, prefix), std::uint64_t{0}),
         "'NameRun::prefix' is missing");
}
