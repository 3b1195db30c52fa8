// Value change dumps: what a viewer reads is what CSV says.

#include <catch2/catch.hpp>

#include "test_models.h"

using namespace sme;
using namespace sme::test;

namespace {

/// The dump of a run of the traffic light.
std::string dumped(std::vector<std::string> more) {
    Inputs inputs;
    const std::string input = writeFile(
        "in.csv", "cycle,cmd.v,cmd.go,cmd.light\n0,5,true,BLUE\n1,7,false,RED\n2,200,true,2\n");
    const std::string trace = temporaryPath("trace.vcd");
    more.insert(more.begin(), {"--input", input, "--trace", trace});
    const Result result = simulate(inputs.model(), more);
    CHECK(result.status == 0);
    CHECK(result.err.empty());
    return readFile(trace);
}

constexpr const char* kHeader =
    "$date\n    Thu Jan  1 00:00:00 1970\n$end\n$version\n    smec\n$end\n$timescale 1 ns $end\n";

}  // namespace

TEST_CASE("vcd: scopes, kinds and changes") {
    CHECK(dumped({"--cycles", "4", "--trace-filter", "*"})
          == std::string(kHeader) + R"($scope module test $end
$var wire 1 ! clk $end
$scope module a $end
$var wire 8 " t [7:0] $end
$upscope $end
$scope module cmd $end
$var wire 4 # digit [3:0] $end
$var real 64 $ gain $end
$var wire 1 % go $end
$var wire 16 & keep [15:0] $end
$var string 1 ' light $end
$scope begin list $end
$var wire 4 ( list[0] [3:0] $end
$var wire 4 ) list[1] [3:0] $end
$upscope $end
$scope begin pair $end
$var wire 8 * x [7:0] $end
$var wire 8 + y [7:0] $end
$upscope $end
$upscope $end
$var wire 8 , cmd [7:0] $end
$scope module res $end
$var wire 8 - sum [7:0] $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
$dumpvars
0!
b0 "
b0 #
r0.5 $
1%
b1111111111111111 &
sBLUE '
b111 (
b111 )
b0 *
b0 +
b101 ,
b0 -
$end
#10
1!
b101 "
0%
sRED '
b111 ,
b101 -
#15
0!
#20
1!
1%
sGREEN '
b11001000 ,
#25
0!
#30
1!
b11001101 "
0%
sRED '
b0 ,
b11001101 -
#35
0!
#40
)");
}

TEST_CASE("vcd: time, with and without a clock") {
    CHECK(
        dumped({"--cycles", "3", "--trace-filter", "res.sum", "--clock-period", "4"})
            .ends_with("#0\n$dumpvars\n0!\nb0 \"\n$end\n#4\n1!\nb101 \"\n#6\n0!\n#8\n1!\n#10\n0!\n"
                       "#12\n"));
    CHECK(dumped({"--cycles", "4", "--trace-filter", "res.sum", "--no-trace-clock"})
          == std::string(kHeader)
                 + "$scope module test $end\n$scope module res $end\n"
                   "$var wire 8 \" sum [7:0] $end\n$upscope $end\n$upscope $end\n"
                   "$enddefinitions $end\n"
                   "#0\n$dumpvars\nb0 \"\n$end\n#10\nb101 \"\n#30\nb11001101 \"\n#40\n");
    CHECK(dumped({"--cycles", "4", "--trace-filter", "res.sum", "--trace-start", "2",
                  "--trace-stop", "3"})
              .ends_with("$end\n#20\n$dumpvars\n1!\nb101 \"\n$end\n#25\n0!\n#30\n"));
}

TEST_CASE("traces: elements of arrays") {
    const std::string one = dumped({"--cycles", "1", "--trace-elements", "1"});
    CHECK(one.find(" list[0] ") != std::string::npos);
    CHECK(one.find(" list[1] ") == std::string::npos);
    const std::string filtered =
        dumped({"--cycles", "1", "--trace-elements", "1", "--trace-filter", "cmd.list"});
    CHECK(filtered.find(" list[1] ") != std::string::npos);
    Inputs inputs;
    const std::string csv = temporaryPath("elements.csv");
    simulate(inputs.model(), {"--cycles", "1", "--trace", csv, "--trace-elements", "1"});
    CHECK(readFile(csv).find("cmd.list[0],cmd.pair") != std::string::npos);
}
