// A rank whose neighbours are partly on its machine, and partly on another one.

#include "engine/rank_link.h"

#include <catch2/catch.hpp>

#include <functional>
#include <memory>
#include <thread>

#include "engine/ranks_in_process.h"
#include "test_models.h"

using namespace sme;
using namespace sme::test;

namespace {

/// Rank 2 of three is on another machine; what goes there is carried when `isCarried` says so.
class TwoMachines final : public Transport {
public:
    TwoMachines(Transport& all, bool& isCarried) : all_(all), isCarried_(isCarried) {}

    unsigned rank() const override { return all_.rank(); }
    unsigned size() const override { return all_.size(); }
    std::vector<std::byte*> share(std::size_t bytes) override {
        std::vector<std::byte*> pieces = all_.share(bytes);
        for (unsigned other = 0; other < size(); ++other)
            if ((other == 2) != (rank() == 2)) pieces[other] = nullptr;
        return pieces;
    }
    std::size_t prepare(std::span<const Parcel>, std::span<const Parcel>) override { return 0; }
    void start(std::size_t) override {}
    bool isDone(std::size_t) override { return isCarried_; }
    void finish(std::size_t) override {}
    std::uint64_t reduce(std::uint64_t bits) override { return all_.reduce(bits); }
    std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) override {
        return all_.gather(bytes);
    }
    std::vector<std::byte> broadcast(std::span<const std::byte> bytes) override {
        return all_.broadcast(bytes);
    }
    void abandon(const std::string& why) override { all_.abandon(why); }
    const char* name() const override { return "two machines"; }

private:
    Transport& all_;
    bool& isCarried_;
};

/// A level that is cut: rank 0 receives an element of each of the others, which send at the end.
std::vector<Halo> cutHalosOf(unsigned rank) {
    std::vector<Halo> halos(2);
    halos[0].isOpen = true;
    if (rank == 0) halos[0].receives = {{1, 0, 16, 1}, {2, 0, 32, 1}};
    if (rank != 0) halos[0].sends = {{0, 0, 16 * rank, 1}};
    return halos;
}

}  // namespace

TEST_CASE("who computes looks after messages until they have come, not after memory", "[ranks]") {
    Ring ring(48);
    const Model& model = ring.model();
    bool isCarried = false;
    RanksInProcess all(3, false);
    std::unique_ptr<Arena> arenas[3];
    std::unique_ptr<TwoMachines> transports[3];
    std::unique_ptr<RankLink> links[3];
    const auto connect = [&](unsigned rank) {
        arenas[rank] = std::make_unique<Arena>(model, false);
        transports[rank] = std::make_unique<TwoMachines>(all.of(rank), isCarried);
        links[rank] =
            std::make_unique<RankLink>(*transports[rank], std::vector<Halo>(1), cutHalosOf(rank),
                                       model, *arenas[rank], RankWait());
        links[rank]->useCut(true, model.work);
    };
    std::thread first(connect, 1u);
    std::thread second(connect, 2u);
    connect(0);
    first.join();
    second.join();

    RankLink& link = *links[0];
    link.open(0, 0, 0);
    CHECK(link.isWanted());
    link.look();
    CHECK(link.isWanted());
    isCarried = true;  // rank 1 has not sent
    link.look();
    CHECK(!link.isWanted());
    CHECK(!link.problem());
}
