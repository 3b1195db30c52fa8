#include <algorithm>
#include <filesystem>

#include <catch2/catch.hpp>

#include "ast/equal.h"
#include "support/golden.h"
#include "syntax/support.h"

// Every construct of the language stands in corpus/*.sme. Each file is dumped and compared with
// tests/golden/syntax/NAME.txt (SMEC_UPDATE_GOLDEN=1 writes them), printed and parsed again.

namespace fs = std::filesystem;
using namespace smec;

namespace {

const fs::path kFolder = fs::path(SMEC_SOURCE_DIR) / "tests" / "syntax";

std::vector<fs::path> corpus() {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(kFolder / "corpus"))
        if (entry.path().extension() == ".sme") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

TEST_CASE("every corpus file parses without errors") {
    REQUIRE(corpus().size() >= 25);
    for (const fs::path& path : corpus()) {
        INFO(path);
        test::Parsed parsed(test::readFile(path));
        INFO(render(parsed.diagnostics, parsed.sources, {}));
        CHECK_FALSE(parsed.diagnostics.hasErrors());
    }
}

TEST_CASE("corpus files have the trees in golden/syntax") {
    for (const fs::path& path : corpus())
        test::checkGolden("syntax/" + path.stem().string() + ".txt",
                          ast::dump(test::Parsed(test::readFile(path)).module));
}

TEST_CASE("what is printed parses to the same tree, and prints the same again") {
    for (const fs::path& path : corpus()) {
        INFO(path);
        test::Parsed original(test::readFile(path));
        std::string printed = ast::print(original.module);
        INFO(printed);
        test::Parsed again(printed);
        CHECK_FALSE(again.diagnostics.hasErrors());
        CHECK(ast::equal(original.module, again.module));
        CHECK(ast::print(again.module) == printed);
    }
}

TEST_CASE("trees of different files differ") {
    std::vector<fs::path> files = corpus();
    for (std::size_t i = 1; i < files.size(); ++i) {
        INFO(files[i]);
        CHECK_FALSE(ast::equal(test::Parsed(test::readFile(files[i - 1])).module,
                               test::Parsed(test::readFile(files[i])).module));
    }
}
