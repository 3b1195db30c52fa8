// What belongs to a clock group, on a model of one: its stage, its slots, and who reads values there.

#include <catch2/catch.hpp>

#include <cstring>
#include <vector>

#include "engine/engine.h"
#include "engine/evaluation.h"
#include "engine/state_bytes.h"
#include "engine/state_layout.h"
#include "schedule/stages.h"
#include "test_models.h"

using namespace sme;
using namespace sme::test;

namespace {

/// A register that counts, and in front of it a level that shows the double of what it reads.
///   twice (level 0):  mid = 2 * out, in the same cycle
///   count (level 1):  n += 1, out = mid + 1
class TwoLevels : public ModelBuilder {
public:
    static constexpr std::uint32_t kMid = 0, kOut = 1, kN = 2;

    TwoLevels() {
        const std::uint32_t u32 = integer(false, 32);
        const std::uint32_t mid = plane(Home::WrittenSlot, u32, 1);
        const std::uint32_t out = plane(Home::TwoSlots, u32, 1);
        const std::uint32_t n = plane(Home::OneSlot, u32, 1);
        const std::uint32_t twice = process("twice", nullptr, 1, 1, 1, 0, 0, 1);
        const std::uint32_t count = process("count", nullptr, 1, 1, 1, 1, 1, 1);
        block(twice, [](const Thread&, const Slots& slots) {
            *in<std::uint32_t>(slots.write, 0) = 2 * *in<std::uint32_t>(slots.read, 64);
        });
        block(count, [](const Thread&, const Slots& slots) {
            *in<std::uint32_t>(slots.write, 64) = *in<std::uint32_t>(slots.write, 0) + 1;
            *in<std::uint32_t>(slots.state, 0) += 1;
        });
        writes(twice, mid);
        writes(count, out);
        writes(count, n);
        initialise<std::uint32_t>(out, 3);
        name("mid", nullptr, 1, mid, 0);
        name("out", nullptr, 1, out, 0);
        name("n", nullptr, 1, n, kVariable);
    }
};

std::uint32_t numberAt(const std::byte* value) {
    std::uint32_t number = 0;
    std::memcpy(&number, value, sizeof number);
    return number;
}

struct TwoLevelsRun {
    TwoLevelsRun() : engine(levels.model(), EngineConfig(), 0, 1, out, err) {}
    TwoLevels levels;
    StringSink out, err;
    Engine engine;
};

}  // namespace

TEST_CASE("a step is a stage: levels, then the clocked one", "[stages]") {
    TwoLevels levels;
    const Stages stages(levels.model());
    CHECK(std::vector<Stage>(stages.begin(), stages.end())
          == std::vector<Stage>{{kOnlyGroup, 0, 1}});
    CHECK(stages.isOne());
    CHECK(clockGroups(levels.model()) == 1);
    CHECK(stages.levels() == 2);
    CHECK(!stages.isClocked(0));
    CHECK(stages.isClocked(1));
    CHECK(stages.of(0) == stages.of(1));
}

TEST_CASE("slots of a group change places from one of its activations to the next", "[stages]") {
    TwoLevelsRun bench;
    const Arena& arena = bench.engine.arena();
    Slots now = arena.slots(6, kOnlyGroup);
    CHECK(now.cycle == 6);
    CHECK(now.read != now.write);
    CHECK(now.state == arena.state());
    advance(now);
    const Slots next = arena.slots(7, kOnlyGroup);
    CHECK((now.read == next.read && now.write == next.write && now.cycle == next.cycle));
    CHECK(next.read == arena.slots(6, kOnlyGroup).write);
    CHECK(activationIn(7, kOnlyGroup) == activationIn(6, kOnlyGroup) + 1);
}

