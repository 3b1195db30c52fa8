// Cycles after which nobody looks, and what kernels are told about them.

#include <catch2/catch.hpp>

#include <atomic>
#include <cstring>

#include "engine/engine.h"
#include "engine/target.h"
#include "test_models.h"

using namespace sme;
using namespace sme::test;

namespace {

/// A process that notes in which cycles it was told that nobody looks, and after which it had been.
class Noting : public ModelBuilder {
public:
    Noting() {
        const std::uint32_t quiet = plane(Region::State, integer(false, 64), 2);
        const auto note = [](const Context& context, std::uint32_t, std::uint32_t) {
            auto* const noted = in<std::uint64_t>(context.state, 0);
            if (context.isQuiet) noted[0] |= 1ull << context.cycle;
            if (!context.isQuiet && context.followsQuiet) noted[1] |= 1ull << context.cycle;
        };
        writes(process("p", note, 1, 1, 1, 0, 0, 1), quiet);
        name("quiet", nullptr, 1, quiet, 0);
    }
    static std::uint64_t of(const Engine& engine) {
        return *in<std::uint64_t>(engine.arena().state(), 0);
    }
    static std::uint64_t after(const Engine& engine) {
        return in<std::uint64_t>(engine.arena().state(), 0)[1];
    }
};

/// A kernel of a register x and the output that publishes it: x += 1. As generated ones do, it
/// keeps the register in the output where nobody looks, and runs stretches.
class Publishing : public ModelBuilder {
public:
    static constexpr std::uint32_t kX = 0, kOut = 1;

    explicit Publishing(std::uint32_t flags) {
        raw.flags |= flags;
        const std::uint32_t x = plane(Region::State, integer(false, 64), 1);
        const std::uint32_t out = plane(Region::Clocked, integer(false, 64), 1);
        const std::uint32_t p = process("p", run, 1, 1, 1, 0, 0, 1);
        writes(p, x);
        writes(p, out);
        name("x", nullptr, 1, x, 0);
        name("out.v", nullptr, 1, out, 0);
    }

    static void run(const Context& context, std::uint32_t, std::uint32_t end) {
        ++calls;
        auto* const x = in<std::uint64_t>(context.state, 0);
        if (request && context.isQuiet) *request = 1;
        if (!context.isQuiet) {
            if (context.followsQuiet) *x = *in<std::uint64_t>(context.read, 0);
            *x += 1;
            *in<std::uint64_t>(context.write, 0) = *x;
            return;
        }
        const bool runsStretches = (context.model->flags & kRunsStretches) != 0;
        const std::byte* read = context.read;
        std::byte* write = context.write;
        for (std::uint32_t cycle = 0; cycle < (runsStretches ? end : 1); ++cycle) {
            *in<std::uint64_t>(write, 0) = *in<std::uint64_t>(read, 0) + 1;
            std::byte* const next = const_cast<std::byte*>(read);
            read = write;
            write = next;
        }
    }
    static inline std::uint64_t calls = 0;
    static inline std::atomic<std::uint32_t>* request = nullptr;  ///< set by the first quiet call
};

void set(Engine& engine, std::uint32_t plane, std::uint64_t value) {
    std::memcpy(const_cast<std::byte*>(engine.final(plane, 0)), &value, sizeof value);
}
std::uint64_t valueOf(const Engine& engine, std::uint32_t plane) {
    return *in<std::uint64_t>(engine.final(plane, 0), 0);
}

/// As above, and wishes for the end in cycle 5.
class Asking : public ModelBuilder {
public:
    Asking() {
        request = 0;
        const std::uint32_t quiet = plane(Region::State, integer(false, 64), 1);
        const auto ask = [](const Context& context, std::uint32_t, std::uint32_t) {
            if (context.isQuiet) *in<std::uint64_t>(context.state, 0) |= 1ull << context.cycle;
            if (context.cycle == 5) request = 1;
        };
        writes(process("p", ask, 1, 1, 1, 0, 0, 1), quiet);
        name("quiet", nullptr, 1, quiet, 0);
    }
    static inline std::atomic<std::uint32_t> request;
};

class Looking : public Observer {
public:
    std::uint32_t during(std::uint64_t cycle) override {
        return cycle == 15 ? std::uint32_t{kRowsEnd} : 0;
    }
    std::uint32_t between(std::uint64_t) override { return 0; }
};

}  // namespace

