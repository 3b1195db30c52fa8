// Every scheduler, with threads that lose time wherever they meet (SME_RANDOM_DELAYS): the same
// output and the same state as one thread, for each network. Models m1 and m2 with every
// combination of their options, m3 with rows in which every two values of different options meet.
// SME_STRESS_EVERY=n runs one in n of them, from SME_STRESS_FROM=k (1) on; SME_STRESS_COUNT=m (1):
// m in n.

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "networks.h"

using namespace sme;
using namespace sme::test;

namespace {

using Words = std::vector<std::string>;

const Words kSchemes = {"static", "ss",   "gss", "tss", "fac2", "tfss",
                        "fiss",   "viss", "pls", "pss", "mfsc", "mstatic"};
const Words kOrchestrations = {"even",      "thesis",       "roundrobin",
                               "profile:2", "montecarlo:3", "optimize"};
const Words kWaits = {"spin", "yield", "block", "adaptive"};
const Words kThreads = {"1", "2", "3", "4", "5", "6", "7", "8"};

struct Option {
    const char* name;
    Words values;  ///< "": the option is not given; "set": it has no value
};

/// Of m3. The foreman goes with queues by group only.
const std::vector<Option> kStealing = {{"--chunk", kSchemes},
                                       {"--queues", {"node", "group", "core"}},
                                       {"--assign", {"block", "cyclic"}},
                                       {"--prepartition", {"", "set"}},
                                       {"--victim", {"seq", "seqpri", "rnd", "rndpri"}},
                                       {"--steal", {"one", "half"}},
                                       {"--min-chunk", {"1", "3"}},
                                       {"--groups", {"1", "2", "3"}},
                                       {"--wait", kWaits},
                                       {"--threads", kThreads}};

/// Rows such that every pair of values of two options stands in one of them: greedily, the best of
/// some random rows each time.
std::vector<std::vector<std::size_t>> coveringRows(const std::vector<Option>& options) {
    std::mt19937 random(1);
    std::vector<std::vector<char>> met(options.size() * options.size());
    std::size_t open = 0;
    const auto at = [&](std::size_t a, std::size_t b) -> std::vector<char>& {
        return met[a * options.size() + b];
    };
    for (std::size_t a = 0; a < options.size(); ++a) {
        for (std::size_t b = a + 1; b < options.size(); ++b) {
            at(a, b).resize(options[a].values.size() * options[b].values.size());
            open += at(a, b).size();
        }
    }
    const auto forEachPair = [&](const std::vector<std::size_t>& row, const auto& function) {
        for (std::size_t a = 0; a < row.size(); ++a) {
            for (std::size_t b = a + 1; b < row.size(); ++b)
                function(at(a, b)[row[a] * options[b].values.size() + row[b]]);
        }
    };
    std::vector<std::vector<std::size_t>> rows;
    while (open > 0) {
        std::vector<std::size_t> best;
        std::size_t most = 0;
        for (int i = 0; i < 200; ++i) {
            std::vector<std::size_t> row;
            for (const Option& option : options)
                row.push_back(random() % option.values.size());
            std::size_t fresh = 0;
            forEachPair(row, [&](char isMet) { fresh += isMet == 0; });
            if (fresh <= most) continue;
            most = fresh;
            best = row;
        }
        if (best.empty()) continue;
        forEachPair(best, [](char& isMet) { isMet = 1; });
        open -= most;
        rows.push_back(best);
    }
    return rows;
}

Words join(Words a, const Words& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

/// Threads that spin while others have the processors take turns by time slices.
Words cyclesFor(const std::string& wait, const std::string& threads) {
    return {"--cycles", wait == "spin" && threads > "2" ? "3" : "23"};
}

std::string textOf(const Words& words) {
    std::string text;
    for (const std::string& word : words)
        text += word + " ";
    return text;
}

class Stress {
public:
    explicit Stress(const Model& model) : model_(model) {
        for (const char* cycles : {"3", "23"})
            expected_.push_back(run({"--cycles", cycles, "--threads", "1"}));
        REQUIRE(expected_[0].status == 0);
    }

    void check(const Words& words, const std::string& wait, const std::string& threads) {
        if (!isChosen(number_++)) return;
        const Words cycles = cyclesFor(wait, threads);
        const Result& expected = expected_[cycles[1] == "3" ? 0 : 1];
        const Words all =
            join(join(words, cycles), {"--wait", wait, "--threads", threads, "--oversubscribe"});
        const Result got = run(all);
        INFO(textOf(all));
        CHECK(got.status == expected.status);
        CHECK(got.out == expected.out);
        CHECK(got.err == expected.err);
    }

private:
    static unsigned number(const char* variable) {
        const char* text = std::getenv(variable);
        return text ? static_cast<unsigned>(std::max(1, std::atoi(text))) : 1;
    }
    static bool isChosen(unsigned combination) {
        const unsigned every = number("SME_STRESS_EVERY"), from = number("SME_STRESS_FROM");
        return (combination + every - from % every + 1) % every < number("SME_STRESS_COUNT");
    }
    Result run(const Words& words) { return simulate(model_, join(words, {"--checksum"})); }

    const Model& model_;
    std::vector<Result> expected_;
    unsigned number_ = 0;
};

void everyPlan(const Model& model) {
    Stress stress(model);
    for (const std::string& wait : kWaits) {
        for (const std::string& threads : kThreads) {
            for (const std::string& scheme : kSchemes)
                stress.check({"--model", "m1", "--chunk", scheme}, wait, threads);
            for (const std::string& how : kOrchestrations)
                stress.check({"--model", "m2", "--orchestrate", how}, wait, threads);
        }
    }
    for (const std::vector<std::size_t>& row : coveringRows(kStealing)) {
        Words words{"--model", "m3"};
        std::string wait, threads, queues;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string name = kStealing[i].name;
            const std::string& value = kStealing[i].values[row[i]];
            if (name == "--wait") {
                wait = value;
            } else if (name == "--threads") {
                threads = value;
            } else if (value == "set") {
                words.push_back(name);
            } else if (!value.empty()) {
                words.insert(words.end(), {name, value});
            }
            if (name == "--queues") queues = value;
        }
        stress.check(words, wait, threads);
        if (queues == "group") stress.check(join(words, {"--foreman"}), wait, threads);
    }
}

}  // namespace

