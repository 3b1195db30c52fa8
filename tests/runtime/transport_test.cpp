// Where the engine would exchange with other ranks. Two engines of one ring, a rank each in a
// thread of its own, run half of it each.

#include "engine/transport.h"

#include <catch2/catch.hpp>

#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

#include "engine/engine.h"
#include "test_models.h"
#include "trace/listing.h"

using namespace sme;
using namespace sme::test;

namespace {

/// Where two ranks of one process meet, message by message.
class Meeting {
public:
    /// Both come; `swap` runs once, while both are there.
    template <typename Swap>
    void meet(const Swap& swap) {
        std::unique_lock lock(mutex_);
        const unsigned round = round_;
        if (++here_ == 2) {
            swap();
            here_ = 0;
            ++round_;
            met_.notify_all();
        } else {
            met_.wait(lock, [&] { return round_ != round; });
        }
    }

    std::span<const Message> sends[2];
    std::span<const Message> receives[2];
    std::uint32_t flags[2] = {0, 0};
    std::uint32_t all = 0;

private:
    std::mutex mutex_;
    std::condition_variable met_;
    unsigned here_ = 0;
    unsigned round_ = 0;
};

class InProcess final : public Transport {
public:
    InProcess(Meeting& meeting, unsigned rank) : meeting_(meeting), rank_(rank) {}
    unsigned rank() const override { return rank_; }
    unsigned size() const override { return 2; }
    void exchange(std::span<const Message> sends, std::span<const Message> receives) override {
        meeting_.sends[rank_] = sends;
        meeting_.receives[rank_] = receives;
        ++exchanges;
        meeting_.meet([&] {
            for (const unsigned from : {0u, 1u})
                for (std::size_t i = 0; i < meeting_.sends[from].size(); ++i)
                    std::memcpy(meeting_.receives[1 - from][i].data, meeting_.sends[from][i].data,
                                meeting_.sends[from][i].bytes);
        });
    }
    std::uint32_t reduce(std::uint32_t flags) override {
        meeting_.flags[rank_] = flags;
        meeting_.meet([&] { meeting_.all = meeting_.flags[0] | meeting_.flags[1]; });
        return meeting_.all;
    }
    unsigned exchanges = 0;

private:
    Meeting& meeting_;
    const unsigned rank_;
};

constexpr std::uint32_t kCount = 32;

/// A ring of which this rank runs processes [first, first + 16).
class HalfRing : public Ring {
public:
    explicit HalfRing(std::uint32_t first) : Ring(kCount), whole_(model().work[0].kernel) {
        model_ = model();
        work_ = model_.work[0];
        work_.kernel = first == 0 ? lower : upper;
        work_.count = kCount / 2;
        theirs = whole_;
        model_.work = &work_;
    }
    const Model& half() const { return model_; }

private:
    static void lower(const Context& context, std::uint32_t begin, std::uint32_t end) {
        theirs(context, begin, end);
    }
    static void upper(const Context& context, std::uint32_t begin, std::uint32_t end) {
        theirs(context, begin + kCount / 2, end + kCount / 2);
    }
    static inline Kernel theirs = nullptr;
    Kernel whole_;
    Model model_;
    Work work_;
};

}  // namespace

TEST_CASE("ranks read what other ranks wrote in the cycle before", "[transport]") {
    for (const unsigned threads : {1u, 2u}) {
        Meeting meeting;
        InProcess transports[] = {{meeting, 0}, {meeting, 1}};
        HalfRing rings[] = {HalfRing(0), HalfRing(kCount / 2)};
        std::string last[2];
        const auto rank = [&](unsigned number) {
            StringSink out;
            StringSink err;
            EngineConfig config;
            config.threads = threads;
            Engine engine(rings[number].half(), config, 0, 1'000, out, err);
            const unsigned other = 1 - number;
            const std::uint64_t mine = number == 0 ? kCount / 2 - 1 : kCount - 1;
            const std::uint64_t its = number == 0 ? kCount - 1 : kCount / 2 - 1;
            engine.connect(transports[number], {{{other, 0, mine, 1}}, {{other, 0, its, 1}}});
            engine.run(101);
            std::uint32_t value = 0;
            std::memcpy(&value, engine.final(0, number * (kCount / 2)), sizeof value);
            last[number] = std::to_string(value);
        };
        std::thread second(rank, 1u);
        rank(0);
        second.join();
        CHECK(transports[0].exchanges == 101);
        CHECK(last[0] == std::to_string(Ring::expected(kCount, 0, 101)));
        CHECK(last[1] == std::to_string(Ring::expected(kCount, kCount / 2, 101)));
    }
}

TEST_CASE("one rank is not asked to exchange", "[transport]") {
    struct Counting final : Transport {
        unsigned rank() const override { return 0; }
        unsigned size() const override { return 1; }
        void exchange(std::span<const Message>, std::span<const Message>) override { ++calls; }
        std::uint32_t reduce(std::uint32_t flags) override { return ++calls, flags; }
        unsigned calls = 0;
    } transport;
    Ring ring(8);
    StringSink out;
    StringSink err;
    Engine engine(ring.model(), {}, 0, 1'000, out, err);
    engine.connect(transport, {});
    engine.run(10);
    CHECK(transport.calls == 0);
}

TEST_CASE("the end on one rank is the end on all", "[transport]") {
    struct Ending final : Transport {
        unsigned rank() const override { return 0; }
        unsigned size() const override { return 2; }
        void exchange(std::span<const Message>, std::span<const Message>) override { ++cycles; }
        std::uint32_t reduce(std::uint32_t flags) override {
            return cycles == 5 ? flags | kStopped : flags;
        }
        unsigned cycles = 0;
    };
    for (const unsigned threads : {1u, 3u}) {
        Ending transport;
        Ring ring(64);
        StringSink out;
        StringSink err;
        EngineConfig config;
        config.threads = threads;
        Engine engine(ring.model(), config, 0, 1'000, out, err);
        engine.connect(transport, {});
        CHECK(engine.run(100) == kStopped);
        CHECK(engine.cycle() == 5);
    }
}
