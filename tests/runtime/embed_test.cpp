// sme/simulation.hpp over compiled designs: objects of C++, alone and in several threads.

#include <sme/simulation.hpp>

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <thread>
#include <vector>

#include "test_models.h"

using namespace sme;
using namespace sme::test;

namespace {

sme_library libraryOf(const Model& model) {
    return {SME_SIMULATION_VERSION,    sizeof(sme_library), model.name, "test", model.hash, &model,
            sme_compiled_simulations()};
}

/// As a generated header has it.
struct LinkBus {
    LinkBus(const embed::Place& in, const char* name) noexcept;
    embed::Place place_;
    embed::Signal<std::uint32_t> v;
};
constexpr embed::Members<1> kMembers = {{{offsetof(LinkBus, v), ".v", nullptr, 0}}};
LinkBus::LinkBus(const embed::Place& in, const char* name) noexcept {
    place_.make(in, name, kMembers);
}

template <typename Function>
std::string thrownBy(const Function& function) {
    try {
        function();
    } catch (const embed::Error& error) {
        return error.what();
    }
    return "nothing";
}

}  // namespace

TEST_CASE("embed: fields, elements, and states") {
    Ring ring(5);
    const Model& model = ring.model();
    const sme_library library = libraryOf(model);
    embed::Simulation sim(&library, {{"threads", "2"}});
    embed::Elements<LinkBus, 5> link(sim.root(), "link");
    CHECK(sim.step(8) == 8);
    CHECK(link[3].v == Ring::expected(5, 3, 8));
    const embed::Snapshot kept = sim.snapshot();
    link[0].v = 7;
    CHECK((link[0].v == 7 && sim.signal<std::uint32_t>("link[0].v").get() == 7));
    sim.restore(kept);
    CHECK(link[0].v == Ring::expected(5, 0, 8));
    sim.goTo(9);
    CHECK(sim.runUntil([&] { return sim.cycle() == 12; }));
    CHECK(thrownBy([&] { sim.runUntil([&] { return sim.step() == 1; }); })
          == "a simulation cannot be run from within its own run");
    CHECK(thrownBy([&] { link[5]; }) == "'link' has elements 0 to 4, not 5");
    CHECK(thrownBy([&] { sim.signal<std::uint32_t>("link[0].w"); }).ends_with("'link[0].v'?"));
    CHECK(thrownBy([&] { sim.signal<std::uint8_t>("link[0].v"); })
          == "a value of u32 has 4 bytes, not 1");
    CHECK(thrownBy([&] {
              embed::Simulation(&library, {{"treads", "1"}});
          }).starts_with("no option 'treads'"));
}

TEST_CASE("embed: registers and what is combinational are of one moment") {
    Mixed mixed({});
    const Model& model = mixed.model();
    const sme_library library = libraryOf(model);
    embed::Simulation sim(&library, {{"threads", "2"}});
    const auto made = sim.signal<std::uint16_t>("mix[3].v");
    const auto from = sim.signal<std::uint32_t>("src[3].v"),
               other = sim.signal<std::uint32_t>("src[4].v");
    const auto expected = [&] { return static_cast<std::uint16_t>(from.get() * 31 + other.get()); };
    CHECK(sim.runUntil([&] { return made.get() != expected() || sim.cycle() == 20; }));
    CHECK((sim.cycle() == 20 && made.get() == expected()));
    sim.goTo(7);
    CHECK(made.get() == expected());
}

TEST_CASE("embed: a failure is an error, a stop is not") {
    MixedPlan plan;
    plan.stopCycle = 3;
    plan.failCycle = 6;
    plan.trace = false;
    Mixed mixed(plan);
    const Model& model = mixed.model();
    const sme_library library = libraryOf(model);
    embed::Simulation sim(&library);
    CHECK((sim.step(10) == 4 && sim.stopStatus() == 5));
    const std::string text = thrownBy([&] { sim.step(10); });
    CHECK(text.find("assertion failed: sink 2") != std::string::npos);
    CHECK(sim.cycle() == 7);
    sim.reset();
    sim.step(10);
    CHECK(thrownBy([&] { sim.step(10); }) == text);
}

TEST_CASE("embed: simulations in threads, from one state") {
    Mixed mixed({.trace = false});
    const Model& model = mixed.model();
    const sme_library library = libraryOf(model);
    embed::Simulation first(&library, {{"threads", "2"}});
    first.step(20);
    const embed::Snapshot kept = first.snapshot();
    std::vector<std::uint64_t> sums(4);
    std::vector<std::thread> threads;
    for (std::uint64_t& sum : sums)
        threads.emplace_back([&] {
            embed::Simulation sim(&library, {{"threads", &sum == &sums[0] ? "2" : "1"}});
            sim.restore(kept);
            sim.step(30);
            sum = sim.checksum();
        });
    for (std::thread& thread : threads)
        thread.join();
    first.step(30);
    CHECK(std::all_of(sums.begin(), sums.end(),
                      [&](std::uint64_t sum) { return sum == first.checksum(); }));
}

TEST_CASE("embed: two threads that use one simulation get errors, and no more") {
    Ring ring(64);
    const Model& model = ring.model();
    const sme_library library = libraryOf(model);
    embed::Simulation sim(&library, {{"threads", "2"}});
    const embed::Signal<std::uint32_t> link(sim.root(), "link[9].v");
    std::uint64_t ran[2] = {};
    std::string wrong[2];
    const auto use = [&](unsigned me) {
        for (int i = 0; i < 400; ++i) {
            const std::string why = thrownBy([&] {
                switch (i % 4) {
                case 0: link.set(link.get()); break;
                case 1: sim.eval(); break;
                default: sim.signal<std::uint32_t>("link[" + std::to_string(i % 64) + "].v"); break;
                }
            });
            if (thrownBy([&] { sim.step(); }) == "nothing") ++ran[me];
            if (why != "nothing" && why != "the simulation is used by another thread")
                wrong[me] = why;
        }
    };
    std::thread other(use, 1u);
    use(0);
    other.join();
    CHECK(wrong[0].empty());
    CHECK(wrong[1].empty());
    CHECK(sim.cycle() == ran[0] + ran[1]);
}
