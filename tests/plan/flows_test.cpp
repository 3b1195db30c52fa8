#include "plan/flows.h"

#include <catch2/catch.hpp>

#include "plan/plan_designs.h"

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

TEST_CASE("flows have every byte that is read, and stay in the works they name", "[plan]") {
    const std::vector<ir::Design> designs = {
        test::ring(7),
        test::ring(100'000),
        test::hetero(500),
        test::chain(5, 100),
        test::chainToNeighbour(1000),
        test::wired(300, [](std::uint32_t i) {
            return std::vector<std::uint32_t>{(i * 7) % 300, (i + 299) % 300};
        })};
    for (const ir::Design& design : designs) {
        const plan::Plan plan = plan::build(design, {});
        std::uint64_t read = 0;
        for (const ir::Class& cls : design.classes) {
            for (const ir::Input& input : cls.inputs) {
                for (const ir::Connection& connection : input.elements) {
                    for (const ir::Run& run : connection.runs)
                        read += run.count * plan.placements[run.plane.index].bytesPerInstance;
                }
            }
        }
        std::vector<std::uint64_t> instances;
        for (const plan::Kernel& kernel : plan.kernels) {
            if (!kernel.scheduled) continue;
            const bool isBlock =
                kernel.kind == plan::KernelKind::Block || kernel.kind == plan::KernelKind::Ordered;
            instances.push_back(isBlock ? 1
                                : kernel.kind == plan::KernelKind::Merged
                                    ? design.classes[kernel.parts[0].index].instances
                                    : kernel.processes);
        }
        std::uint64_t bytes = 0;
        for (const plan::Flow& flow : plan::flowsOf(design, plan)) {
            bytes += flow.bytes;
            REQUIRE(flow.reader < instances.size());
            REQUIRE(flow.writer < instances.size());
            CHECK(flow.readerFirst + flow.readerCount <= instances[flow.reader]);
            CHECK(flow.writerFirst + flow.writerCount <= instances[flow.writer]);
            CHECK((flow.readerCount > 0 && flow.writerCount > 0));
        }
        CHECK(bytes == read);
    }
}
