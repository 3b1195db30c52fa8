// Uses two generated headers: kinds.hpp, linked, and ring.hpp, by dlopen. argv[1]: the library of the ring; argv[2]: a folder to write in.

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "kinds.hpp"
#include "ring.hpp"

namespace {

int failures = 0;

void check(bool condition, const char* text, int line) {
    if (!condition) std::printf("line %d: %s\n", line, text), ++failures;
}
#define CHECK(...) check(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __LINE__)

template <typename Function>
std::string thrown(const Function& function) {
    try {
        function();
    } catch (const sme::embed::Error& error) {
        return error.what();
    }
    return "nothing";
}
bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

void values() {
    sme_kinds::Simulation sim;
    CHECK(sim.dut.cmd.colour == sme_kinds::light::BLUE);
    CHECK(sim.dut.cmd.level.get() == sme_kinds::depth::HIGH);
    sim.dut.cmd.b = true;
    sim.dut.cmd.n = 31;
    sim.dut.cmd.m = -65536;
    sim.dut.cmd.w = ~std::uint64_t{0};
    sim.dut.cmd.long_ = sme::embed::Wide<200, false>({1, 2, 3, 4});
    sim.dut.cmd.far = -5;
    sim.dut.cmd.twice = 2.5;
    sim.dut.cmd.colour = sme_kinds::light::GREEN;
    sim.dut.cmd.level = sme_kinds::depth::DEEP;
    sim.dut.cmd.list = {-1, 0, 255};
    sim.dut.cmd.at = sme_kinds::point{-7, {1, 2}};
    sim.dut.cmd.grid[1][0] = 77;
    sim.step();
    CHECK(sim.dut.res.b && sim.dut.res.n == 31 && sim.dut.res.m == -65536);
    CHECK(sim.dut.res.w == ~std::uint64_t{0});
    CHECK(sim.dut.res.long_.get().hex()
          == "0x0000000000000004000000000000000300000000000000020000000000000001");
    CHECK(sim.dut.res.far.get() == sme::embed::Wide<100, true>(-5) && sim.dut.res.far.get() < 0);
    CHECK(sim.dut.res.twice == 2.5 && sim.dut.res.single == 1.5f);
    CHECK(sim.dut.res.colour == sme_kinds::light::GREEN
          && sim.dut.res.level == sme_kinds::depth::DEEP);
    CHECK(sim.dut.res.list.get()[2] == 255 && sim.dut.res.list[0] == -1);
    CHECK(sim.dut.res.at.get() == sme_kinds::point{-7, {1, 2}});
    CHECK(sim.dut.res.grid[1][0] == 77 && sim.dut.res.grid[1][0].path() == "res.grid[1][0]");
    sim.dut.cmd.n = sim.dut.cmd.digit;
    CHECK(sim.dut.cmd.n == 2 && sim.dut.it.n == 1);
    CHECK(has(thrown([&] { sim.dut.cmd.n = 32; }), "no value of u5"));
    CHECK(has(thrown([&] { sim.dut.cmd.digit = 0; }), "no value of"));
    CHECK(has(thrown([&] { sim.dut.cmd.n = 256 + 7; }), "'cmd.n': 263 is no value of u5"));
    CHECK(has(thrown([&] { sim.dut.cmd.n = -1; }), "'cmd.n': -1 is no value of u5"));
    CHECK(has(thrown([&] { sim.dut.cmd.w = -1; }), "'cmd.w': -1 is no value of u64"));
    CHECK(has(thrown([&] { sim.dut.cmd.m = std::uint64_t{1} << 32; }), "is no value of i17"));
    sim.dut.cmd.w = 1000;
    CHECK(has(thrown([&] { sim.dut.cmd.n = sim.dut.cmd.w; }), "1000 is no value of u5"));
    sim.dut.cmd.m = sim.dut.cmd.digit;
    CHECK(sim.dut.cmd.m == 2 && sim.dut.cmd.n == 2);
    CHECK(sim.dut.res.n.driver() == "it" && sim.dut.it.n.driver() == "it");
    CHECK(sim.dut.cmd.n.driver().empty());
    sim.dut.res.n = 9;  // an output: its process drives it again in the next cycle
    CHECK(sim.dut.res.n == 9 && sim.step() == 1 && sim.dut.res.n == 2);
    CHECK(has(thrown([&] { sim.signal<bool>("no.such"); }), "no field or variable 'no.such'"));
}

void elements(const sme_library* library, const std::string& folder) {
    sme_ring::Simulation sim(library, {{"threads", "1"}});
    sim.step(10);
    CHECK(sim.cycle() == 10 && sim.dut.link.size() == 4);
    CHECK(sim.dut.link[3].v == sim.signal<std::uint32_t>("link[3].v").get());
    CHECK(has(thrown([&] { sim.dut.link[4]; }), "'link' has elements 0 to 3, not 4"));
    auto& node = sim.dut.at[2];
    node.seen = 5;
    CHECK(sim.dut.at[2].seen == 5);
    node = sim.dut.at[1];  // their values
    CHECK(node.seen == sim.dut.at[1].seen && node.seen != 5 && node.seen.path() == "at[2].seen");
    const auto copy = sim.dut.at[1];  // the same instance
    copy.seen = 6;
    CHECK(sim.dut.at[1].seen == 6 && copy.seen.path() == "at[1].seen");

    const sme::embed::Snapshot kept = sim.snapshot();
    const std::uint64_t before = sim.checksum();
    sim.trace(folder + "/typed.csv", {"link*"});
    CHECK(sim.runUntil(20) && sim.cycle() == 20);
    sim.endTrace();
    std::ifstream trace(folder + "/typed.csv");
    std::string header;
    CHECK(std::getline(trace, header) && header == "cycle,link[0].v,link[1].v,link[2].v,link[3].v");
    sim.restore(kept);
    CHECK(sim.checksum() == before);
    CHECK(sim.runUntil([&] { return sim.cycle() == 13; }) && sim.cycle() == 13);
    CHECK(!sim.runUntil([] { return false; }, 15) && sim.cycle() == 15);
    bool isThrough = false;
    try {
        sim.runUntil([]() -> bool { throw 3; });
    } catch (int) {
        isThrough = true;
    }
    CHECK(isThrough && sim.step() == 1);
    CHECK(
        has(thrown([&] { sim.runUntil([&] { return sim.step() == 1; }); }), "within its own run"));
    sim.reset();
    CHECK(sim.cycle() == 0);
    sim.goTo(7);
    CHECK(sim.cycle() == 7);
    sme_ring::Simulation other(library);
    other.step(7);
    CHECK(other.checksum() == sim.checksum());
}

}  // namespace

int main(int, char** argv) {
    values();
    elements(sme::embed::open(argv[1]), argv[2]);
    CHECK(has(thrown([&] { sme_kinds::Simulation sim(sme::embed::open(argv[1])); }),
              "of another design than its header"));
    CHECK(has(thrown([] { sme::embed::open("no.so"); }), "no.so"));
    CHECK(has(thrown([] {
                  sme_kinds::Simulation sim(sme::embed::Options{{"treads", "1"}});
              }),
              "no option 'treads'"));
    if (failures == 0) std::puts("all good");
    return failures == 0 ? 0 : 1;
}
