// What a rank reads of shards: values whole, each once, and such as their types have.

#include "engine/state_part.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>

#include "engine/engine.h"
#include "engine/rank_plan.h"
#include "formats/shard_manifest.h"
#include "sme/state_format.h"
#include "test_models.h"

using namespace sme;
using namespace sme::test;

namespace {

constexpr std::uint64_t kNumber = 0x5EED;
constexpr unsigned kRanks = 2;

/// A state of two ranks, whose values can be written into shards of any cut.
class RankStates {
public:
    explicit RankStates(const Model& model)
        : model_(model), engine_(model, {}, 0, 1'000, out_, err_) {
        engine_.run(9);
        manifest_.checkpoint = kNumber;
        manifest_.skeleton = part(0).skeleton();
        values.resize(manifest_.skeleton.values());
        for (unsigned rank = 0; rank < kRanks; ++rank) {
            ShardWriter shard(freshPath(rank), kNumber, rank);
            note(rank, part(rank).write(shard, engine_.arena(), engine_.cycle()));
            ShardReader reader(folder(), manifest_.shards[rank], kNumber, rank);
            std::uint64_t place = 0;
            for (const ShardStretch& stretch : reader.stretches()) {
                reader.read(place, std::span(values).subspan(stretch.first, stretch.bytes));
                place += stretch.bytes;
            }
            written.push_back(reader.stretches());
        }
    }

    /// What a rank complains of that reads shards with these stretches of the values; empty: nothing.
    std::string complaint(unsigned rank, const std::vector<std::vector<ShardStretch>>& cut) {
        manifest_.shards.clear();
        for (unsigned each = 0; each < cut.size(); ++each) {
            ShardWriter shard(freshPath(each), kNumber, each);
            for (const ShardStretch& stretch : cut[each])
                shard.add(stretch.first, std::span(values).subspan(stretch.first, stretch.bytes));
            note(each, shard.finish(0, {}));
        }
        Arena arena(model_);
        arena.initialise(0, 1);
        try {
            part(rank).read(manifest_, folder(), arena);
        } catch (const BadState& bad) {
            return bad.what();
        }
        return {};
    }

    std::vector<std::byte> values;
    std::vector<std::vector<ShardStretch>> written;  ///< by rank

private:
    StatePart part(unsigned rank) const { return {model_, residences_[rank], rank}; }
    static std::string freshPath(unsigned rank) {
        std::string path = temporaryPath(shardName("part", kNumber, rank));
        std::filesystem::remove(path);
        return path;
    }
    static std::string folder() {
        return std::filesystem::path(temporaryPath("part")).parent_path().string();
    }
    void note(unsigned rank, ShardMark mark) {
        mark.name = shardName("part", kNumber, rank);
        manifest_.shards.resize(std::max<std::size_t>(manifest_.shards.size(), rank + 1));
        manifest_.shards[rank] = std::move(mark);
    }

    const Model& model_;
    StringSink out_, err_;
    Engine engine_;
    const RankPlan plan_ = planRanks(model_, kRanks);
    const std::vector<Residence> residences_{{model_, plan_.owners, 0}, {model_, plan_.owners, 1}};
    ShardManifest manifest_;
};

/// The first stretch with more bytes than that.
ShardStretch& longStretch(std::vector<ShardStretch>& stretches, std::uint64_t bytes) {
    const auto found = std::ranges::find_if(
        stretches, [&](const ShardStretch& stretch) { return stretch.bytes > bytes; });
    REQUIRE(found != stretches.end());
    return *found;
}

}  // namespace

TEST_CASE("a rank reads what ranks wrote, whoever has it") {
    Mixed mixed{MixedPlan{}};
    RankStates states(mixed.raw);
    for (const unsigned rank : {0U, 1U}) {
        CHECK(states.complaint(rank, states.written).empty());
        const std::uint64_t all = states.values.size();
        CHECK(states.complaint(rank, {{{0, all}}}).empty());
    }
}

TEST_CASE("a rank does not read shards with a part of a value, or without one") {
    Mixed mixed{MixedPlan{}};
    RankStates states(mixed.raw);
    auto cut = states.written;
    ShardStretch& whole = longStretch(cut[0], 8);
    const ShardStretch first{whole.first, whole.bytes / 2 - whole.bytes / 2 % 4 + 1};
    const ShardStretch second{first.end(), whole.bytes - first.bytes};
    whole = first;
    cut[1].push_back(second);
    std::ranges::sort(cut[1], {}, &ShardStretch::first);
    const std::string torn = states.complaint(0, cut);
    CHECK(torn.find("is damaged at byte ") != std::string::npos);

    auto lacking = states.written;
    ShardStretch& shorter = longStretch(lacking[1], 16);
    shorter.bytes -= 8;
    const std::string lack = states.complaint(0, lacking) + states.complaint(1, lacking);
    CHECK(lack.find("byte " + std::to_string(shorter.end())) != std::string::npos);

    auto twice = states.written;
    twice[1].insert(twice[1].end(), twice[0].begin(), twice[0].end());
    std::ranges::sort(twice[1], {}, &ShardStretch::first);
    CHECK(states.complaint(0, twice).find("byte ") != std::string::npos);
}

TEST_CASE("a rank does not read values that are none of their types") {
    Inputs inputs;
    RankStates states(inputs.model());
    std::string said;
    for (std::size_t at = 0; at < states.values.size(); ++at) {
        const std::byte before = std::exchange(states.values[at], std::byte{0xFF});
        for (unsigned rank = 0; rank < 2 && said.empty(); ++rank)
            said = states.complaint(rank, states.written);
        states.values[at] = before;
        if (!said.empty()) break;
    }
    CHECK(said.find("that has a value that is none of ") != std::string::npos);
    CHECK(said.find(" at byte ") != std::string::npos);
}
