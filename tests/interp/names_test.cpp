#include <catch2/catch.hpp>

#include "interp/hash.h"
#include "interp/names.h"
#include "interp/options.h"

namespace smec::interp {

TEST_CASE("hashes are the published ones") {
    CHECK(splitMix64(kGoldenGamma)
          == 0xE220A8397B1DCDAF);  // the first number of SplitMix64 from state 0
}

TEST_CASE("options: values, ignored plans, errors") {
    const Options options = parseOptions({"--cycles", "12", "--seed=0x1F", "--threads", "4",
                                          "--foreman", "--print", "a.b", "--print=c", "--quiet"});
    CHECK(options.cycles == 12);
    CHECK(options.seed == 31);
    CHECK(options.prints == std::vector<std::string>{"a.b", "c"});
    CHECK(options.quiet);
    const auto statusOf = [](const std::vector<std::string>& arguments) {
        try {
            parseOptions(arguments);
        } catch (const RunError& error) {
            return error.status;
        }
        return 0;
    };
    CHECK(statusOf({"--cycles"}) == 2);
    CHECK(statusOf({"--cycles", "-1"}) == 2);
    CHECK(statusOf({"--quiet=1"}) == 2);
    CHECK(statusOf({"--check", "x"}) == 2);
    CHECK(statusOf({"--cycle", "3"}) == 2);
}

}  // namespace smec::interp
