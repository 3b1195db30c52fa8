// A run without a command line around it: many in a process, errors as exceptions, states.

#include "run/run.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <thread>

#include <unistd.h>

#include "engine/state_bytes.h"
#include "lab/factored.h"
#include "schedule/choices.h"
#include "test_models.h"
#include "trace/checksum.h"
#include "trace/listing.h"
#include "values/names.h"

using namespace sme;
using namespace sme::test;

namespace {

RunOptions threads(unsigned count, ModelKind model = ModelKind::Static) {
    RunOptions options;
    options.threads = count;
    options.scheduling.model = model;
    return options;
}

/// A run and what it said.
struct Owned {
    explicit Owned(const Model& model, const RunOptions& options = threads(1))
        : run(model, options, {out, err, {}}) {}
    StringSink out;
    StringSink err;
    Run run;
};

ErrorKind kindOf(const Model& model, const RunOptions& options) {
    try {
        Owned owned(model, options);
    } catch (const Error& error) {
        return error.kind();
    }
    return {};
}

std::uint8_t byteOf(const Owned& owned, const NameTable& names, const char* path) {
    return static_cast<std::uint8_t>(finalValue(owned.run.engine(), *names.find(path)).front());
}

/// What a row of CSV has behind the cycle that runs next.
std::string rowOf(const Owned& owned, const std::vector<Ref>& refs) {
    std::string row;
    for (const Ref& ref : refs) {
        std::uint32_t value;
        std::memcpy(&value, finalValue(owned.run.engine(), ref).data(), sizeof value);
        row += ',' + std::to_string(value);
    }
    return row;
}

}  // namespace

TEST_CASE("run: spinning starts no more threads than can run", "[run]") {
    Mixed mixed({});
    RunOptions options = threads(inspectMachine().processors + 3);
    std::vector<std::string> warnings;
    StringSink out, err;
    const RunSinks sinks{out, err, [&](const std::string& text) { warnings.push_back(text); }};
    const auto running = [&] {
        return Run(mixed.model(), options, sinks).engine().config().running();
    };
    CHECK(running() == inspectMachine().processors);
    CHECK(warnings.empty());
    options.scheduling.wait = WaitMode::Spin;
    CHECK(running() == inspectMachine().processors);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].find("--oversubscribe starts all threads") != std::string::npos);
    options.oversubscribe = true;
    CHECK(running() == options.threads);
    options.threads = inspectMachine().processors;
    running();
    CHECK(warnings.size() == 1);
}

TEST_CASE("run: two in one process, in turns", "[run]") {
    Mixed mixed({});
    Owned whole(mixed.model());
    whole.run.advance(30);
    Owned a(mixed.model(), threads(2));
    Owned b(mixed.model(), threads(3, ModelKind::Stealing));
    for (std::uint64_t cycle = 3; cycle <= 30; cycle += 3) {
        CHECK(a.run.advance(cycle) == 0);
        CHECK(b.run.advance(cycle) == 0);
        CHECK(a.run.cycle() == cycle);
    }
    for (const Owned* owned : {&a, &b}) {
        CHECK(checksum(owned->run.engine()) == checksum(whole.run.engine()));
        CHECK(owned->out.text == whole.out.text);
    }
}

TEST_CASE("run: two in two threads at once", "[run]") {
    Mixed mixed({});
    const Model& model = mixed.model();
    Owned whole(model);
    whole.run.advance(200);
    std::uint64_t sums[2] = {0, 0};
    std::string texts[2];
    const auto work = [&](unsigned number) {
        Owned owned(model, threads(2, number == 0 ? ModelKind::WorkList : ModelKind::Stealing));
        owned.run.advance(90);
        const Snapshot kept = owned.run.snapshot();
        const std::string before = owned.out.text;
        owned.run.advance(120);
        owned.out.text = before;
        owned.run.restore(fromBytes(model, toBytes(model, kept)));
        owned.run.advance(200);
        sums[number] = checksum(owned.run.engine());
        texts[number] = owned.out.text;
    };
    std::thread other(work, 1u);
    work(0);
    other.join();
    for (const unsigned number : {0u, 1u}) {
        CHECK(sums[number] == checksum(whole.run.engine()));
        CHECK(texts[number] == whole.out.text);
    }
}

