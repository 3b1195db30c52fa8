// The table of C functions over compiled designs.

#include <sme/simulation.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cli/options.h"
#include "sme/options.h"
#include "test_models.h"

using namespace sme;
using namespace sme::test;

namespace {

const sme_simulation_table& api() { return *sme_compiled_simulations(); }

void append(void* user, const char* text, std::size_t length) {
    static_cast<std::string*>(user)->append(text, length);
}

struct Destroy {
    void operator()(sme_simulation* simulation) const { api().destroy(simulation); }
};
using OwnedSimulation = std::unique_ptr<sme_simulation, Destroy>;

OwnedSimulation make(const Model& model, std::string& out, std::vector<sme_option> options = {}) {
    const sme_sinks sinks{&out, append, append};
    sme_simulation* simulation = nullptr;
    char why[200] = "";
    const sme_status status =
        api().create(&model, options.data(), options.size(), &sinks, &simulation, why, sizeof why);
    INFO(why);
    REQUIRE(status == SME_OK);
    return OwnedSimulation(simulation);
}

std::string whyNot(const Model& model, const std::vector<sme_option>& options,
                   sme_status expected) {
    sme_simulation* simulation = nullptr;
    char why[200] = "";
    CHECK(
        api().create(&model, options.data(), options.size(), nullptr, &simulation, why, sizeof why)
        == expected);
    CHECK(simulation == nullptr);
    return why;
}

std::uint32_t handleOf(const OwnedSimulation& simulation, const char* path) {
    std::uint32_t handle = ~0u;
    REQUIRE(api().find(simulation.get(), path, &handle) == SME_OK);
    return handle;
}

template <typename T>
T valueOf(const OwnedSimulation& simulation, const char* path) {
    T value{};
    CHECK(api().get(simulation.get(), handleOf(simulation, path), &value, sizeof value) == SME_OK);
    return value;
}

template <typename T>
sme_status give(const OwnedSimulation& simulation, const char* path, T value) {
    return api().set(simulation.get(), handleOf(simulation, path), &value, sizeof value);
}

}  // namespace

TEST_CASE("simulation: steps, values and their names") {
    Ring ring(5);
    std::string out;
    const OwnedSimulation simulation = make(ring.model(), out, {{"threads", "2"}, {"model", "m1"}});
    CHECK(api().version == SME_SIMULATION_VERSION);
    CHECK(api().size == sizeof(sme_simulation_table));
    std::uint32_t ended = 9;
    CHECK(api().step(simulation.get(), 8, &ended) == SME_OK);
    CHECK(ended == 0);
    CHECK(api().cycle(simulation.get()) == 8);
    CHECK(valueOf<std::uint32_t>(simulation, "link[3].v") == Ring::expected(5, 3, 8));
    CHECK(handleOf(simulation, "link[3].v") == handleOf(simulation, "link[3].v"));

    std::vector<std::string> paths;
    const auto visit = [](void* user, const char* path, const sme_value* value) {
        CHECK(value->kind == SME_UNSIGNED);
        CHECK(value->width == 32);
        CHECK(value->bytes == 4);
        CHECK(value->flags == (SME_EXPOSED | SME_SETTABLE | SME_PLANE));
        auto& all = *static_cast<std::vector<std::string>*>(user);
        all.emplace_back(path);
        return all.size() == 3 ? 1 : 0;
    };
    CHECK(api().list(simulation.get(), visit, &paths) == SME_OK);
    CHECK(paths == std::vector<std::string>{"link[0].v", "link[1].v", "link[2].v"});
}

