// GTKWave's save files: what is in them, and when they are replaced.

#include "formats/save_file.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>

using namespace sme;

namespace {

Type scalarOf(Kind kind, std::uint32_t width) {
    return {kind, width, 8, "t", 0, 0, nullptr, nullptr, 0, 0};
}

/// Without its first line.
std::string savedText(const TraceDescription& description, std::string_view trace) {
    const std::string text = saveFileText(description, *formatOf(trace, true), std::string(trace));
    CHECK(text.starts_with("[*] smec "));
    return text.substr(text.find('\n') + 1);
}

}  // namespace

TEST_CASE("save files: exposed signals, shown by their types") {
    const Type flag = scalarOf(Kind::Bool, 1), byte = scalarOf(Kind::Unsigned, 8),
               offset = scalarOf(Kind::Signed, 5), real = scalarOf(Kind::F64, 0),
               colour = scalarOf(Kind::Enum, 2);
    const TraceDescription description{"top",
                                       {{"a.hidden", 8, &byte, 0},
                                        {"x.c", 3, &colour, 0, true},
                                        {"x.d", 3, &real, 0, true},
                                        {"x.m[1]", 3, &byte, 1, true},
                                        {"x.on", 4, &flag, 0, true},
                                        {"x.p.i", 3, &offset, 0, true}},
                                       {10, true}};
    const std::string tail =
        "top.x.d\n@24\ntop.x.m.m[1][7:0]\n@28\ntop.x.on\n@420\ntop.x.p.i[4:0]\n";
    CHECK(savedText(description, "some/run.vcd")
          == "[dumpfile] \"run.vcd\"\n[timestart] 0\n[sst_expanded] 1\n*-5 0 -1\n"
             "@28\ntop.clk\ntop.x.c\n"
                 + tail);
    CHECK(savedText(description, "run.fst")
          == "[dumpfile] \"run.fst\"\n[timestart] 0\n[sst_expanded] 1\n*-5 0 -1\n"
             "@28\ntop.clk\n@100000028\ntop.x.c[1:0]\n@28\n"
                 + tail);
}

TEST_CASE("save files: all signals where none is exposed, but not more than fit") {
    const Type byte = scalarOf(Kind::Unsigned, 8);
    TraceDescription description{"top", {}, {10, false}};
    for (int i = 0; i < 1000; ++i)
        description.signals.push_back({"x.v" + std::to_string(i), 5, &byte, 0});
    const std::string text = savedText(description, "run.vcd");
    CHECK(std::count(text.begin(), text.end(), '\n') == 205);
}

TEST_CASE("save files: somebody's own is not replaced") {
    const std::string path = saveFilePath("save_file_test.vcd", *formatOf("x.vcd", true));
    CHECK(path == "save_file_test.gtkw");
    std::remove(path.c_str());
    CHECK(mayReplaceSaveFile(path));
    const std::string ours =
        saveFileText({"top", {}, {10, true}}, *formatOf("x.vcd", true), "save_file_test.vcd");
    const auto holds = [&](const std::string& text) { std::ofstream(path) << text; };
    holds(ours);
    CHECK(mayReplaceSaveFile(path));
    holds(ours + "@24\ntop.x.v\n");
    CHECK_FALSE(mayReplaceSaveFile(path));
    holds("[*] GTKWave Analyzer\n");
    CHECK_FALSE(mayReplaceSaveFile(path));
    holds("");
    CHECK_FALSE(mayReplaceSaveFile(path));
    std::remove(path.c_str());
    CHECK_FALSE(mayReplaceSaveFile("."));
}
