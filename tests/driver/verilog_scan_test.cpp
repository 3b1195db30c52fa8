#include "driver/verilog/scan/findings.h"
#include "driver/verilog/scan/port_signs.h"

#include <catch2/catch.hpp>

#include <random>

#include <fmt/format.h>

using namespace smec::driver;
using namespace smec::driver::scan;

namespace {

/// "rule:line:column about" of each finding in a text.
std::vector<std::string> found(const std::string& text, VerilogInput input = {},
                               const std::string& name = "m.v") {
    Texts texts;
    texts.add(name, text);
    input.files = {name};
    std::vector<std::string> all;
    for (const Finding& one : findAll(input, texts))
        all.push_back(fmt::format("{}:{}:{} {}", ruleOf(one.rule).name, one.at.line, one.at.column,
                                  one.about));
    return all;
}

using List = std::vector<std::string>;

const std::string kMixed = R"(`define M(a, b) a``b
`ifdef SYNTHESIS
`define W 8
`endif
module low(input clk, input [3:0] d, output reg [`W-1:0] q);
  (* full_case *) always @(posedge clk) begin q <= d; q = `M(4'd, 3); end
endmodule
module m(input clk, input [3:0] d, output [7:0] y);
  low u(.clk(clk), .d(d), .q(y)); // synthesis translate_off
  wire z = u.q[0]; /* synthesis translate_on */
  function f(input a); reg k; begin if (a) k = 1; f = k; end endfunction
  wire t = f(d[0]);
  initial begin : b integer i; for (i = 0; i < 4; i = i + 1) $display("%d", i); end
endmodule
)";

}  // namespace

TEST_CASE("what stands in a text is found at its place") {
    CHECK(
        found(kMixed)
        == List{"synthesis-words:2:8 1 condition on SYNTHESIS or YOSYS, 1 region of translate_off "
                "and 1 full_case or parallel_case",
                "mixed-assignments:6:55 q", "static-local:11:55 k"});
}

TEST_CASE("signs of ports, by their words and by the names of their types") {
    using Names = std::set<std::string, std::less<>>;
    const auto signs = [](const std::string& text) {
        Texts texts;
        texts.add("m.sv", text);
        VerilogInput input;
        input.files = {"m.sv"};
        std::map<std::string, Names> names;
        for (const auto& [module, ports] : signedPorts(input, texts)) {
            names[module] = ports.isSigned;
            for (const auto& [port, unknown] : ports.unknown)
                names[module].insert(port + "? " + unknown.type + " " + unknown.place);
        }
        return names;
    };
    using Signs = std::map<std::string, Names>;
    CHECK(signs("module m(input signed [7:0] a, b, input [7:0] c, output reg signed \\d+ , e);\n"
                "endmodule\nmodule n(input a); endmodule\n")
          == Signs{{"m", Names{"a", "b", "d+", "e"}}});
    CHECK(signs("module m(a, b, c); input signed [7:0] a; input [7:0] b; output [7:0] c;\n"
                "wire [7:0] a; wire signed [7:0] b; generate if (1) begin : g wire signed c; end\n"
                "endgenerate endmodule\n")
          == Signs{{"m", Names{"a", "b"}}});
    CHECK(signs("`define S signed\nmodule m(input `S [1:0][3:0] a, input int b, output byte "
                "unsigned c,\n"
                "input logic signed [7:0] d [2], output longint e, output time f); endmodule\n")
          == Signs{{"m", Names{"a", "b", "e"}}});
    const std::string types =
        "typedef logic signed [3:0] s4;\ntypedef s4 same;\ntypedef s4 [1:0] two;\n"
        "typedef enum { A, B } number;\ntypedef enum logic [1:0] { C } bits;\n"
        "typedef struct packed signed { logic [3:0] x; byte y; } whole;\n"
        "typedef struct packed { byte y; } part;\n"
        "package p; typedef shortint own; typedef s4 as; endpackage\n"
        "package q; typedef logic [3:0] as; endpackage\n";
    CHECK(signs(types
                + "module m(input s4 a, output same b, two c, input number d, bits e, whole f,\n"
                  "part g, p::own h, input p::as i, input q::as j, input as k, input s4 [1:0] l,\n"
                  "output own n); endmodule\n")
          == Signs{{"m", Names{"a", "b", "d", "f", "h", "i", "k? as m.sv:11.58-11.59", "n"}}});
    CHECK(signs("typedef a b;\ntypedef b a;\nmodule m(input a x); endmodule\n")
          == Signs{{"m", Names{"x? a m.sv:3.18-3.19"}}});
    CHECK(signs(types
                + "module m import q::*; (input as a); endmodule\n"
                  "module n import p::*, q::as; (input as a, input own b); endmodule\n"
                  "module o (input as a); import p::as; endmodule\n")
          == Signs{{"n", Names{"b"}}, {"o", Names{"a"}}});
    CHECK(signs(types + "module m(input as a); endmodule\n")
          == Signs{{"m", Names{"a? as m.sv:10.19-10.20"}}});
}

TEST_CASE("signs of ports whose type is a parameter") {
    const auto signs = [](const std::string& parameters, const std::string& above) {
        Texts texts;
        texts.add("m.sv", "module m #(" + parameters + ") (input t a, input [1:0] b); endmodule\n"
                              + "module top; typedef byte own; " + above + " endmodule\n");
        VerilogInput input;
        input.files = {"m.sv"};
        const PortSigns found = signedPorts(input, texts);
        const auto m = found.find("m");
        if (m == found.end()) return "none";
        return m->second.isSigned.contains("a") ? "sign" : "unknown";
    };
    using Text = std::string;
    CHECK(signs("parameter type t = byte", "") == Text("sign"));
    CHECK(signs("parameter type t = logic signed [7:0]", "m u();") == Text("sign"));
    CHECK(signs("parameter type t = logic [7:0]", "m #(.n(3)) u();") == Text("none"));
    CHECK(signs("parameter type u = byte, t = logic [7:0]", "m #(.u(int)) u();") == Text("none"));
    CHECK(signs("parameter type t = byte", "m #(.t(own)) u(.a(1));") == Text("sign"));
    CHECK(signs("parameter type t = byte", "m #(.t(logic [1:0])) u();") == Text("unknown"));
    CHECK(signs("parameter int w = 3, parameter type t", "m #(.t(own)) u();") == Text("sign"));
    CHECK(signs("parameter type t", "") == Text("unknown"));
    CHECK(signs("parameter type t = byte", "m #(logic) u();") == Text("unknown"));
}

TEST_CASE("macros, conditions and the user's definitions") {
    VerilogInput input;
    input.defines = {"SYNTHESIS", "N=u.x"};
    const std::string text = "`ifndef SYNTHESIS\n`error\n`else\nmodule m(output y);\n  low u();\n"
                             "  assign y = `N;\nendmodule\n`endif\n";
    CHECK(found(text, input) == List{"hierarchical-name:6:14 u.x"});
    CHECK(found("`define A `B `B\n`define B `A `A\nmodule m; `A endmodule\n").empty());
    CHECK(found("`include \"m.v\"\n`include \"m.v\"\n").empty());
}

