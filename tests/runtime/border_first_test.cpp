#include "engine/border_first.h"

#include <catch2/catch.hpp>

#include "engine/overlap_trial.h"
#include "engine/rank_plan.h"
#include "engine/target.h"
#include "test_models.h"

using namespace sme;
using namespace sme::test;

namespace {

using FirstCount = std::pair<std::uint32_t, std::uint32_t>;  ///< first and count of a work

std::vector<FirstCount> piecesAt(const Model& model, std::uint32_t level) {
    std::vector<FirstCount> pieces;
    for (std::uint32_t i = 0; i < model.workCount; ++i)
        if (model.work[i].level == level)
            pieces.push_back({model.work[i].first, model.work[i].count});
    return pieces;
}

/// n instances, each of which reads what the next one writes.
class Line : public ModelBuilder {
public:
    explicit Line(std::uint32_t n, double cost = 1, std::uint32_t granularity = 16) {
        const Instances nothing = [](const Thread&, const Slots&, std::uint32_t, std::uint32_t) {};
        plane_ = plane(Home::TwoSlots, integer(false, 32), n);
        writes(process("p", nothing, n, granularity, cost, 0, 0, 1), plane_);
        reads({0, 0, n - 1, plane_, 1, 1});
    }

private:
    std::uint32_t plane_;
};

}  // namespace

TEST_CASE("what others read is a level of its own, before the rest", "[border]") {
    Line line(256);
    const RankPlan plan = planRanks(line.model(), 2);
    const RankModel own(line.model(), plan.shares, 1);
    const BorderFirst cut(own.model(), plan.owners, plan.crossings, 1, Overlap::Always);
    REQUIRE(cut.model().levels == 2);
    CHECK(cut.cutLevels() == 1);
    CHECK(piecesAt(cut.model(), 0) == std::vector<FirstCount>{{128, 16}});  // 128 is read
    CHECK(piecesAt(cut.model(), 1) == std::vector<FirstCount>{{144, 112}});

    const std::vector<Halo> halos = cut.halos(halosOf(line.model(), plan.crossings, 1));
    REQUIRE(halos.size() == 2);
    CHECK(halos[0].isOpen);
    CHECK(halos[0].sends == std::vector<PlaneRange>{{0, 0, 128, 1}});
    CHECK((halos[1].sends.empty() && halos[1].receives.empty() && !halos[1].isOpen));
}

TEST_CASE("a rank of which nobody reads anything is left as it is", "[border]") {
    Line line(256);
    const RankPlan plan = planRanks(line.model(), 2);
    const RankModel own(line.model(), plan.shares, 0);
    const BorderFirst cut(own.model(), plan.owners, plan.crossings, 0, Overlap::Always);
    CHECK(cut.cutLevels() == 0);
    CHECK(piecesAt(cut.model(), 0) == std::vector<FirstCount>{{0, 128}});
    const std::vector<Halo> halos = cut.halos(halosOf(line.model(), plan.crossings, 0));
    REQUIRE(halos.size() == 1);
    CHECK(halos[0].receives.size() == 1);
    CHECK(!halos[0].isOpen);
}

TEST_CASE("a parcel with something of the rest waits for it", "[border]") {
    Line line(256);
    const RankPlan plan = planRanks(line.model(), 2);
    const RankModel own(line.model(), plan.shares, 1);
    const BorderFirst cut(own.model(), plan.owners, plan.crossings, 1, Overlap::Always);
    std::vector<Crossing> crossings = plan.crossings;
    crossings.push_back({0, 1, 0, 0, 200, 1});  // rank 0 looks at it
    const std::vector<Halo> halos = cut.halos(halosOf(line.model(), crossings, 1));
    REQUIRE(halos.size() == 2);
    CHECK(halos[0].sends.empty());
    CHECK(halos[1].sends.size() == 2);
}

