// Calls of C++ that must not be made twice.

#include <catch2/catch.hpp>
#include <memory>

#include "interp/foreign.h"
#include "interp/options.h"
#include "interp/simulation.h"

#include "builder.h"

using namespace smec;
using namespace smec::handmade;
using smec::interp::ForeignCode;
using smec::interp::RunError;
using smec::interp::Settings;
using smec::interp::Simulation;

namespace {

std::uint8_t ticksOfWorld = 0;

/// A process whose variable n is what `serial func tick(): u8` gave last.
class Ticking {
public:
    explicit Ticking(ProcKind kind) {
        const TypeId u8 = builder_.design.types.integer(8, false);
        Function function;
        function.name = "tick";
        function.range = builder_.range;
        function.paramCount = 0;
        function.result = u8;
        function.body.callsForeign = true;
        function.external.emplace().name = "tick";
        function.external->isSerial = true;
        builder_.design.functions.push_back(std::move(function));
        const BusId bus =
            builder_.bus("b", {{{"v", u8, false, false, {}}}, 1}, {Value{Integer(0)}});
        BodyBuilder b = builder_.body();
        const VarId n = b.var("n", VarKind::Process, u8);
        b.body.statements.push_back(b.assign(n, b.expr(u8, CallExpr{{0}, {}})));
        b.body.statements.push_back(b.assign(0, 0, u8, b.read(n)));
        builder_.process("p", kind, b.body, {{bus, false, true}}, {Value{Integer(0)}});
        code_.functions.push_back(
            {[](void* const* slots) { *static_cast<std::uint8_t*>(slots[0]) = ++ticksOfWorld; },
             {}});
        settings_.foreign = &code_;
        ticksOfWorld = 0;
    }
    std::unique_ptr<Simulation> simulation() {
        return std::make_unique<Simulation>(builder_.design, builder_.sources, settings_);
    }

private:
    DesignBuilder builder_;
    ForeignCode code_;
    Settings settings_;
};

void runTo(Simulation& simulation, std::uint64_t cycle) {
    while (simulation.cycle() < cycle) {
        simulation.runCombinational();
        simulation.runClocked();
        simulation.propagate();
    }
}

int last(const Simulation& simulation) {
    return static_cast<int>(*interp::toUnsigned(simulation.variable(0, 0)));
}

}  // namespace

TEST_CASE("foreign: a cycle that runs again is given what it got") {
    Ticking ticking(ProcKind::Clocked);
    const std::unique_ptr<Simulation> made = ticking.simulation();
    Simulation& simulation = *made;
    simulation.rememberForeign(1000);
    runTo(simulation, 4);
    const interp::State kept = simulation.snapshot();
    runTo(simulation, 10);
    simulation.restore(kept);
    runTo(simulation, 6);
    CHECK(last(simulation) == 6);
    runTo(simulation, 10);
    CHECK(last(simulation) == 10);
    CHECK(ticksOfWorld == 10);
    runTo(simulation, 12);
    CHECK(last(simulation) == 12);
    simulation.restore(kept);
    simulation.foreignLog()->forgetFrom(5);
    runTo(simulation, 6);
    CHECK(last(simulation) == 13);
    CHECK(ticksOfWorld == 13);
    simulation.foreignLog()->begin(6);
    simulation.restore(kept);
    CHECK(simulation.foreignLog()->bytes() == 0);
}

TEST_CASE("foreign: without a log every cycle calls") {
    Ticking ticking(ProcKind::Clocked);
    const std::unique_ptr<Simulation> made = ticking.simulation();
    Simulation& simulation = *made;
    runTo(simulation, 4);
    const interp::State kept = simulation.snapshot();
    runTo(simulation, 6);
    simulation.restore(kept);
    runTo(simulation, 6);
    CHECK(ticksOfWorld == 8);
}

TEST_CASE("foreign: a log that is full says so") {
    Ticking ticking(ProcKind::Clocked);
    const std::unique_ptr<Simulation> made = ticking.simulation();
    Simulation& simulation = *made;
    simulation.rememberForeign(20);
    runTo(simulation, 5);
    CHECK(simulation.foreignLog()->whyNotAgain().empty());
    runTo(simulation, 30);
    CHECK(simulation.foreignLog()->whyNotAgain().find("more than 0 MiB") != std::string::npos);
    CHECK(simulation.foreignLog()->bytes() == 0);
    CHECK(ticksOfWorld == 30);
    simulation.foreignLog()->forgetFrom(0);
    CHECK(simulation.foreignLog()->whyNotAgain().empty());
}

TEST_CASE("foreign: what is evaluated calls nothing") {
    Ticking ticking(ProcKind::Combinational);
    const std::unique_ptr<Simulation> made = ticking.simulation();
    Simulation& simulation = *made;
    runTo(simulation, 3);
    try {
        simulation.evaluate();
        FAIL("not refused");
    } catch (const RunError& error) {
        CHECK(error.message
              == "what is combinational is not known between two cycles: a process calls the "
                 "'extern serial' function 'tick', which only cycles do");
    }
    CHECK(ticksOfWorld == 3);
    CHECK(last(simulation) == 3);
    runTo(simulation, 4);
    CHECK(last(simulation) == 4);
}