TEST_CASE("names in other modules, and those that are not") {
    const auto module = [](const std::string& body) {
        return "module low(input a); wire b; endmodule\nmodule m(input a, output y);\n" + body
               + "\nendmodule\n";
    };
    CHECK(found(module("low u(.a(a)); assign y = u.b;")) == List{"hierarchical-name:3:26 u.b"});
    CHECK(found(module("assign y = top.m.a;")) == List{"hierarchical-name:3:12 top.m.a"});
    CHECK(found(module("if (1) begin : g low u(a); end assign y = g.u.b;"))
          == List{"hierarchical-name:3:43 g.u.b"});
    CHECK(found(module("genvar i; for (i = 0; i < 2; i = i + 1) begin : r wire t = a; end\n"
                       "assign y = r[1].t & 1.5e0 > 0; low u(.a(r[0].t)); defparam u.P = 3;"))
          == List{"real-number:4:21 1.5e0"});
}

TEST_CASE("loops that count in their variable's bits") {
    const auto loop = [](const std::string& kind, const std::string& head,
                         const std::string& body) {
        return "module m(input [3:0] d, output reg [7:0] y);\n  " + kind
               + " k; integer i;\n  always @* begin y = 0;\nfor (" + head + ") " + body
               + "\nend\nendmodule\n";
    };
    CHECK(found(loop("reg [1:0]", "k = 1; k != 0; k = k + 1", "y = y + 1;"))
          == List{"loop-wrap:4:6 k"});
    CHECK(found(loop("reg [3:0]", "k = 8; k != 0; k = k << 1", "y = y + 1;"))
          == List{"loop-wrap:4:6 k"});
    CHECK(found(loop("reg [2:0]", "k = 7; k >= 0; k = k - 1", "y = y + 1;"))
          == List{"loop-wrap:4:6 k"});
    CHECK(found(loop("reg [2:0]", "k = 0; k < 4; k = k + 1", "y[k + 1] = d[k];")).empty());
    CHECK(found(loop("reg [2:0]", "k = 0; k < 4; k = k + 1", "y = y ^ {k, d};"))
          == List{"loop-width:4:40 k"});
    CHECK(found(loop("integer", "k = 0; k < 4; k = k + 1", "y = y ^ {k, d};")).empty());
    CHECK(found(loop("integer", "k = 0; k < 4; k = k + 1", "begin y = d; k = k + 2; end"))
          == List{"loop-variable:4:44 k"});
}

