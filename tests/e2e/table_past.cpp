// Two simulations that go back, run blocks, and look at what is ahead.

#include "table_past.h"

namespace sme::probe {
namespace {

/// Records of all names in some cycles, as text.
std::string blockOf(Simulation& s, const std::vector<std::string>& names, std::uint64_t cycles,
                    const std::string& input, std::string rows) {
    std::vector<std::string> taken;
    std::vector<sme_column> records;
    for (const std::string& name : names) {
        const std::size_t bytes = shape(s, name).bytes;
        taken.emplace_back(cycles * bytes, '?');
        records.push_back({handle(s, name), taken.back().data(), bytes});
    }
    for (std::size_t i = 0; i < taken.size(); ++i)
        records[i].rows = taken[i].data();
    const sme_column driven{handle(s, input), rows.data(), rows.size() / cycles};
    std::uint64_t done = 0;
    std::uint32_t ended = 0;
    const sme_status status = s.table.run_block(s.it, cycles, &driven, input.empty() ? 0 : 1,
                                                records.data(), records.size(), &done, &ended);
    std::string text = result(s, status) + " done " + std::to_string(done) + " ended "
                       + std::to_string(ended) + " ";
    for (const std::string& bytes : taken)
        for (const char c : bytes)
            text += std::to_string(static_cast<unsigned char>(c)) + " ";
    return text;
}

/// Rows of random values of an input, mostly values of its type.
std::string rowsOf(Simulation& s, const std::string& name, std::uint64_t cycles,
                   std::mt19937& random) {
    std::string value(shape(s, name).bytes, 0), rows;
    s.table.get(s.it, handle(s, name), value.data(), value.size());
    for (std::uint64_t k = 0; k < cycles; ++k) {
        if (!value.empty() && random() % 3 == 0) value[0] ^= 1;
        rows += value;
    }
    return rows;
}

}  // namespace

/// Both go to cycles of the past, the present and what is ahead.
void goTo(Pair& pair, const std::vector<std::string>& names, std::mt19937& random,
          const std::map<std::uint64_t, std::uint64_t>& sums) {
    const std::uint64_t now = pair.first().table.cycle(pair.first().it);
    for (int i = 0; i < 6; ++i) {
        const std::uint64_t cycle = random() % (now + 1);
        const std::string gone = pair.both("go to", [&](Simulation& s) {
            return result(s, s.table.go_to(s.it, cycle)) + " cycle "
                   + std::to_string(s.table.cycle(s.it));
        });
        if (!gone.starts_with("0 ")) continue;
        compareAll(pair, names, "in cycle " + std::to_string(cycle));
        // sums are those before anything was set
        const auto before = sums.find(cycle);
        if (i % 3 == 2) pair.both("on", [&](Simulation& s) { return stepped(s, 2); });
        pair.both("checksum",
                  [&](Simulation& s) { return std::to_string(s.table.checksum(s.it)); });
        if (before != sums.end() && i % 3 != 2
            && before->second != pair.first().table.checksum(pair.first().it)) {
            ++differences;
            std::printf("  cycle %s is not what it was\n", std::to_string(cycle).c_str());
        }
    }
    pair.both("ahead", [&](Simulation& s) { return result(s, s.table.go_to(s.it, now + 3)); });
    compareAll(pair, names, "ahead");
}

namespace {

/// What is read after eval is what the next cycle reads.
void evaluate(Pair& pair, const std::vector<std::string>& names) {
    const auto sum = [](Simulation& s) { return std::to_string(s.table.checksum(s.it)); };
    const std::string before = pair.both("before eval", sum);
    pair.both("eval", [](Simulation& s) { return result(s, s.table.eval(s.it)); });
    if (pair.both("after eval", sum) != before) {
        ++differences;
        std::printf("  eval changes the state\n");
    }
    compareAll(pair, names, "evaluated");
    const Row values = readAll(pair.first(), names);
    const Row row = recorded(pair.first(), names);
    recorded(pair.second(), names);
    for (const auto& [name, bytes] : row) {
        if (values.at(name) == bytes) continue;
        ++differences;
        std::printf("  %s is not what eval said\n", name.c_str());
    }
}

}  // namespace

void comparePast(Pair& pair, const std::vector<std::string>& names, std::mt19937& random,
                 const std::string& folder) {
    std::map<std::uint64_t, std::uint64_t> sums;
    std::vector<std::string> inputs;
    for (const std::string& name : names)
        if (name.back() != ']' && (shape(pair.first(), name).flags & SME_INPUT) != 0)
            inputs.push_back(name);
    pair.both("reset", [](Simulation& s) { return result(s, s.table.reset(s.it)); });
    compareAll(pair, names, "after a reset");
    for (int round = 0; round < 12; ++round) {
        sums[pair.first().table.cycle(pair.first().it)] =
            pair.first().table.checksum(pair.first().it);
        if (round % 4 == 1) setSome(pair, names, random, true);
        if (round % 4 == 1) sums.erase(pair.first().table.cycle(pair.first().it));
        if (round % 3 == 0) evaluate(pair, names);
        const std::string input =
            inputs.empty() || round % 2 == 0 ? "" : inputs[random() % inputs.size()];
        const std::string rows = input.empty() ? "" : rowsOf(pair.first(), input, 3, random);
        if (!input.empty()) sums.erase(pair.first().table.cycle(pair.first().it));
        pair.both("block", [&](Simulation& s) { return blockOf(s, names, 3, input, rows); });
        compareAll(pair, names, "after a block");
    }
    pair.both("inputs", [&](Simulation& s) {
        const std::string path = folder + "/" + (&s == &pair.first() ? "a" : "b") + "inputs.csv";
        return result(s, s.table.save_inputs(s.it, path.c_str())) + read(path);
    });
    goTo(pair, names, random, sums);
}

}  // namespace sme::probe
