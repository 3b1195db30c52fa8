#include "rtl/step_order.h"

#include <catch2/catch.hpp>

using namespace smec::rtl;

namespace {

using Placed = std::vector<std::uint32_t>;

constexpr SignalId kSetReg = 100, kOtherReg = 101, kThirdReg = 102;

}  // namespace

TEST_CASE("steps stand behind those that they read, else as their signals come", "[order]") {
    StepOrder order(3);
    order.makes(0, 10, 7);
    order.makes(1, 11, 3);
    order.makes(2, 12, 5);
    order.reads(1, 12);
    CHECK(order.run() == Placed{2, 1, 0});
}

TEST_CASE("a register is set behind those that read what it was", "[order]") {
    StepOrder order(3);
    for (const std::uint32_t step : {0U, 1U, 2U})
        order.makes(step, 10 + step, step);
    order.sets(0, kSetReg);
    order.reads(0, kSetReg);  // its own
    order.reads(1, kSetReg);
    order.reads(1, kSetReg);  // once more
    order.reads(2, kThirdReg);
    CHECK(order.run() == Placed{1, 0, 2});
}

TEST_CASE("a value that is read comes first, whatever registers it sets", "[order]") {
    StepOrder order(2);
    order.makes(0, 10, 1);
    order.makes(1, 11, 0);
    order.sets(0, kSetReg);
    order.reads(1, 10);
    order.reads(1, kSetReg);
    CHECK(order.run() == Placed{0, 1});
}

TEST_CASE("of two that set what the other reads, the one that sets less comes first", "[order]") {
    StepOrder order(2);
    order.makes(0, 10, 0);
    order.makes(1, 11, 1);
    order.sets(0, kSetReg);
    order.sets(0, kOtherReg);
    order.sets(1, kThirdReg);
    order.reads(0, kThirdReg);
    order.reads(1, kSetReg);
    order.reads(1, kOtherReg);
    CHECK(order.run() == Placed{1, 0});
}