TEST_CASE("run: a trace shows what was set, and what a state brought back", "[run]") {
    Mixed mixed({.trace = false});
    const NameTable names(mixed.model());
    const unsigned count = GENERATE(1u, 2u);
    Owned owned(mixed.model(), threads(count));
    TraceSelection selection;
    selection.filters = {"src*", "source*"};  // clocked fields and variables
    selection.start = GENERATE(0u, 5u);
    const TraceColumns columns = selectColumns(names, selection);
    const std::string path = temporaryPath("set.csv");
    owned.run.trace({path}, columns, selection);
    const std::vector<Ref> refs = columns.refs;

    std::map<std::uint64_t, std::string> rows;  // as they are to be
    const auto advance = [&](std::uint64_t until) {
        rows[owned.run.cycle()] = rowOf(owned, refs);
        owned.run.advance(until);
    };
    const auto set = [&](const char* name, std::uint32_t value) {
        owned.run.set(*names.find(name), reinterpret_cast<const std::byte*>(&value));
    };
    std::mt19937 random(7);
    Snapshot kept = owned.run.snapshot();
    for (int step = 0; step < 200; ++step) {
        if (random() % 3 == 0) set("src[4].v", random());
        if (random() % 5 == 0) set("source[4].acc", random());
        if (random() % 11 == 0) kept = owned.run.snapshot();
        if (random() % 17 == 0) {
            const std::uint64_t before = owned.run.cycle();
            owned.run.restore(kept);
            set("src[9].v", random());  // another past than the one that has rows
            owned.run.replay(before, false);
        }
        advance(owned.run.cycle() + 1 + random() % 3);
    }
    CHECK_FALSE(owned.run.finish());
    const std::string text = readFile(path);
    for (const auto& [cycle, row] : rows) {
        if (cycle < selection.start) continue;
        INFO("cycle " << cycle);
        CHECK(text.find('\n' + std::to_string(cycle) + row + '\n') != std::string::npos);
    }
}

TEST_CASE("run: a stop ends it with its status, a failure is told to its sink", "[run]") {
    MixedPlan plan;
    plan.stopCycle = 4;
    Mixed stopping(plan);
    Owned stopped(stopping.model());
    CHECK(stopped.run.advance(100) == kStopped);
    CHECK(stopped.run.cycle() == 5);
    CHECK(stopped.run.stopStatus() == 5);

    plan = {};
    plan.failCycle = 6;
    Mixed failing(plan);
    Owned failed(failing.model(), threads(2));
    CHECK((failed.run.advance(100) & kFailed) != 0);
    CHECK(failed.run.cycle() == 7);
    CHECK_FALSE(failed.err.text.empty());
}

TEST_CASE("run: what cannot be is an Error", "[run]") {
    Ring ring(8);
    RunOptions options = threads(0);
    options.adapt = 5;
    CHECK(kindOf(ring.model(), options) == ErrorKind::Usage);
    options = threads(1);
    options.ownThreads = {"nobody"};
    CHECK(kindOf(ring.model(), options) == ErrorKind::Usage);
    Model old = ring.model();
    old.version = kModelVersion - 1;
    CHECK(kindOf(old, threads(1)) == ErrorKind::Internal);
    Model large = ring.model();
    large.stateBytes = ~std::uint64_t{0} >> 2;
    CHECK(kindOf(large, threads(1)) == ErrorKind::Limit);

    Owned owned(ring.model());
    CHECK_THROWS_AS(owned.run.restore({1, 0, {}}), Error);
    const NameTable names(ring.model());
    CHECK_THROWS_AS(owned.run.trace({"a.unknown"}, selectColumns(names, {}), {}), Error);
}

TEST_CASE("run: --threads auto keeps what it chose when a run goes on", "[run]") {
    Mixed mixed({});
    Owned owned(mixed.model(), threads(0));
    if (inspectMachine().processors == 1) return;  // nothing to choose from
    const auto isCut = [&] {
        return owned.run.summary().threads.find("over before") != std::string::npos;
    };
    for (std::uint64_t piece = 1; piece == 1 || isCut(); piece *= 2)
        owned.run.advance(owned.run.cycle() + piece);
    owned.run.advance(owned.run.cycle() + 1);
    CHECK_FALSE(isCut());
}

TEST_CASE("run: measuring before it leaves no trace in it", "[run]") {
    Mixed mixed({});
    Owned whole(mixed.model());
    whole.run.advance(40);
    RunOptions options = threads(2);
    options.scheduling.orchestrate = Orchestrate::Profile;
    Owned measured(mixed.model(), options);
    measured.run.advance(7);
    measured.run.measure();  // in the middle, too
    CHECK(measured.run.cycle() == 7);
    measured.run.advance(40);
    CHECK_FALSE(measured.run.engine().runner().plan().times().empty());
    CHECK(measured.out.text == whole.out.text);
    CHECK(checksum(measured.run.engine()) == checksum(whole.run.engine()));
}

