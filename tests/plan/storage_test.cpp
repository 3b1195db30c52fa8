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
    REQUIRE(plan::verifyStorage(design, plan::factsOf(design), plan).empty());
    change(plan);
    const std::vector<std::string> problems =
        plan::verifyStorage(design, plan::factsOf(design), plan);
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

TEST_CASE("an array whose instances use the same element at a time lies by element",
          "[plan][storage]") {
    for (const plan::Options& options : {plan::Options{}, kInOneBlock}) {
        const std::uint32_t instances = options.wholeStatements > 0 ? 3 : 50;
        const ir::Design design = test::spreadRing(instances);
        const plan::Plan plan = plan::build(design, options);
        const std::uint64_t apart = options.wholeStatements > 0 ? 6 : 128;  // on lines of their own
        for (std::uint32_t i = 0; i < design.planes.size(); ++i) {
            const bool isElement = design.planes[i].name.starts_with("m[");
            CHECK((plan.storage[i].order == plan::Order::ByElement) == isElement);
            CHECK(plan.placements[i].bytesToNext == (isElement ? apart : 0));
        }
        CHECK(plan::print(plan, design)
                  .find("m[0] " + std::to_string(instances) + " x 2, by element, the next "
                        + std::to_string(apart) + " further on")
              != std::string::npos);
    }
}

TEST_CASE("orders that bodies do not want, or places do not have, are found", "[plan][storage]") {
    const ir::Design design = test::spreadRing(3);
    CHECK(
        complaint(design, [](plan::Plan& plan) { plan.storage[3].order = plan::Order::ByInstance; })
        == "'m[1]': lies by instance, and its body wants it by element");
    CHECK(
        complaint(design, [](plan::Plan& plan) { plan.storage[1].order = plan::Order::ByElement; })
        == "'at': lies by element, and no body wants it so");
    const char* const wrong = "'m[2]': does not lie as far behind its first element as that says";
    CHECK(complaint(design, [](plan::Plan& plan) { plan.placements[4].offset += 2; }) == wrong);
    CHECK(complaint(design, [](plan::Plan& plan) { plan.placements[4].bytesToNext += 2; })
          == wrong);
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
