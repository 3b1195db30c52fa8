// Value change dumps: what a viewer reads is what CSV says.

#include <algorithm>
#include <array>

#include <catch2/catch.hpp>

#include "test_models.h"
#include "trace/trace_scopes.h"
#include "trace/trace_writer.h"

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

/// The dump of one signal with the given values, one a cycle.
template <typename Stored>
std::string dumpOf(const Type& type, const std::vector<Stored>& values) {
    StringSink sink;
    const auto writer = makeVcdWriter(sink);
    writer->begin({"top", {{"b.x", 3, &type, 0}}, {10, false}});
    for (std::size_t cycle = 0; cycle < values.size(); ++cycle) {
        const auto* at = reinterpret_cast<const std::byte*>(&values[cycle]);
        writer->row(std::span(&at, 1), cycle);
    }
    writer->end();
    return sink.text.substr(sink.text.find("$enddefinitions $end\n") + 21);
}

Type integer(Kind kind, std::uint32_t width, std::uint32_t bytes) {
    return {kind, width, bytes, "t", 0, 0, nullptr, nullptr, 0, 0};
}

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
$var wire 8 , v [7:0] $end
$upscope $end
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

TEST_CASE("vcd: bits of integers of any width, reals as they are") {
    CHECK(dumpOf<std::int8_t>(integer(Kind::Signed, 5, 1), {0, -1, -16, 15})
          == "#0\n$dumpvars\nb0 \"\n$end\n#10\nb11111 \"\n#20\nb10000 \"\n#30\nb1111 \"\n#40\n");
    CHECK(dumpOf<std::int8_t>(integer(Kind::Signed, 1, 1), {-1, 0})
          == "#0\n$dumpvars\n1\"\n$end\n#10\n0\"\n#20\n");
    using Wide = std::array<std::uint64_t, 2>;
    CHECK(dumpOf<Wide>(integer(Kind::Unsigned, 65, 16), {{1, 0}, {2, 1}})
          == "#0\n$dumpvars\nb1 \"\n$end\n#10\nb1" + std::string(62, '0') + "10 \"\n#20\n");
    CHECK(dumpOf<float>(integer(Kind::F32, 0, 4), {0.0f, -0.0f, 0.1f})
          == "#0\n$dumpvars\nr0 \"\n$end\n#10\nr-0 \"\n#20\nr0.10000000149011612 \"\n#30\n");
    CHECK(dumpOf<double>(integer(Kind::F64, 0, 8), {0.1, 1e300})
          == "#0\n$dumpvars\nr0.1 \"\n$end\n#10\nr1e+300 \"\n#20\n");
}

TEST_CASE("vcd: a run that was set back goes on where its file ends") {
    const Type type = integer(Kind::Unsigned, 8, 1);
    StringSink sink;
    const auto writer = makeVcdWriter(sink);
    writer->begin({"top", {{"b.x", 3, &type, 0}}, {10, false}});
    std::size_t length = 0;
    const auto row = [&](std::uint8_t value, std::uint64_t cycle) {
        length = sink.text.size();
        const auto* at = reinterpret_cast<const std::byte*>(&value);
        writer->row(std::span(&at, 1), cycle);
        return sink.text.substr(length);
    };
    row(1, 4);
    CHECK(row(2, 5) == "#50\nb10 \"\n");
    CHECK(row(3, 4).empty());
    CHECK(row(4, 5).empty());
    CHECK(row(2, 6).empty());
    CHECK(row(4, 7) == "#70\nb100 \"\n");
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

TEST_CASE("traces: 64 elements of an array in waves, all in CSV") {
    const auto elements = [](const std::vector<TraceFormat>& formats) {
        std::uint64_t least = ~std::uint64_t{0};
        for (const TraceFormat& format : formats)
            least = std::min(least, format.elements);
        return least;
    };
    CHECK(elements({*formatOf("a.csv", traceFormats())}) == ~std::uint64_t{0});
    CHECK(elements({*formatOf("a.vcd", traceFormats())}) == 64);
}

TEST_CASE("traces: a signal's place in the tree") {
    const Type type = integer(Kind::Unsigned, 8, 1);
    const auto place = [&](const std::string& whole, const std::string& rest) {
        const TracePlace found = placeOf({whole + rest, whole.size(), &type, 0});
        std::string text;
        for (const TraceScope& scope : found.scopes)
            text += scope.name + "isa"[static_cast<std::size_t>(scope.kind)] + ' ';
        return text + found.leaf;
    };
    CHECK(place("x", "") == "x");
    CHECK(place("net.unit[2].out.v", "") == "neti unit[2]i outi v");
    CHECK(place("p.m", "[3]") == "pi ma m[3]");
    CHECK(place("p.m", "[3][0]") == "pi ma m[3]a m[3][0]");
    CHECK(place("p.s", ".r.x") == "pi ss rs x");
    CHECK(place("p.s", "[1].r[2]") == "pi sa s[1]s ra r[2]");
}