TEST_CASE("run: every measured run has the first row of inputs, and the states after it", "[run]") {
    Inputs inputs;
    const NameTable names(inputs.model());
    const std::string path = writeFile("first.csv", "cycle,cmd.v,cmd.go\n0,7,true\n1,2,true\n");
    Rows rows;
    REQUIRE(rows.open(path, names, Rows::Use::Input, {}));
    Owned owned(inputs.model(), threads(2));
    std::vector<std::uint8_t> firsts;
    /// What stands in the input when a measured run begins.
    class First final : public Observer {
    public:
        First(InputDriver& driver, std::function<void()> look) : driver_(driver), look_(look) {
            wantsDuring = true;
        }
        void begin(std::uint64_t cycle) override { driver_.drive(cycle); }
        std::uint32_t during(std::uint64_t cycle) override {
            if (cycle == 0) look_();
            driver_.drive(cycle + 1);
            return 0;
        }
        std::uint32_t between(std::uint64_t) override { return 0; }

    private:
        InputDriver& driver_;
        std::function<void()> look_;
    };
    StringSink out;
    Engine engine(inputs.model(), {}, 0, 1'000, out, out);
    InputDriver driver(engine, rows);
    const Ref v = *names.find("cmd.v");
    First first(driver, [&] {
        firsts.push_back(
            static_cast<std::uint8_t>(*(engine.read(v.plane, v.element, 0) + v.offset)));
    });
    measureFactored(engine, &first, 2, 2);
    CHECK(firsts == std::vector<std::uint8_t>(1 + 2 * 5, 7));
    owned.run.drive(std::move(rows));
    owned.run.measureSpeedup(2, 1);
    owned.run.advance(2);
    CHECK(byteOf(owned, names, "a.t") == 9);
}

TEST_CASE("run: inputs that are set stay until they are set again", "[run]") {
    Inputs inputs;
    const NameTable names(inputs.model());
    Owned owned(inputs.model());
    const std::byte five{5};
    const std::byte yes{1};
    owned.run.set(*names.find("cmd.v"), &five);
    owned.run.set(*names.find("cmd.go"), &yes);
    owned.run.advance(3);
    CHECK(byteOf(owned, names, "a.t") == 15);
    const Snapshot kept = owned.run.snapshot();
    owned.run.advance(4);
    CHECK(byteOf(owned, names, "a.t") == 20);
    owned.run.restore(kept);
    owned.run.set(*names.find("a.t"), &five);
    owned.run.advance(5);
    CHECK(byteOf(owned, names, "a.t") == 15);
    CHECK(owned.run.summary().cycles == 5);
}

TEST_CASE("run: rows of inputs are those of the cycle, also after going back", "[run]") {
    Inputs inputs;
    const NameTable names(inputs.model());
    const std::string path = writeFile(
        "rows.csv", "cycle,cmd.v,cmd.go\n0,1,true\n1,2,true\n2,4,true\n3,8,true\n4,16,true\n");
    Rows rows;
    REQUIRE(rows.open(path, names, Rows::Use::Input, {}));
    Owned owned(inputs.model());
    owned.run.drive(std::move(rows));
    CHECK(owned.run.cyclesOfRows() == 5u);
    owned.run.advance(2);
    CHECK(byteOf(owned, names, "a.t") == 3);
    const Snapshot kept = owned.run.snapshot();
    for (int again = 0; again < 2; ++again) {
        owned.run.advance(9);
        CHECK(byteOf(owned, names, "a.t") == 31);
        owned.run.restore(kept);
    }
}

TEST_CASE("run: rows of a pipe, under any number of threads", "[run]") {
    constexpr int kRows = 300;
    std::string rows = "cycle,cmd.v,cmd.go\n";
    for (int i = 0; i < kRows; ++i)
        rows += std::to_string(i) + ',' + std::to_string(i * 7 % 256)
                + (i % 3 == 0 ? ",false\n" : ",true\n");
    Inputs inputs;
    const NameTable names(inputs.model());
    Owned wanted(inputs.model());
    Rows fromFile;
    REQUIRE(fromFile.open(writeFile("whole.csv", rows), names, Rows::Use::Input, {}));
    wanted.run.drive(std::move(fromFile));
    wanted.run.advance(kRows);
    for (const auto& [name, model] : kModels) {
        for (const unsigned count : {1u, 2u, 3u}) {
            int ends[2];
            REQUIRE(pipe(ends) == 0);
            REQUIRE(write(ends[1], rows.data(), rows.size()) == static_cast<ssize_t>(rows.size()));
            close(ends[1]);
            Owned owned(inputs.model(), threads(count, model));
            Rows live;
            const std::string path = "/dev/fd/" + std::to_string(ends[0]);
            REQUIRE(live.open(path, names, Rows::Use::Input, {}));
            CHECK(live.isLive());
            owned.run.drive(std::move(live));
            owned.run.endWithRows();
            CHECK(owned.run.advance(~std::uint64_t{0}) == kRowsEnd);
            CHECK(owned.run.cycle() == kRows);
            CHECK(owned.out.text == wanted.out.text);
            CHECK(checksum(owned.run.engine()) == checksum(wanted.run.engine()));
            close(ends[0]);
        }
    }
}
