#include "driver/bench/rank_model.h"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "driver/bench/rank_bencher.h"

using namespace smec::driver;

namespace {

/// A square of 1,000 processes with four neighbours.
RankFigures square() {
    RankFigures figures;
    figures.design = "mesh";
    figures.processors = 2;
    figures.ranks = 4;
    figures.processes = 1000;
    figures.received = 100;
    figures.levels = {{4, 400}};
    figures.alone = 10e-6;
    figures.together = 12e-6;
    figures.exchange = 0.5e-6;
    figures.byte = 1e-10;
    return figures;
}

RankFigures whole() {
    RankFigures figures = square();
    figures.ranks = 1;
    figures.processes = 4000;
    figures.received = 0;
    figures.levels = {};
    figures.alone = figures.together = 50e-6;
    return figures;
}

bool shows(const std::string& text, const std::string& part) {
    INFO(text);
    return text.find(part) != std::string::npos;
}

constexpr Link kSlow{"slow", 8e-6, 1e-6, 1e-8, false};

}  // namespace

TEST_CASE("rank model: latency, further messages and bytes of each level") {
    RankFigures figures = square();
    CHECK(exchangeSeconds(figures, kSlow) == Approx(8e-6 + 3e-6 + 4e-6));
    CHECK(cycleSeconds(figures, kSlow) == Approx(25e-6));
    figures.levels.push_back({1, 100});
    CHECK(exchangeSeconds(figures, kSlow) == Approx(15e-6 + 9e-6));
    CHECK(figures.messages() == 5);
    CHECK(figures.bytes() == 500);
    CHECK(exchangeSeconds(whole(), kSlow) == 0);
}

TEST_CASE("rank model: ranks that ask each other take a tree of messages") {
    RankFigures figures = square();
    figures.agrees = true;
    CHECK(exchangeSeconds(figures, kSlow) == Approx(15e-6 + 2 * 8e-6));
    figures.ranks = 5;
    CHECK(exchangeSeconds(figures, kSlow) == Approx(15e-6 + 3 * 8e-6));
    RankFigures one = whole();
    one.agrees = true;
    CHECK(exchangeSeconds(one, kSlow) == 0);
}

TEST_CASE("rank model: through memory, ranks compute beside each other") {
    const Link memory = memoryLink(square());
    CHECK(cycleSeconds(square(), memory) == Approx(12e-6 + 0.5e-6 + 3 * 0.25e-6 + 400 * 1e-10));
    CHECK(cycleSeconds(whole(), memory) == Approx(50e-6));
    RankFigures lines = square();
    lines.few = 3e-10;
    lines.fewBytes = 100;
    CHECK(memoryLink(lines).ofBytes(50) == Approx(50 * 3e-10));
    CHECK(memoryLink(lines).ofBytes(400) == Approx(100 * 3e-10 + 300 * 1e-10));
}

TEST_CASE("rank model: supersteps share latency and compute halos") {
    const Superstep best = bestSuperstep(square(), kSlow);
    // 10 (1 + 0.1 (k - 1) / 2) + 11 / k + 4 microseconds is least at k = 5
    CHECK(best.cycles == 5);
    CHECK(best.seconds == Approx(10e-6 * 1.2 + 11e-6 / 5 + 4e-6));
    RankFigures deep = square();
    deep.levels.push_back({1, 4});
    CHECK(bestSuperstep(deep, kSlow).cycles == 1);
    RankFigures wide = square();
    wide.received = 2000;
    CHECK(bestSuperstep(wide, kSlow).cycles == 1);
}

TEST_CASE("rank model: the table") {
    const RankPrediction prediction{"mesh.sme", false, {{whole(), 50e-6}, {square(), 16e-6}}};
    const std::string text = rankTable(prediction);
    CHECK(shows(text, "mesh.sme: microseconds a cycle, predicted from "));
    CHECK(shows(text, "\n1           4000      50.0         0      0"));
    CHECK(shows(text, "\n4           1000      10.0         4    400           13.3  3.76"));
    CHECK(shows(text, "16.0  -17 %"));
    CHECK(shows(text,
                "4 ranks, 25 Gb/s Ethernet: exchanges take 64 % of a cycle (latency); exchanging "
                "every 6 cycles would take "));
    const RankPrediction weak{"mesh.sme", true, {{whole(), 0}, {square(), 0}}};
    CHECK(
        shows(rankTable(weak), "ranks  of a rank  computes      sent   sent             us     e"));
    CHECK(shows(rankTable(weak), "13.3  0.94"));
}

TEST_CASE("rank model: JSON") {
    const RankPrediction prediction{"mesh.sme", false, {{whole(), 50e-6}, {square(), 0}}};
    const auto json = nlohmann::json::parse(rankJson(prediction));
    CHECK(json["links"].size() == 3);
    CHECK(json["results"][0]["measured"] == 50e-6);
    CHECK_FALSE(json["results"][1].contains("measured"));
    CHECK(json["results"][1]["predicted"][1]["link"] == "25 Gb/s Ethernet");
    CHECK(json["results"][1]["predicted"][0]["seconds"].get<double>() == Approx(13.29e-6));
}

TEST_CASE("rank model: what a simulator says is read") {
    const auto figures = readRankFigures(
        R"({"design": "d", "processors": 2, "ranks": 8, "rank": 3, "processes": 5, "received": 2,
            "agrees": true, "levels": [{"messages": 1, "bytes": 4}], "alone": 1e-6,
            "together": 2e-6, "beside": 1, "exchange": 3e-7, "few": 2e-10, "fewBytes": 1024, "byte": 1e-11})");
    REQUIRE(figures);
    CHECK(figures->ranks == 8);
    CHECK(figures->agrees);
    CHECK(figures->levels.size() == 1);
    CHECK(figures->together == 2e-6);
    CHECK_FALSE(readRankFigures("{\"design\": 1}"));
    CHECK_FALSE(readRankFigures("nothing"));
}

TEST_CASE("rank model: constants grow with the ranks") {
    std::vector<std::string> parameters{"a=3", "n=64"};
    CHECK(growParameters(parameters, "n:2", 16).empty());
    CHECK(parameters == std::vector<std::string>{"a=3", "n=256"});
    CHECK(growParameters(parameters, "a", 4).empty());
    CHECK(parameters[0] == "a=12");
    CHECK(
        shows(growParameters(parameters, "m", 4), "--weak m needs the number of one rank: -G m=N"));
    CHECK(shows(growParameters(parameters, "n:4", 4), "--weak takes the name of a constant"));
}
