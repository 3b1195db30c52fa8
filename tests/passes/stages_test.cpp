#include <catch2/catch.hpp>

#include "../lower/compile.h"
#include "ir/analysis.h"
#include "ir/lanes.h"

namespace {

using namespace smec;

std::unique_ptr<Compiled> ring(const std::string& declarations, const std::string& body) {
    return compile(
        "const table: [8]u8 = [3, 1, 4, 1, 5, 9, 2, 6];\n"
        "func stirred(x: u16): u16 { var h: u16 = x; for i = 0 until 16 { "
        "h = u16(h * 5 + i) ^ (h >> 3); h = h > 99 ? u16(h - i) : h; } return h; }\n"
        "proc p(in x, out y) "
            + declarations + " { " + body
            + " y.much = stirred(x.much); }\n"
              "network top() { bus b[20] { v: u8; w: u8 = 2; row: [64]u8; much: u16; };\n"
              "generate i = 0 until 20 { instance q[i] of p(b[(i + 1) % 20], b[i]); } }\n",
        false, true);
}

/// A letter for each stage: = in lanes, m accesses to memory; nothing where there are no stages.
std::string stages(const std::string& declarations, const std::string& body) {
    const auto compiled = ring(declarations, body);
    const ir::Class& cls = compiled->cls("p");
    const auto values = ir::intervals(cls.body, cls.columns, cls.inputs, compiled->ir);
    if (!ir::fillsLanesInStages(cls, values)) return "";
    std::string letters;
    for (const ir::Stmt& stmt : cls.body.statements) {
        const char letter = ir::isAccess(cls.body, stmt) ? 'm' : '=';
        if (letters.empty() || letters.back() != letter) letters += letter;
    }
    return letters;
}

const char* const kMem = "var m: [64]u8; var n: u8;";

}  // namespace

TEST_CASE("what a memory gives and takes stands apart", "[passes][lanes]") {
    CHECK(stages(kMem, "n = m[x.v[5:0]] ^ n; y.v = n;") == "=m=");
    CHECK(stages(kMem, "m[n[5:0]] = x.v; n = x.w;") == "=m=");
    CHECK(stages(kMem, "if (x.v > 3) { n = m[x.v[5:0]]; } y.v = n;") == "=m=");
    // the first one's result says where the second one reads
    CHECK(stages(kMem, "y.v = m[m[x.v[5:0]][5:0] ^ 1];") == "=m=m=");
    // independent reads and what is computed of them: one stretch
    CHECK(stages(kMem, "n = m[n[5:0]] ^ x.w; y.w = m[x.v[5:0]] ^ n; y.v = m[7];") == "=m=");
    // a read behind a write of the same memory is in the same stretch
    CHECK(stages(kMem, "m[x.v[5:0]] = n; y.v = m[x.w[5:0]] ^ 1;") == "=m=");
    CHECK(stages("", "y.v = table[x.v[2:0]] ^ x.w;") == "=m=");
    CHECK(stages("var n: u8;", "n = x.row[x.v[5:0]] ^ n; y.v = n;") == "=m=");
}

TEST_CASE("what no stages are made of", "[passes][lanes]") {
    CHECK(stages(kMem, "assert(m[x.v[5:0]] < 9); y.v = 1;") == "");
    CHECK(stages(kMem, "trace(\"{}\", m[x.v[5:0]]);") == "");
    CHECK(stages(kMem, "n = m[x.v[5:0]] / 3; y.v = n;") == "");
    CHECK(stages(kMem, "var t: [64]u8; t = m; y.v = t[x.v[5:0]];") == "");
    CHECK(stages("", "y.row[x.v[5:0]] = x.w;") == "");
    // too little to compute for each access
    std::string many;
    for (int i = 0; i < 20; ++i)
        many += "m[x.v[5:0] ^ " + std::to_string(i) + "] = m[n[5:0] ^ " + std::to_string(i) + "]; ";
    CHECK(stages(kMem, many) == "");
    // five of them, one behind the other
    CHECK(stages(kMem,
                 "n = m[x.v[5:0]] ^ 1; n = m[n[5:0]] ^ 1; n = m[n[5:0]] ^ 1; n = m[n[5:0]] ^ 1; "
                 "n = m[n[5:0]] ^ 1; y.v = n;")
          == "");
}

TEST_CASE("accesses under a condition keep it", "[passes][lanes]") {
    const auto compiled = ring("var m: [50]u8; var n: u8;",
                               "if (x.v < 50) { m[x.v] = n; if (n < 50) { n = m[n]; } }");
    std::size_t writes = 0, reads = 0;
    for (const ir::Stmt& stmt : compiled->cls("p").body.statements) {
        if (!ir::isAccess(compiled->cls("p").body, stmt)) continue;
        REQUIRE(std::holds_alternative<ir::If>(stmt.node));
        ++(std::get<ir::If>(stmt.node).no.empty() ? writes : reads);
    }
    CHECK(writes == 1);
    CHECK(reads == 1);
}
