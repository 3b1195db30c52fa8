#include "driver/verify/verify.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "driver/system/scratch_folder.h"
#include "driver/system/task_pool.h"
#include "driver/verify/formal.h"

using namespace smec::driver;

namespace {

std::string enginesOf(const std::string& text) {
    std::vector<std::string> engines;
    std::string result = parseEngineList(text, engines);
    for (const std::string& engine : engines)
        result += "|" + engine;
    return result;
}

VerifyRow row(const char* engine, const char* plan, Outcome outcome) {
    VerifyRow result;
    result.engine = engine;
    result.plan = plan;
    result.outcome = outcome;
    if (outcome == Outcome::Agrees) {
        result.cycles = 10;
        result.fields = 2;
        result.seconds = 0.5;
    }
    return result;
}

VerifyResult result(std::vector<VerifyRow> rows) {
    VerifyResult all;
    all.reference = row("interpreter", "", Outcome::Agrees);
    all.rows = std::move(rows);
    return all;
}

TraceComparison compared(const std::string& expected, const std::string& got) {
    const ScratchFolder folder("smec-verify-test");
    std::ofstream(folder.path() / "expected") << expected;
    std::ofstream(folder.path() / "got") << got;
    return compareTraces(folder.path() / "expected", folder.path() / "got", 2);
}

}  // namespace

TEST_CASE("lists of engines") {
    CHECK(enginesOf("") == "");
    CHECK(enginesOf("ghdl,cpp,ghdl") == "|ghdl|cpp");
    CHECK(enginesOf("vcs").find("--engines takes cpp, icarus, verilator, ghdl") == 0);
}

TEST_CASE("what test benches print") {
    VerifyRow passed;
    readBench("a.sv:3: $finish called\nPASSED: 12 cycles\n", passed);
    CHECK((passed.outcome == Outcome::Agrees && passed.cycles == 12));
    VerifyRow wrong;
    readBench(
        "cycle 3: s[1].v: expected -1, got 7\ncycle 3: t: expected 0, got x\nFAILED in cycle 3\n",
        wrong);
    CHECK((wrong.outcome == Outcome::Differs && wrong.cycles == 4 && wrong.different == 2));
    REQUIRE(wrong.first.size() == 2);
    CHECK(wrong.first[0] == Difference{3, "s[1].v", "-1", "7"});
    VerifyRow silent;
    readBench("Segmentation fault\n", silent);
    CHECK(silent.outcome == Outcome::Failed);
}

TEST_CASE("traces are compared by name and cycle") {
    const std::string trace = "cycle,a,b\n0,1,2\n1,3,4\n";
    CHECK(compared(trace, trace) == TraceComparison{2, 2, "", 0, {}});
    CHECK(compared(trace, "cycle,b,a\n0,2,1\n1,4,3\n") == TraceComparison{2, 2, "", 0, {}});
    CHECK(compared(trace, "cycle,a,b\n0,1,2\n1,3,5\n")
          == TraceComparison{2, 2, "", 1, {{1, "b", "4", "5"}}});
    CHECK(compared(trace, "cycle,a,b\n0,1,2\n").first
          == std::vector<Difference>{{1, "the run", "goes on", "ends"}});
    CHECK(compared(trace, "cycle,a\n0,1\n").problem == "'b' is not in its trace");
    CHECK(compared(trace, "").problem == "no trace");
}