TEST_CASE("what cannot be cut is border as a whole, and then there is no rest", "[border]") {
    ModelBuilder builder;
    const std::uint32_t u32 = builder.integer(false, 32);
    const Instances nothing = [](const Thread&, const Slots&, std::uint32_t, std::uint32_t) {};
    for (const std::uint32_t own : {0u, 1u}) {
        const std::uint32_t plane = builder.plane(Home::TwoSlots, u32, 8);
        builder.writes(builder.process("p", nothing, 8, 8, 1'000, 0, own, 2), plane);
        builder.reads({own, 0, 1, 1 - own, 0, 1});
    }
    const RankPlan plan = planRanks(builder.model(), 2);
    REQUIRE(plan.crossings.size() == 2);
    const RankModel own(builder.model(), plan.shares, 0);
    const BorderFirst cut(own.model(), plan.owners, plan.crossings, 0, Overlap::Always);
    CHECK(cut.cutLevels() == 0);
}

TEST_CASE("a piece of one process of a loop is border where it is read itself", "[border]") {
    Line line(6, 10'000, 1);
    RankShares shares(line.model(), 2);
    for (const std::uint32_t end : {1u, 2u, 3u, 4u})  // rank 0: 0, 2; rank 1: 1, 3 4 5
        shares.give(0, end, (end - 1) % 2);
    shares.give(0, 6, 1);
    const RankPlan plan = planOf(line.model(), shares);
    const RankModel own(line.model(), plan.shares, 0);
    CHECK(piecesAt(own.model(), 0) == std::vector<FirstCount>{{0, 1}, {2, 1}});
    const BorderFirst cut(own.model(), plan.owners, plan.crossings, 0, Overlap::Always);
    REQUIRE(cut.model().levels == 2);
    CHECK(piecesAt(cut.model(), 0) == std::vector<FirstCount>{{2, 1}});  // that 1 reads
    CHECK(piecesAt(cut.model(), 1) == std::vector<FirstCount>{{0, 1}});  // that nobody reads
}

TEST_CASE("a block with delay lines is border where any of its processes is read", "[border]") {
    const Instances nothing = [](const Thread&, const Slots&, std::uint32_t, std::uint32_t) {};
    ModelBuilder made;
    const std::uint32_t few = made.process("few", nothing, 3, 1, 10'000, 0, 0, 1);
    const std::uint32_t line = made.process("line", nothing, 1, 1, 10'000, 0, 3, 1);
    const std::uint32_t many = made.process("many", nothing, 8, 1, 10'000, 0, 4, 1);
    const std::uint32_t reader = made.process("reader", nothing, 2, 1, 10'000, 0, 12, 1);
    const std::uint32_t ofFew = made.plane(Home::TwoSlots, made.integer(false, 32), 3);
    const std::uint32_t ofMany = made.plane(Home::TwoSlots, made.integer(false, 32), 8);
    made.writes(few, ofFew);
    made.writes(many, ofMany);
    made.reads({reader, 0, 1, ofFew, 2, 0});
    made.reads({reader, 1, 1, ofMany, 0, 0});
    Model model = made.model();
    const WorkPart block[] = {{few, 0, 3}, {line, 0, 1}};
    Work works[] = {model.work[0], model.work[2], model.work[3]};
    works[0].entry = {nullptr, [](const Thread&, const Slots&) {}};
    works[0].count = 1;
    works[0].steps = 3;  // delay lines are none
    works[0].parts = block;
    works[0].partCount = 2;
    model.work = works;
    model.workCount = 3;
    RankShares shares(model, 2);
    shares.give(0, 1, 0);
    shares.give(1, 8, 0);
    shares.give(2, 2, 1);
    const RankPlan plan = planOf(model, shares);
    const RankModel own(model, plan.shares, 0);
    const BorderFirst cut(own.model(), plan.owners, plan.crossings, 0, Overlap::Always);
    REQUIRE(cut.model().levels == 2);
    CHECK(piecesAt(cut.model(), 0) == std::vector<FirstCount>{{0, 1}, {0, 1}});
    CHECK(piecesAt(cut.model(), 1) == std::vector<FirstCount>{{1, 7}});
}

TEST_CASE("levels are cut where the rest costs more than a message", "[border]") {
    const auto cuts = [](double cost) {
        Line line(256, cost);
        const RankPlan plan = planRanks(line.model(), 2);
        const RankModel own(line.model(), plan.shares, 1);
        return BorderFirst(own.model(), plan.owners, plan.crossings, 1, Overlap::WherePays)
            .cutLevels();
    };
    CHECK(cuts(target::kRankMessageCost / 112 * 0.99) == 0);
    CHECK(cuts(target::kRankMessageCost / 112 * 1.01) == 1);
}

namespace {

/// What a trial comes to where a cycle takes so long, with the first stretches counted.
OverlapTrial::Stretch triedWith(double without, double with, std::uint64_t& cycles) {
    OverlapTrial trial;
    while (!trial.next().isLast) {
        const OverlapTrial::Stretch stretch = trial.next();
        const auto n = static_cast<double>(stretch.cycles());
        cycles += stretch.cycles();
        trial.took(stretch.cycles(), n * (stretch.overlaps ? with : without));
    }
    return trial.next();
}

}  // namespace

TEST_CASE("overlap is kept where it is faster", "[border]") {
    std::uint64_t cycles = 0;
    CHECK(triedWith(1'000, 900, cycles).overlaps);
    CHECK(!triedWith(1'000, 1'000, cycles).overlaps);
    CHECK(!triedWith(900, 1'000, cycles).overlaps);
}

TEST_CASE("a trial takes a few milliseconds, or a few cycles", "[border]") {
    std::uint64_t cycles = 0;
    triedWith(1'000, 1'000, cycles);
    CHECK(cycles * 1'000 < 20 * 2 * target::kOverlapTrialNs);
    cycles = 0;
    triedWith(1e9, 1e9, cycles);
    CHECK(cycles <= 8 * (2 + target::kOverlapTurns));
}

TEST_CASE("one disturbed stretch does not decide", "[border]") {
    OverlapTrial trial;
    for (unsigned i = 0; !trial.next().isLast; ++i) {
        const OverlapTrial::Stretch stretch = trial.next();
        const double ns = i == 4 ? 5'000 : stretch.overlaps ? 800 : 1'000;
        trial.took(stretch.cycles(), ns * static_cast<double>(stretch.cycles()));
    }
    CHECK(trial.next().overlaps);
}