TEST_CASE("a memory that is written and then loaded") {
    const auto memory = [](const std::string& body) {
        return "module m;\nreg [7:0] r [0:3]; integer i;\ninitial begin " + body
               + " end\nendmodule\n";
    };
    CHECK(found(memory("for (i = 0; i < 4; i = i + 1) r[i] = 0; $readmemh(\"f\", r);"))
          == List{"memory-load:3:70 r"});
    CHECK(found(memory("$readmemh(\"f\", r); r[0] = 1;")).empty());
    CHECK(found(memory("if (i) r[0] = 1; else $readmemh(\"f\", r);")).empty());
}

TEST_CASE("whatever the bytes are, a scan ends") {
    std::mt19937 random(5);
    const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
    for (int round = 0; round < 2000; ++round) {
        std::string text = kMixed;
        for (std::size_t k = 1 + below(8); k > 0; --k) {
            const std::size_t at = below(text.size());
            switch (below(5)) {
            case 0: text[at] = static_cast<char>(random()); break;
            case 1: text.erase(at, 1 + below(20)); break;
            case 2: text.insert(at, kMixed.substr(below(kMixed.size()), below(60))); break;
            case 3: text.insert(at, 1, "()[]{}`;\"'\\:=<.#@*/\n"[below(20)]); break;
            default: text.resize(at + 1); break;
            }
            if (text.empty()) text = ";";
        }
        found(text);
    }
    for (int round = 0; round < 50; ++round) {
        std::string text(below(3000), ' ');
        for (char& c : text)
            c = static_cast<char>(random());
        found(text);
    }
    for (const char* piece : {"(", "begin ", "if (", "module m; always ", "`ifdef A ", "a[", "{",
                              "case (a) a: ", "? "}) {
        std::string text = "module m; initial ";
        while (text.size() < 200'000)
            text += piece;
        found(text);
    }
}

TEST_CASE("each rule has its row, and a severity for somebody") {
    for (const Rule& rule : rules()) {
        CHECK(rule.message.find("{1}") != std::string_view::npos);
        CHECK((rule.old != Effect::None || rule.now != Effect::None || rule.slang != Effect::None));
    }
    CHECK(effectOf(ruleOf(RuleId::TwoResets), {false, 23, "Yosys 0.23"}) == Effect::Refused);
    CHECK(effectOf(ruleOf(RuleId::TwoResets), {false, 70, "Yosys 0.70"}) == Effect::Warned);
    CHECK(effectOf(ruleOf(RuleId::TwoResets), {true, 70, "Yosys 0.70"}) == Effect::None);
}
