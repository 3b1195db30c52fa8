#include "schedule/plan.h"

#include <catch2/catch.hpp>

#include "lab/chunk_table.h"
#include "schedule/orchestrate.h"

#include "test_models.h"

using namespace sme;

namespace {

void nothing(const Thread&, const Slots&, std::uint32_t, std::uint32_t) {}

struct List {
    explicit List(std::vector<Work> works) : work(std::move(works)) {
        model.work = work.data();
        model.workCount = static_cast<std::uint32_t>(work.size());
    }
    std::vector<Work> work;
    Model model{};
};

Work work(std::uint32_t count, std::uint32_t granularity = 1, double cost = 1,
          std::uint32_t steps = 1, std::uint32_t level = 0) {
    return {"w", {nothing, nullptr}, count, granularity, steps, cost, level};
}

/// "work:begin-end" of the units of each chunk or slice, separated by blanks and bars.
std::string text(const std::vector<Unit>& units) {
    std::string result;
    for (const Unit& unit : units) {
        if (!result.empty()) result += ' ';
        result += std::to_string(unit.work) + ":" + std::to_string(unit.begin) + "-"
                  + std::to_string(unit.end);
    }
    return result;
}

std::string text(const ChunkTable& table) {
    std::string result;
    for (std::uint32_t i = 0; i < table.chunks(); ++i) {
        if (i > 0) result += " | ";
        result += text(
            {table.units.begin() + table.starts[i], table.units.begin() + table.starts[i + 1]});
    }
    return result;
}

std::string text(const std::vector<std::vector<Unit>>& slices) {
    std::string result;
    for (std::size_t i = 0; i < slices.size(); ++i)
        result += (i > 0 ? " | " : "") + text(slices[i]);
    return result;
}

}  // namespace

TEST_CASE("chunks respect granularity, blocks and the order of work") {
    const List list({work(10, 4), work(1, 1, 9, 6), work(5)});  // 10 + 6 + 5 = 21 process instances
    const LevelList level(list.model, 0);
    CHECK(level.steps() == 21);
    CHECK(level.pieces() == 3 + 1 + 5);
    CHECK(text(cutIntoChunks(level, 2, {ChunkScheme::SelfScheduling}))
          == "0:0-4 | 0:4-8 | 0:8-10 | 1:0-1 | 2:0-1 | 2:1-2 | 2:2-3 | 2:3-4 | 2:4-5");
    CHECK(text(cutIntoChunks(level, 2, {ChunkScheme::Static}))
          == "0:0-10 | 1:0-1 2:0-5");  // 11 is nearer to the start of the block
    CHECK(text(cutIntoChunks(level, 3, {ChunkScheme::Guided}))
          == "0:0-8 | 0:8-10 | 1:0-1 | 2:0-1 | 2:1-3 | 2:3-4 | 2:4-5");
}

TEST_CASE("slices by cost and as in the thesis") {
    const List even({work(100), work(100, 1, 3)});  // costs 100 + 300
    const LevelList level(even.model, 0);
    CHECK(text(slice(level, 1, Orchestrate::Even)) == "0:0-100 1:0-100");
    CHECK(text(slice(level, 2, Orchestrate::Even)) == "0:0-100 1:0-33 | 1:33-100");
    CHECK(text(slice(level, 4, Orchestrate::Even)) == "0:0-100 | 1:0-33 | 1:33-67 | 1:67-100");
    CHECK(text(slice(level, 2, Orchestrate::Thesis)) == "0:0-100 | 1:0-100");

    const List thesis({work(11)});
    const LevelList eleven(thesis.model, 0);
    CHECK(text(slice(eleven, 4, Orchestrate::Thesis))
          == "0:0-2 | 0:2-4 | 0:4-6 | 0:6-11");  // the remainder to the last
    CHECK(text(slice(eleven, 4, Orchestrate::Even)) == "0:0-3 | 0:3-6 | 0:6-8 | 0:8-11");

    const List lines({work(40, 16)});
    CHECK(text(slice(LevelList(lines.model, 0), 2, Orchestrate::Even)) == "0:0-16 | 0:16-40");
    const List block({work(3, 3)});
    CHECK(text(slice(LevelList(block.model, 0), 2, Orchestrate::Even)) == "0:0-3 | ");
}

TEST_CASE("every instance is in exactly one unit") {
    const List list(
        {work(7, 2), work(0), work(1, 1, 50, 20), work(33, 8, 0.1), work(3, 3), work(0)});
    const LevelList level(list.model, 0);
    for (unsigned threads = 1; threads <= 9; ++threads) {
        std::vector<std::vector<Unit>> lists;
        for (const auto how : {Orchestrate::Even, Orchestrate::Thesis, Orchestrate::RoundRobin}) {
            lists.emplace_back();
            for (const auto& units : slice(level, threads, how))
                lists.back().insert(lists.back().end(), units.begin(), units.end());
        }
        for (int scheme = 0; scheme <= static_cast<int>(ChunkScheme::ModifiedStatic); ++scheme) {
            lists.push_back(
                cutIntoChunks(level, threads, {static_cast<ChunkScheme>(scheme), 0.3}).units);
        }
        for (const auto& units : lists) {
            std::vector<std::vector<int>> seen;
            for (const Work& each : list.work)
                seen.emplace_back(each.count);
            for (const Unit& unit : units) {
                const std::uint32_t granularity = list.work[unit.work].granularity;
                CHECK(unit.begin % granularity == 0);
                CHECK((unit.end % granularity == 0 || unit.end == list.work[unit.work].count));
                for (std::uint32_t i = unit.begin; i < unit.end; ++i)
                    ++seen[unit.work][i];
            }
            for (const auto& counts : seen)
                CHECK(std::all_of(counts.begin(), counts.end(), [](int n) { return n == 1; }));
        }
    }
}

TEST_CASE("levels are lists of their own") {
    const List list({work(4), work(2, 1, 1, 1, 1), work(3, 1, 1, 1, 1)});
    CHECK(LevelList(list.model, 0).steps() == 4);
    CHECK(text(slice(LevelList(list.model, 1), 1, Orchestrate::Even)) == "1:0-2 2:0-3");
    CHECK(LevelList(list.model, 2).steps() == 0);
    CHECK(cutIntoChunks(LevelList(list.model, 2), 2, {ChunkScheme::Guided}).chunks() == 0);
    CHECK(text(slice(LevelList(list.model, 2), 2, Orchestrate::Even)) == " | ");
}
