#include "plan/flows.h"

#include <catch2/catch.hpp>

#include "codegen/designs.h"

using namespace smec;

TEST_CASE("flows of a ring: a part reads itself and the one before it", "[plan]") {
    const ir::Design design = test::ring(128);
    const std::vector<plan::Flow> flows = plan::flowsOf(design, plan::build(design, {}));
    std::uint64_t bytes = 0;
    for (const plan::Flow& flow : flows) {
        CHECK(flow.readerCount == 2);
        CHECK(flow.writerCount == 2);
        CHECK(flow.bytes == 4);
        const bool isSame = flow.readerFirst == flow.writerFirst;
        CHECK((isSame || flow.writerFirst == (flow.readerFirst + 126) % 128));
        bytes += flow.bytes;
    }
    CHECK(flows.size() == 128);
    CHECK(bytes == 128 * 4);
}

TEST_CASE("flows of an array port: instances, not elements, are who writes", "[plan]") {
    ir::Design design = test::ring(40);
    design.planes[0].perOwner = 2;
    design.planes[0].instances = 80;
    design.classes[0].inputs[0].elements[0].runs = {{0, 40, {0}, 1, 2}};
    const plan::Plan plan = plan::build(design, {});
    std::uint64_t bytes = 0;
    for (const plan::Flow& flow : plan::flowsOf(design, plan)) {
        CHECK(flow.readerFirst == flow.writerFirst);
        CHECK(flow.writerFirst + flow.writerCount <= 40);
        bytes += flow.bytes;
    }
    CHECK(bytes == 40 * plan.placements[0].bytesPerInstance);
}