TEST_CASE("cycles are quiet where nobody may look after them") {
    Noting noting;
    StringSink out;
    StringSink err;
    Engine engine(noting.model(), {}, 0, 1, out, err);
    engine.run(1);
    CHECK(Noting::of(engine) == 0);
    engine.run(5);
    CHECK(Noting::of(engine) == 0b1100);  // neither the first, 1, nor the last, 4
    CHECK(Noting::after(engine) == 0b10000);
    Looking looking;
    looking.wantsBetween = true;
    engine.run(10, &looking);
    CHECK(Noting::of(engine) == 0b1100);
    looking.wantsBetween = false;
    looking.wantsDuring = true;
    engine.run(11, &looking);
    looking.bearsUndo = true;  // which does not mean that it does not look
    engine.run(13, &looking);
    CHECK(Noting::of(engine) == 0b1100);
    looking.onlyDrives = true;  // and ends the run at 15
    CHECK(engine.run(20, &looking) == kRowsEnd);
    CHECK(Noting::of(engine) == (0b1100 | 1 << 14));
    std::atomic<std::uint32_t> request{1};
    engine.watch(&request);
    engine.run(20);
    CHECK(engine.cycle() == 17);
    CHECK(Noting::of(engine) == (0b1100 | 1 << 14));
}

TEST_CASE("a wish for the end is heard in quiet cycles, and one more stores all") {
    Asking asking;
    StringSink out;
    StringSink err;
    Engine engine(asking.model(), {}, 0, 1, out, err);
    engine.watch(&Asking::request);
    engine.run(20);
    CHECK(engine.cycle() == 7);
    CHECK(Noting::of(engine) == 0b11'1110);
}

TEST_CASE("several threads store all in every cycle") {
    Noting noting;
    StringSink out;
    StringSink err;
    EngineConfig config;
    config.threads = 2;
    Engine engine(noting.model(), config, 0, 1, out, err);
    engine.run(50);
    const std::uint64_t many = Noting::of(engine);
    CHECK((many == 0 || many == (1ull << 49) - 2));  // short runs stay with the caller
}

TEST_CASE("between runs a variable is the truth, and not the output that publishes it") {
    for (const std::uint32_t flags : {std::uint32_t{0}, std::uint32_t{kRunsStretches}}) {
        Publishing counter(flags);
        StringSink out;
        StringSink err;
        Engine engine(counter.model(), {}, 0, 1, out, err);
        engine.run(10);
        CHECK(valueOf(engine, Publishing::kX) == 10);
        CHECK(valueOf(engine, Publishing::kOut) == 10);
        set(engine, Publishing::kX, 100);
        engine.run(15);
        CHECK(valueOf(engine, Publishing::kX) == 105);
        const Snapshot there = engine.snapshot();
        set(engine, Publishing::kOut, 7);
        engine.run(16);
        CHECK(valueOf(engine, Publishing::kOut) == 106);
        engine.run(30);
        set(engine, Publishing::kOut, 7);
        engine.run(40);
        CHECK(valueOf(engine, Publishing::kX) == 130);
        engine.restore(there);
        engine.run(18);
        CHECK(valueOf(engine, Publishing::kX) == 108);
        EngineConfig two;
        two.threads = 2;
        engine.configure(two);
        engine.run(60);
        CHECK(valueOf(engine, Publishing::kX) == 150);
    }
}

TEST_CASE("a kernel runs stretches of quiet cycles") {
    Publishing counter(kRunsStretches);
    StringSink out;
    StringSink err;
    std::atomic<std::uint32_t> request{0};
    for (const std::uint64_t last :
         {std::uint64_t{3}, std::uint64_t{target::kStretch + 2},
          3 * std::uint64_t{target::kStretch} + 2, 3 * std::uint64_t{target::kStretch} + 3}) {
        Engine engine(counter.model(), {}, 0, 1, out, err);
        Publishing::calls = 0;
        engine.run(last);
        CHECK(Publishing::calls == 2 + (last - 2 + target::kStretch - 1) / target::kStretch);
        CHECK(valueOf(engine, Publishing::kX) == last);
        CHECK(valueOf(engine, Publishing::kOut) == last);
        CHECK(engine.cycle() == last);
    }
    Engine engine(counter.model(), {}, 0, 1, out, err);
    engine.watch(&request);
    Publishing::request = &request;
    Publishing::calls = 0;
    engine.run(1000);
    Publishing::request = nullptr;
    CHECK(engine.cycle() == target::kStretch + 2);
    CHECK(valueOf(engine, Publishing::kX) == engine.cycle());
    CHECK(valueOf(engine, Publishing::kOut) == engine.cycle());
}
