// One moment: what is read from outside before cycle k is what row k of a record has, whoever runs
// the design, however many cycles ran at once, and whether somebody looked before.

#include <random>

#include "table_pair.h"

namespace sme::probe {
Row readAll(Simulation& s, const std::vector<std::string>& names) {
    Row row;
    for (const std::string& name : names) {
        std::string bytes(shape(s, name).bytes, '?');
        const sme_status status = s.table.get(s.it, handle(s, name), bytes.data(), bytes.size());
        row[name] = status == SME_OK ? bytes : s.table.message(s.it);
    }
    return row;
}

Row recorded(Simulation& s, const std::vector<std::string>& names) {
    Row row;
    std::vector<sme_column> records;
    for (const std::string& name : names) {
        std::string& bytes = row[name];
        bytes.assign(shape(s, name).bytes, '?');
        records.push_back({handle(s, name), bytes.data(), bytes.size()});
    }
    std::uint64_t done = 0;
    s.table.run_block(s.it, 1, nullptr, 0, records.data(), records.size(), &done, nullptr);
    return row;
}

namespace {

void note(const Engine& engine, const std::string& what) {
    if (++differences <= 10) std::printf("  %s: %s\n", engine.name.c_str(), what.c_str());
}

void compare(const Engine& engine, const Row& read, const Row& row, std::uint64_t cycle,
             const char* how) {
    for (const auto& [name, bytes] : row)
        if (read.at(name) != bytes)
            note(engine, name + " " + how + " before cycle " + std::to_string(cycle)
                             + " is not what row " + std::to_string(cycle) + " has");
}

/// A byte of some inputs changes; what is no value is refused by all alike.
void setInputs(const std::vector<Simulation*>& all, const std::vector<std::string>& inputs,
               std::mt19937& random) {
    for (const std::string& name : inputs) {
        if (random() % 3 != 0) continue;
        std::string bytes(shape(*all.front(), name).bytes, 0);
        all.front()->table.get(all.front()->it, handle(*all.front(), name), bytes.data(),
                               bytes.size());
        if (bytes.empty()) continue;
        bytes[random() % bytes.size()] ^= static_cast<char>(1u << random() % 8);
        for (Simulation* s : all)
            s->table.set(s->it, handle(*s, name), bytes.data(), bytes.size());
    }
}

std::string stateOf(Simulation& s) {
    sme_snapshot* state = nullptr;
    if (s.table.snapshot(s.it, &state) != SME_OK) return {};
    std::string bytes;
    std::size_t size = 0;
    if (s.table.save(s.it, state, nullptr, &size) == SME_OK) {
        bytes.resize(size);
        s.table.save(s.it, state, bytes.data(), &size);
    }
    s.table.forget(state);
    return bytes;
}

}  // namespace

void compareMoments(const Engine& engine, std::uint64_t cycles) {
    // one that records rows, one that is looked at all the time, one that is looked at now and then
    Simulation rows(engine), seen(engine), rare(engine);
    if (rows.status != SME_OK) return;
    std::vector<std::string> names = paths(rows);
    if (names.size() > 500) names.resize(500);
    std::vector<std::string> inputs;
    for (const std::string& name : names)
        if ((shape(rows, name).flags & SME_INPUT) != 0) inputs.push_back(name);
    std::mt19937 random(23);
    for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
        if (random() % 4 == 0) readAll(seen, names);  // what holds no longer once inputs are set
        const bool sets = !inputs.empty() && random() % 2 == 0;
        const bool looks = sets || random() % 5 == 0;
        // a stop or a failure ends a step, and another one goes on
        while (looks && rare.table.cycle(rare.it) < cycle)
            rare.table.step(rare.it, cycle - rare.table.cycle(rare.it), nullptr);
        if (sets) setInputs({&rows, &seen, &rare}, inputs, random);
        const Row read = readAll(seen, names);
        const Row readRarely = looks ? readAll(rare, names) : Row();
        if (looks && stateOf(seen) != stateOf(rare)) note(engine, "a look changes the state");
        const Row row = recorded(rows, names);
        compare(engine, read, row, cycle, "read");
        if (looks) compare(engine, readRarely, row, cycle, "read after several");
        seen.table.step(seen.it, 1, nullptr);
        if (rows.table.checksum(rows.it) != seen.table.checksum(seen.it))
            note(engine, "looks change the checksum of cycle " + std::to_string(cycle));
        if (rows.table.cycle(rows.it) != cycle + 1) break;
    }
}

}  // namespace sme::probe