TEST_CASE("every scheduler under delays: combinational processes") {
    Mixed network({});
    everyPlan(network.model());
}

TEST_CASE("every scheduler under delays: processes that wait") {
    Waiting network;
    everyPlan(network.model());
}

TEST_CASE("every scheduler under delays: uneven work") {
    Uneven network;
    everyPlan(network.model());
}

TEST_CASE("every scheduler under delays: three processes") {
    Ring network(3);
    everyPlan(network.model());
}

TEST_CASE("every scheduler under delays: many processes") {
    Ring network(3000);
    everyPlan(network.model());
}

TEST_CASE("a plan that adapts, under delays") {
    Uneven network;
    Stress stress(network.model());
    for (const char* how : {"profile:2", "montecarlo:3", "optimize"}) {
        for (const char* threads : {"2", "3", "5"}) {
            for (const char* window : {"1", "2", "5"})
                stress.check({"--orchestrate", how, "--adapt", window}, "adaptive", threads);
        }
    }
}

TEST_CASE("processes with a thread of their own, under delays") {
    Waiting network;
    Stress stress(network.model());
    for (const char* model : {"m1", "m2", "m3"}) {
        for (const char* threads : {"2", "3", "5"}) {
            stress.check({"--model", model, "--own-thread", "s*"}, "adaptive", threads);
            stress.check({"--model", model, "--own-thread", "waiter", "--own-thread", "gate"},
                         "block", threads);
        }
    }
}
