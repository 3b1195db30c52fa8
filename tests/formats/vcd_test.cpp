// Value change dumps: values, time, places in the tree. What a whole run writes is in tests/runtime.

#include <array>

#include <catch2/catch.hpp>

#include "formats/trace_scopes.h"
#include "rows.h"

using namespace sme;

namespace {

/// The dump of one signal with the given values, one a cycle.
template <typename Stored>
std::string dumpOf(const Type& type, const std::vector<Stored>& values) {
    StringSink sink;
    const auto writer = makeVcdWriter(sink);
    writer->begin({"top", {{"b.x", 3, &type, 0}}, {10, false}});
    for (std::size_t cycle = 0; cycle < values.size(); ++cycle) {
        const auto* at = reinterpret_cast<const std::byte*>(&values[cycle]);
        rowOf(*writer, {at}, cycle);
    }
    writer->end();
    return sink.text.substr(sink.text.find("$enddefinitions $end\n") + 21);
}

Type integer(Kind kind, std::uint32_t width, std::uint32_t bytes) {
    return {kind, width, bytes, "t", 0, 0, nullptr, nullptr, 0, 0};
}

}  // namespace

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
        rowOf(*writer, {at}, cycle);
        return sink.text.substr(length);
    };
    row(1, 4);
    CHECK(row(2, 5) == "#50\nb10 \"\n");
    CHECK(row(3, 4).empty());
    CHECK(row(4, 5).empty());
    CHECK(row(2, 6).empty());
    CHECK(row(4, 7) == "#70\nb100 \"\n");
}

TEST_CASE("traces: 64 elements of an array in waves, all in CSV") {
    CHECK(formatOf("a.csv", true)->elements == ~std::uint64_t{0});
    CHECK(formatOf("a.vcd", true)->elements == 64);
}

TEST_CASE("traces: formats by endings") {
    CHECK(formatOf("a.csv", true)->suffix == ".csv");
    CHECK(formatOf("csv", true) == nullptr);
    CHECK(formatOf("-", false)->suffix == ".csv");
    CHECK(formatOf("pipe.vcd", false)->suffix == ".vcd");
    CHECK(whyNoFormat("a.txt", traceFormats().first(2))
          == "cannot write a trace to 'a.txt': there are traces that end in .csv or .vcd");
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