TEST_CASE("simulation: inputs are set and stay; what cannot be is refused with a message") {
    Inputs inputs;
    std::string out;
    const OwnedSimulation simulation = make(inputs.model(), out);
    CHECK(give<std::uint8_t>(simulation, "cmd.v", 3) == SME_OK);
    CHECK(give<std::uint8_t>(simulation, "cmd.go", 1) == SME_OK);
    const std::uint8_t list[2] = {4, 5};
    CHECK(api().set(simulation.get(), handleOf(simulation, "cmd.list"), list, 2) == SME_OK);
    const std::uint8_t pair[2] = {1, 1};
    sme_value shape;
    CHECK(api().describe(simulation.get(), handleOf(simulation, "cmd.pair"), &shape, sizeof shape)
          == SME_OK);
    CHECK(shape.kind == SME_STRUCT);
    CHECK(shape.count == 2);
    REQUIRE(shape.bytes == sizeof pair);
    CHECK(api().set(simulation.get(), handleOf(simulation, "cmd.pair"), pair, 2) == SME_OK);
    CHECK(api().step(simulation.get(), 4, nullptr) == SME_OK);
    CHECK(valueOf<std::uint8_t>(simulation, "a.t") == 12);
    CHECK(valueOf<std::uint8_t>(simulation, "cmd.list[1]") == 5);
    CHECK(out.find("[4, 5]") != std::string::npos);

    CHECK(give<std::uint8_t>(simulation, "cmd.go", 2) == SME_BAD_DATA);
    CHECK(api().message(simulation.get()) == std::string("no value of bool"));
    CHECK(give<std::uint8_t>(simulation, "cmd.digit", 10) == SME_BAD_DATA);
    CHECK(give<std::uint16_t>(simulation, "cmd.v", 1) == SME_BAD_USE);
    CHECK(api().message(simulation.get()) == std::string("a value of u8 has 1 bytes, not 2"));
    std::uint32_t handle = 0;
    CHECK(api().find(simulation.get(), "cmd.kepe", &handle) == SME_BAD_USE);
    CHECK(std::string(api().message(simulation.get())).ends_with("did you mean 'cmd.keep'?"));
    std::uint8_t byte = 0;
    CHECK(api().get(simulation.get(), 1'000, &byte, 1) == SME_BAD_USE);
    CHECK(api().step(nullptr, 1, nullptr) == SME_BAD_USE);
}

TEST_CASE("simulation: enums and structs tell their members") {
    Inputs inputs;
    std::string out;
    const OwnedSimulation simulation = make(inputs.model(), out);
    const auto member = [&](const char* path, std::uint32_t index, const char* name,
                            std::uint64_t value) {
        const char* found = nullptr;
        std::uint64_t number = ~std::uint64_t{0};
        REQUIRE(api().member(simulation.get(), handleOf(simulation, path), index, &found, &number,
                             sizeof number)
                == SME_OK);
        CHECK(found == std::string(name));
        CHECK(number == value);
    };
    member("cmd.light", 0, "RED", 0);
    member("cmd.light", 2, "BLUE", 3);
    member("cmd.pair", 1, "y", 0);
    const char* found = nullptr;
    for (const auto& [path, index] : {std::pair("cmd.light", 3u), std::pair("cmd.pair", 2u),
                                      std::pair("cmd.v", 0u), std::pair("cmd.list", 0u)})
        CHECK(api().member(simulation.get(), handleOf(simulation, path), index, &found, nullptr, 0)
              == SME_BAD_USE);
    CHECK(api().member(simulation.get(), handleOf(simulation, "cmd.pair"), 0, nullptr, nullptr, 0)
          == SME_BAD_USE);
}

TEST_CASE("simulation: combinational fields are read only") {
    Mixed mixed({});
    std::string out;
    const OwnedSimulation simulation = make(mixed.model(), out);
    CHECK(give<std::uint16_t>(simulation, "mix[0].v", 1) == SME_BAD_USE);
    CHECK(std::string(api().message(simulation.get())).find("combinational") != std::string::npos);
    sme_value value;
    CHECK(api().describe(simulation.get(), handleOf(simulation, "mix[0].v"), &value, sizeof value)
          == SME_OK);
    CHECK((value.flags & SME_SETTABLE) == 0);
}

TEST_CASE("simulation: what drives a field has a name") {
    Mixed mixed({});
    Model model = mixed.model();
    std::vector<Plane> planes(model.planes, model.planes + model.planeCount);
    std::vector<NameRun> names(model.names, model.names + model.nameRunCount);
    const auto nameOf = [&](std::string_view prefix) {
        return std::find_if(names.begin(), names.end(),
                            [&](const NameRun& run) { return run.prefix == prefix; });
    };
    const auto mix = nameOf("mix[");
    REQUIRE(mix != names.end());
    std::uint32_t cls = 0;
    while (std::string_view(model.classes[cls].name) != "blend")
        REQUIRE(++cls < model.classCount);
    planes[mix->plane].owner = cls;
    planes[nameOf("src[")->plane].owner = ~std::uint32_t{0};
    mix->location = {"mixed.sme", 7, 3};
    model.planes = planes.data();
    model.names = names.data();
    std::string out;
    const OwnedSimulation simulation = make(model, out);
    const char* driver = nullptr;
    const auto ask = [&](const char* path) {
        CHECK(api().driver(simulation.get(), handleOf(simulation, path), &driver) == SME_OK);
        return std::string(driver);
    };
    CHECK(ask("mix[2].v") == "blend[2]");
    CHECK(ask("src[3].v").empty());  // this model does not say
    CHECK(give<std::uint16_t>(simulation, "mix[2].v", 1) == SME_BAD_USE);
    CHECK(
        api().message(simulation.get())
        == std::string("'mix[2].v' cannot be set: it is combinational: 'blend[2]' computes it anew "
                       "in each cycle"));
    sme_value value;
    api().describe(simulation.get(), handleOf(simulation, "mix[2].v"), &value, sizeof value);
    CHECK(value.file == std::string("mixed.sme"));
    CHECK((value.line == 7 && value.column == 3));
    CHECK(api().driver(simulation.get(), 1'000, &driver) == SME_BAD_USE);
    CHECK(api().driver(simulation.get(), 0, nullptr) == SME_BAD_USE);
}

TEST_CASE("simulation: options are those that say how to run") {
    Ring ring(5);
    CHECK(whyNot(ring.model(), {{"treads", "2"}}, SME_BAD_USE)
          == "no option 'treads' of a run; did you mean 'threads'?");
    CHECK(whyNot(ring.model(), {{"snapshot", "1"}}, SME_BAD_USE)
          == "no option 'snapshot' of a run; did you mean 'snapshots'?");
    CHECK(whyNot(ring.model(), {{"trace", "a.csv"}}, SME_BAD_USE) == "no option 'trace' of a run");
    CHECK(whyNot(ring.model(), {{"threads", "x"}}, SME_BAD_USE).starts_with("--threads takes"));
    CHECK(whyNot(ring.model(), {{"foreman", "1"}}, SME_BAD_USE) == "--foreman takes no value");
    sme_simulation* simulation = nullptr;
    CHECK(api().create(nullptr, nullptr, 0, nullptr, &simulation, nullptr, 0) == SME_BAD_USE);
    api().destroy(nullptr);
}

TEST_CASE("simulation: states, in another simulation and as bytes") {
    Mixed mixed({});
    std::string out;
    const OwnedSimulation first = make(mixed.model(), out, {{"threads", "1"}});
    CHECK(api().step(first.get(), 20, nullptr) == SME_OK);
    sme_snapshot* kept = nullptr;
    CHECK(api().snapshot(first.get(), &kept) == SME_OK);
    std::size_t size = 0;
    CHECK(api().save(first.get(), kept, nullptr, &size) == SME_OK);
    std::vector<std::uint8_t> bytes(size);
    CHECK(api().save(first.get(), kept, bytes.data(), &size) == SME_OK);
    CHECK(api().step(first.get(), 20, nullptr) == SME_OK);

    const OwnedSimulation second = make(mixed.model(), out, {{"threads", "2"}, {"model", "m3"}});
    sme_snapshot* loaded = nullptr;
    CHECK(api().load(second.get(), bytes.data(), 11, &loaded) == SME_BAD_DATA);
    CHECK(std::string(api().message(second.get())) == "the state is cut off at byte 8");
    CHECK(api().load(second.get(), bytes.data(), bytes.size(), &loaded) == SME_OK);
    for (const sme_snapshot* state : {kept, loaded}) {
        CHECK(api().restore(second.get(), state) == SME_OK);
        CHECK(api().cycle(second.get()) == 20);
        CHECK(api().step(second.get(), 20, nullptr) == SME_OK);
        CHECK(api().checksum(second.get()) == api().checksum(first.get()));
    }
    api().forget(kept);
    api().forget(loaded);
}

TEST_CASE("simulation: a stop, a trace of some cycles") {
    MixedPlan plan;
    plan.stopCycle = 9;
    Mixed mixed(plan);
    std::string out;
    const OwnedSimulation simulation = make(mixed.model(), out);
    const std::string path = temporaryPath("table.csv");
    const char* filters[] = {"out[0].t"};
    CHECK(api().step(simulation.get(), 2, nullptr) == SME_OK);
    CHECK(api().trace(simulation.get(), path.c_str(), filters, 1) == SME_OK);
    CHECK(api().step(simulation.get(), 2, nullptr) == SME_OK);
    CHECK(api().trace(simulation.get(), nullptr, nullptr, 0) == SME_OK);
    const std::string text = readFile(path);
    CHECK(text.starts_with("cycle,out[0].t\n2,"));
    CHECK(std::count(text.begin(), text.end(), '\n') == 3);
    CHECK(api().trace(simulation.get(), "a.unknown", filters, 1) == SME_BAD_USE);
    CHECK(api().trace(simulation.get(), "/nowhere/a.csv", filters, 1) == SME_BAD_FILE);
    std::uint32_t ended = 0;
    CHECK(api().step(simulation.get(), 100, &ended) == SME_OK);
    CHECK(ended == SME_STOPPED);
    CHECK(api().stop_status(simulation.get()) == 5);
    CHECK(api().cycle(simulation.get()) == 10);
}

TEST_CASE("simulation: two in two threads") {
    Mixed mixed({});
    const Model& model = mixed.model();
    std::uint64_t sums[2];
    const auto work = [&](unsigned number) {
        std::string out;
        sme_simulation* simulation = nullptr;
        const sme_sinks sinks{&out, append, append};
        const sme_option options[] = {{"threads", number == 0 ? "1" : "2"}};
        if (api().create(&model, options, 1, &sinks, &simulation, nullptr, 0) != SME_OK) return;
        for (int i = 0; i < 50; ++i)
            api().step(simulation, 3, nullptr);
        sums[number] = api().checksum(simulation);
        api().destroy(simulation);
    };
    std::thread other(work, 1u);
    work(0);
    other.join();
    CHECK(sums[0] == sums[1]);
}

TEST_CASE("simulation: runs until a cycle, or until the caller says so") {
    Ring ring(5);
    std::string out;
    const OwnedSimulation simulation = make(ring.model(), out);
    struct Asked {
        sme_simulation* simulation;
        std::vector<std::uint64_t> cycles;
        std::vector<sme_status> nested;
    } asked{simulation.get(), {}, {}};
    const auto ask = [](void* user, std::uint64_t cycle) {
        auto& a = *static_cast<Asked*>(user);
        a.cycles.push_back(cycle);
        std::uint32_t value = 0;
        a.nested.push_back(api().get_path(a.simulation, "link[0].v", &value, sizeof value));
        a.nested.push_back(api().step(a.simulation, 1, nullptr));
        a.nested.push_back(api().run_until(a.simulation, 9, nullptr, nullptr, nullptr));
        a.nested.push_back(api().trace(a.simulation, nullptr, nullptr, 0));
        api().destroy(a.simulation);
        return cycle == 3 ? 1 : 0;
    };
    std::uint32_t ended = 9;
    CHECK(api().run_until(simulation.get(), 7, ask, &asked, &ended) == SME_OK);
    CHECK(ended == SME_ASKED);
    CHECK(asked.cycles == std::vector<std::uint64_t>{1, 2, 3});
    CHECK(std::vector(asked.nested.begin(), asked.nested.begin() + 4)
          == std::vector{SME_OK, SME_BAD_USE, SME_BAD_USE, SME_BAD_USE});
    CHECK(api().run_until(simulation.get(), 7, nullptr, nullptr, &ended) == SME_OK);
    CHECK((ended == 0 && api().cycle(simulation.get()) == 7));
    CHECK(api().run_until(simulation.get(), 2, nullptr, nullptr, &ended) == SME_OK);
    CHECK((ended == 0 && api().cycle(simulation.get()) == 7));
}

TEST_CASE("simulation: values by path, and the last problem") {
    Inputs inputs;
    std::string out;
    const OwnedSimulation simulation = make(inputs.model(), out);
    CHECK(api().status(simulation.get()) == SME_OK);
    const std::uint8_t nine = 9;
    std::uint8_t got = 0;
    CHECK(api().set_path(simulation.get(), "cmd.v", &nine, 1) == SME_OK);
    CHECK(api().get_path(simulation.get(), "cmd.v", &got, 1) == SME_OK);
    CHECK(got == 9);
    CHECK(api().set_path(simulation.get(), "cmd.nothing", &nine, 1) == SME_BAD_USE);
    CHECK(api().get_path(simulation.get(), nullptr, &got, 1) == SME_BAD_USE);
    const std::byte two{2};
    CHECK(api().set_path(simulation.get(), "cmd.go", &two, 1) == SME_BAD_DATA);
    CHECK(api().status(simulation.get()) == SME_BAD_DATA);
    CHECK(api().get_path(simulation.get(), "cmd.v", &got, 1) == SME_OK);
    CHECK(api().status(simulation.get()) == SME_BAD_DATA);
    CHECK(api().status(nullptr) == SME_BAD_USE);
    CHECK(api().snapshot(simulation.get(), nullptr) == SME_BAD_USE);
    CHECK(api().save(simulation.get(), nullptr, nullptr, nullptr) == SME_BAD_USE);
    CHECK((api().cycle(nullptr) == 0 && api().checksum(nullptr) == 0
           && api().stop_status(nullptr) == 0));
}