TEST_CASE("values are found in the slots of their plane's group", "[stages]") {
    TwoLevelsRun bench;
    const Model& model = bench.engine.model();
    for (std::uint64_t cycle = 0, out = 3; cycle < 5; ++cycle, out = 2 * out + 1) {
        CHECK(numberAt(bench.engine.final(TwoLevels::kOut, 0)) == out);
        CHECK(numberAt(bench.engine.final(TwoLevels::kN, 0)) == cycle);
        Evaluation evaluation(model);
        bench.engine.state().evaluate(evaluation);
        CHECK(numberAt(evaluation.at(TwoLevels::kMid, 0)) == 2 * out);
        Snapshot kept = bench.engine.snapshot();
        CHECK(kept.activations == std::vector<std::uint64_t>{cycle});
        StateImage image(model, kept);
        CHECK(numberAt(image.at(TwoLevels::kOut, 0)) == out);
        bench.engine.run(cycle + 1);
        CHECK(numberAt(bench.engine.read(TwoLevels::kMid, 0, cycle)) == 2 * out);
        CHECK(numberAt(bench.engine.read(TwoLevels::kOut, 0, cycle)) == out);
        if (cycle != 2) continue;
        // back and once more
        bench.engine.restore(kept);
        CHECK(numberAt(bench.engine.final(TwoLevels::kOut, 0)) == out);
        bench.engine.run(cycle + 1);
    }
}

TEST_CASE("a state knows how often its groups were activated", "[stages]") {
    TwoLevelsRun bench;
    const Model& model = bench.engine.model();
    CHECK(initialState(model).activations == std::vector<std::uint64_t>{0});
    bench.engine.run(3);
    Snapshot kept = bench.engine.snapshot();
    const std::byte* const out = StateImage(model, kept).at(TwoLevels::kOut, 0);
    // of its slots one is read after so many activations, whatever the cycle is
    kept.activations[kOnlyGroup] = 4;
    const std::byte* const other = StateImage(model, kept).at(TwoLevels::kOut, 0);
    CHECK(std::size_t(other < out ? out - other : other - out) == model.clockedBytes);
    CHECK_THROWS_WITH(bench.engine.restore(kept), "the state is one of another design");
    kept.activations[kOnlyGroup] = 3;
    const std::vector<std::byte> bytes = toBytes(model, kept);
    CHECK(fromBytes(model, bytes).activations == kept.activations);
    kept.activations[kOnlyGroup] = 5;
    CHECK_THROWS_WITH(fromBytes(model, toBytes(model, kept)),
                      Catch::Matchers::StartsWith("the state is damaged at byte "));
    kept.activations = {3, 3};
    CHECK_THROWS_WITH(fromBytes(model, toBytes(model, kept)),
                      Catch::Matchers::StartsWith("the state is damaged at byte "));
}

TEST_CASE("a model with a group that does not exist is refused", "[stages]") {
    TwoLevels levels;
    CHECK(whyNotRunnable(levels.model()) == nullptr);
    levels.planeAt(TwoLevels::kOut).group = 1;
    CHECK(std::string(whyNotRunnable(levels.model())) == "a clock group that does not exist");
}

TEST_CASE("a step of other stages is told, and not run", "[stages]") {
    TwoLevels levels;
    Model model = levels.model();
    // each level is one of its own group
    const Stage apart[] = {{kOnlyGroup, 0, 0}, {1, 1, 1}};
    model.stages = apart;
    model.stageCount = 2;
    const Stages stages(model);
    CHECK_FALSE(stages.isOne());
    CHECK(clockGroups(model) == 2);
    CHECK(stages.levels() == 2);
    CHECK(stages.isClocked(0));
    CHECK(stages.of(1) == apart[1]);
    CHECK(std::string(whyNotRunnable(model)) == "clock groups that are not one");
    const Stage half[] = {{kOnlyGroup, 0, 0}};
    model.stages = half;
    model.stageCount = 1;
    CHECK(std::string(whyNotRunnable(model)) == "clock groups that are not one");
}

TEST_CASE("what is traced is found in the slots of each group", "[stages]") {
    TwoLevels levels;
    const std::string path = temporaryPath("stages.csv");
    const Result traced =
        simulate(levels.model(), {"--cycles", "3", "--trace", path, "--trace-all"});
    INFO(traced.err);
    CHECK(readFile(path) == "cycle,mid,n,out\n0,6,0,3\n1,14,1,7\n2,30,2,15\n");
}
