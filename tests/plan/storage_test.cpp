// Where values are, and what the verifier says of a plan in which that is not so.

#include <catch2/catch.hpp>

#include "plan/plan_designs.h"
#include "plan/storage.h"

using namespace smec;
using plan::Home;

namespace {

const plan::Options kInOneBlock{.wholeStatements = 16'000};

/// Why the plan is wrong once it has been changed.
template <typename Change>
std::string complaint(const ir::Design& design, const Change& change) {
    plan::Plan plan = plan::build(design, kInOneBlock);
    REQUIRE(plan::verifyStorage(design, plan).empty());
    change(plan);
    const std::vector<std::string> problems = plan::verifyStorage(design, plan);
    return problems.empty() ? "" : problems.front();
}

}  // namespace

TEST_CASE("each plane has one home", "[plan][storage]") {
    const ir::Design design = test::chain(2, 1);  // two combinational, one clocked
    const plan::Plan plan = plan::build(design, kInOneBlock);
    std::vector<Home> homes;
    for (const plan::Decision& decision : plan.storage)
        homes.push_back(decision.home);
    CHECK(homes == std::vector{Home::WrittenSlot, Home::WrittenSlot, Home::TwoSlots});
    ir::Plane plane = design.planes[0];
    ir::Design kinds;
    for (const ir::PlaneKind kind :
         {ir::PlaneKind::Input, ir::PlaneKind::Undriven, ir::PlaneKind::State}) {
        plane.kind = kind;
        kinds.planes.push_back(plane);
    }
    CHECK(plan::decideStorage(kinds, std::vector<bool>(3, false), {{}, {}, {}})
          == plan::Storage{{Home::Given}, {Home::Constant}, {Home::OneSlot}});
}

TEST_CASE("storage that no rule gives is found", "[plan][storage]") {
    const ir::Design design = test::chain(3, 1);
    CHECK(complaint(design, [](plan::Plan& plan) { plan.storage[0].home = Home::TwoSlots; })
          == "'v': no rule gives it this home");
    CHECK(complaint(design, [](plan::Plan& plan) { plan.storage.pop_back(); })
          == "a plane without a home or a place");
    CHECK(complaint(design,
                    [](plan::Plan& plan) {
                        plan.storage[3] = {Home::OneSlot, true};
                    })
          == "'v': has one slot, and is no held array");
    CHECK(complaint(design,
                    [](plan::Plan& plan) {
                        plan.storage[3] = {Home::TwoSlots, false, ir::LogForm{1, false}};
                    })
          == "'v': has a log, and is no held array");
    CHECK(complaint(design,
                    [](plan::Plan& plan) {
                        std::swap(plan.kernels[0].steps[0], plan.kernels[0].steps[1]);
                    })
          == "'v': is read in its cycle before it is written");
}

TEST_CASE("planes that lie on one another are found", "[plan][storage]") {
    const ir::Design design = test::chain(3, 2);
    CHECK(complaint(
              design,
              [](plan::Plan& plan) { plan.placements[1].offset = plan.placements[0].offset + 1; })
          == "'v': lies on another plane");
    CHECK(complaint(design, [](plan::Plan& plan) { plan.clockedBytes = 1; })
          == "'v': lies beyond its region");
    CHECK(complaint(design, [](plan::Plan& plan) { plan.placements[3].bytesPerElement = 1000; })
          == "'v': is not aligned");
}
