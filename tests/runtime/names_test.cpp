#include "values/names.h"

#include <catch2/catch.hpp>

#include "test_models.h"

using namespace sme;
using namespace sme::test;

TEST_CASE("names: distances and suggestions") {
    CHECK(editDistance("cycles", "cylces", 3) == 1);
    CHECK(editDistance("abc", "abc", 3) == 0);
    CHECK(editDistance("abc", "xyz", 3) == 3);
    CHECK(editDistance("abc", "vwxyz", 3) == 4);
    CHECK(editDistance("", "ab", 3) == 2);
    Nearest nearest("chekcsum");
    for (const char* word : {"cycles", "checksum", "quiet"})
        nearest.consider(word);
    CHECK(nearest.best() == "checksum");
    Nearest none("zzz");
    none.consider("cycles");
    CHECK(none.best().empty());
}

TEST_CASE("names: looked up by path") {
    Inputs inputs;
    const NameTable names(inputs.model());
    CHECK(names.find("cmd.v"));
    REQUIRE(names.find("cmd"));
    CHECK(names.find("cmd")->run == names.find("cmd.v")->run);
    CHECK_FALSE(names.findWhole("cmd"));
    CHECK_FALSE(names.find("cmd[0]"));
    CHECK_FALSE(names.find("cmd.v.x"));
    CHECK_FALSE(names.find("cmd.vv"));
    const auto element = names.find("cmd.list[1]");
    REQUIRE(element);
    CHECK(element->offset == 1);
    CHECK_FALSE(names.find("cmd.list[2]"));
    CHECK_FALSE(names.find("cmd.list[01]"));
    CHECK_FALSE(names.find("cmd.list[1"));
    CHECK_FALSE(names.find("cmd.list[x]"));
    CHECK_FALSE(names.find("cmd.list[-1]"));
    REQUIRE(names.find("cmd.pair.y"));
    CHECK(names.find("cmd.pair.y")->offset == 1);
    CHECK_FALSE(names.find("cmd.pair.z"));
    CHECK(names.suggest("cmd.kep") == "cmd.keep");
    CHECK(names.suggest("sum") == "res.sum");
    CHECK(names.suggest("nothing.like.it").empty());

    Ring ring(12);
    const NameTable links(ring.model());
    CHECK(links.find("link[11].v")->element == 11);
    CHECK_FALSE(links.find("link[12].v"));
    CHECK(links.find("link[11]")->element == 11);
    CHECK_FALSE(links.find("link[12]"));
    CHECK_FALSE(links.find("link[011].v"));
    CHECK_FALSE(links.find("link[].v"));
    CHECK_FALSE(links.find("link[99999999999999999999999].v"));
}

TEST_CASE("names: stride 0 shares one value") {
    Ring ring(4);
    Model model = ring.model();
    NameRun shared = model.names[0];
    shared.stride = 0;
    shared.start = 2;
    model.names = &shared;
    CHECK(NameTable(model).find("link[3].v")->element == 2);
}