TEST_CASE("the verdict counts what took part") {
    const VerifyRow good = row("C++", "m1, 1 thread", Outcome::Agrees);
    VerifyRow wrong = row("Icarus Verilog", "Verilog", Outcome::Differs);
    wrong.cycles = 4;
    wrong.different = 3;
    wrong.first = {{3, "a", "1", "2"}};
    const VerifyRow missing = row("GHDL", "VHDL", Outcome::NotFound);
    CHECK(verdict(result({good, missing})) == "verify: 1 of 1 agree over 10 cycles; 1 not found");
    CHECK(verifyStatus(result({good, missing})) == 0);
    CHECK(verifyStatus(result({missing})) == 3);
    CHECK(verifyStatus(result({row("GHDL", "VHDL", Outcome::NotHardware)})) == 1);
    const VerifyResult all = result({good, wrong, missing});
    CHECK(verifyStatus(all) == 1);
    const std::string table = verifyTable(all);
    CHECK(table.find("C++             m1, 1 thread      10       2  0.50 s  agrees\n")
          != std::string::npos);
    CHECK(table.find("Icarus Verilog (Verilog):\n  cycle 3: a: expected 1, got 2\n"
                     "  and 2 more in that cycle\n")
          != std::string::npos);
    const auto json = nlohmann::json::parse(verifyJson(all));
    CHECK(json["engines"][1]["differences"][0]["got"] == "2");
}

TEST_CASE("ports are told apart by name") {
    const FormalPorts expected{{"a", {true, 1}}, {"b", {false, 8}}};
    CHECK(portDifferences(expected, expected).empty());
    CHECK(portDifferences(expected, {{"b", {false, 7}}, {"c", {true, 1}}})
          == std::vector<std::string>{"there is no 'a', input of 1 bit",
                                      "'b' is an output of 7 bits, not an output of 8 bits",
                                      "'c', input of 1 bit, is one too many"});
}

TEST_CASE("registers of other names are paired in the order of the source") {
    FormalModule expected, got;
    expected.registers = {
        {"same", 8, {1, 1}}, {"u.a", 4, {9, 1}}, {"u.z", 4, {2, 5}}, {"x", 3, {}}};
    got.registers = {{"same", 8, {1, 1}}, {"u.c", 4, {3, 1}}, {"u.d", 4, {3, 9}}, {"v.x", 3, {}}};
    CHECK(registerPairs(expected, got)
          == std::vector<std::pair<std::string, std::string>>{{"u.z", "u.c"}, {"u.a", "u.d"}});
}

TEST_CASE("counterexamples") {
    const FormalPorts ports{
        {"clk", {true, 1}}, {"rst", {true, 1}}, {"x", {true, 8}}, {"y", {false, 8}}};
    const SearchResult found =
        readSearch("Base case for induction length 1 proven.\n"
                   "SAT temporal induction proof finished - model found for base case: FAIL!\n"
                   "  Time Signal Name   Dec  Hex  Bin\n  ---- ------\n"
                   "  init \\gate.c   1  1  1\n"
                   "     1 \\in_rst     1  1  1\n     1 \\in_x  255  ff  11111111\n"
                   "     2 \\in_rst     0  0  0\n     2 \\in_x  3  3  00000011\n"
                   "     2 \\gold_y     1  1  00000001\n     2 \\gate_y  2  2  00000010\n",
                   ports, true);
    REQUIRE(found.counterexample);
    CHECK(found.cycles == 0);
    FormalResult wrong;
    wrong.name = "top";
    wrong.proof = Proof::Differs;
    wrong.counterexample = found.counterexample;
    CHECK(formalText({wrong}, "a.sme", "b.v")
          == "a.sme against b.v\ntop: DIFFERS\n  inputs:\n    cycle rst   x\n    reset   1 255\n"
             "        0   0   3\n  cycle 0: y: expected 1, got 2\n"
             "verify: 0 of 1 proved equal; 1 differ\n");
    CHECK(formalStatus({wrong}) == 1);
    FormalResult bounded;
    CHECK(formalStatus({bounded}) == 4);
}

TEST_CASE("a task may add others, and failures come out") {
    TaskPool pool(2);
    std::atomic<int> sum = 0;
    pool.add([&] {
        for (int i = 0; i < 10; ++i)
            pool.add([&sum, i] { sum += i; });
    });
    pool.wait();
    CHECK(sum == 45);
    pool.add([] { throw std::runtime_error("no"); });
    CHECK_THROWS_AS(pool.wait(), std::runtime_error);
}
