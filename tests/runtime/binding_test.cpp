// Which processors threads are bound to. Affinity is the system's, so that is what is asked.

#include <sched.h>

#include <set>

#include <catch2/catch.hpp>

#include "engine/engine.h"
#include "schedule/machine.h"
#include "schedule/topology.h"
#include "test_models.h"

using namespace sme;
using namespace sme::test;

namespace {

cpu_set_t ownProcessors() {
    cpu_set_t set;
    REQUIRE(sched_getaffinity(0, sizeof set, &set) == 0);
    return set;
}

EngineConfig on(unsigned threads, Bind bind) {
    EngineConfig config;
    config.threads = threads;
    config.scheduling.bind = bind;
    return config;
}

}  // namespace

TEST_CASE("threads are bound where they are just as many as processors", "[binding]") {
    CHECK(bindingOf(on(4, Bind::Auto), 4) == Bind::Compact);
    CHECK(bindingOf(on(3, Bind::Auto), 4) == Bind::None);  // others may be bound to the same ones
    CHECK(bindingOf(on(5, Bind::Auto), 4) == Bind::None);
    CHECK(bindingOf(on(1, Bind::Auto), 1) == Bind::None);
    for (const Bind bind : {Bind::None, Bind::Compact, Bind::Scatter})
        CHECK(bindingOf(on(3, bind), 4) == bind);
    EngineConfig rank = on(2, Bind::Auto);
    CHECK(bindingOf(rank, 4) == Bind::None);
    rank.ranksHere = 2;
    CHECK(bindingOf(rank, 4) == Bind::Compact);
    EngineConfig more = on(8, Bind::Auto);  // shares, which four threads run
    more.processors = 4;
    CHECK(bindingOf(more, 4) == Bind::Compact);
    more.isApart = {false, true};
    CHECK(bindingOf(more, 4) == Bind::None);
}

TEST_CASE("who calls is bound as long as the engine has a thread for each processor", "[binding]") {
    const cpu_set_t before = ownProcessors();
    const auto all = static_cast<unsigned>(CPU_COUNT(&before));
    const ProcessorGroups groups = processorGroups();
    Ring ring(64);
    {
        StringSink out;
        StringSink err;
        Engine engine(ring.model(), on(all, Bind::Auto), 0, 1, out, err);
        cpu_set_t now = ownProcessors();
        CHECK(CPU_COUNT(&now) == 1);  // also where there is one processor
        CHECK(inspectMachine().inMask == all);
        CHECK(processorGroups() == groups);
        engine.configure(on(all + 1, Bind::Auto));
        now = ownProcessors();
        CHECK(CPU_EQUAL(&now, &before));
        engine.configure(on(all, Bind::Auto));
    }
    const cpu_set_t after = ownProcessors();
    CHECK(CPU_EQUAL(&after, &before));
}

TEST_CASE("ranks are bound to processors of their own", "[binding]") {
    const cpu_set_t before = ownProcessors();
    const ProcessorGroups groups = processorGroups();
    const auto all = static_cast<unsigned>(CPU_COUNT(&before));
    Workers workers(1);
    std::vector<unsigned> seen;
    for (unsigned first = 0; first < all + 1; ++first) {
        bindThreads(workers, groups, Bind::Compact, first);
        const cpu_set_t now = ownProcessors();
        REQUIRE(CPU_COUNT(&now) == 1);
        for (unsigned i = 0; i < CPU_SETSIZE; ++i) {
            if (CPU_ISSET(i, &now)) seen.push_back(i);
        }
        unbindThreads(workers, groups);
    }
    CHECK(seen.back() == seen.front());  // in turn
    seen.pop_back();
    CHECK(std::set<unsigned>(seen.begin(), seen.end()).size() == all);
}
