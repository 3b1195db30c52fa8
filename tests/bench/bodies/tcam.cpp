// Ternary CAMs of 32 entries and their drivers, as tcam.sme has them.
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr uint32_t entryCount = 32;

enum class Operation : uint8_t { Nothing, Search, Write, Remove };

struct Entry {
    uint32_t value, mask;
    uint8_t priority;
    bool valid;
};

struct Command {
    Operation what;
    uint8_t index, priority;
    uint32_t key, mask;
};

struct Answer {
    bool valid, hit;
    uint8_t index, priority;
};

struct Driver {
    uint32_t dice, hits, misses, sum;

    Command step(Answer answer) {
        if (answer.valid && answer.hit) {
            ++hits;
            sum = sum * 31 + (answer.priority << 5 | answer.index);
        } else if (answer.valid) {
            ++misses;
            sum ^= sum << 1;
        }
        const uint32_t old = dice;
        dice ^= dice << 13;
        dice ^= dice >> 17;
        dice ^= dice << 5;
        const uint32_t mask = (dice & old << 7 & old >> 9) | (dice >> 8 & 3);
        return {choose(dice >> 28), uint8_t(dice & 31), uint8_t(old >> 8), dice, mask};
    }

    static Operation choose(uint32_t number) {
        if (number == 0) return Operation::Nothing;
        if (number <= 2) return Operation::Write;
        return number == 3 ? Operation::Remove : Operation::Search;
    }
};

struct Tcam {
    Entry table[entryCount];
    uint32_t searches, writes, removed;

    Answer step(const Command& ask) {
        switch (ask.what) {
        case Operation::Nothing: break;
        case Operation::Search: return search(ask.key);
        case Operation::Write:
            table[ask.index] = {ask.key, ask.mask, ask.priority, true};
            ++writes;
            break;
        case Operation::Remove:
            removed += table[ask.index].valid;
            table[ask.index].valid = false;
            break;
        }
        return {};
    }

    Answer search(uint32_t key) {
        Answer answer = {true, false, 0, 0};
        for (uint32_t i = 0; i < entryCount; ++i) {
            const Entry& entry = table[i];
            if (!entry.valid || ((entry.value ^ key) & entry.mask) != 0) continue;
            if (answer.hit && entry.priority <= answer.priority) continue;
            answer = {true, true, uint8_t(i), entry.priority};
        }
        ++searches;
        return answer;
    }
};

struct Unit {
    Driver driver;
    Tcam tcam;
    Command ask;
    Answer answer;
};

int main(int argc, char** argv) {
    const uint32_t n = argc > 1 ? strtoul(argv[1], nullptr, 10) : 16;
    const uint64_t cycles = argc > 2 ? strtoull(argv[2], nullptr, 10) : 1000;
    std::vector<Unit> units(n);
    for (uint32_t i = 0; i < n; ++i)
        units[i].driver.dice = (i + 1) * 2654435761u;

    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
        for (Unit& unit : units) {
            const Command ask = unit.driver.step(unit.answer);
            unit.answer = unit.tcam.step(unit.ask);
            unit.ask = ask;
        }
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    uint64_t hits = 0, misses = 0, sum = 0, searches = 0, writes = 0, removed = 0;
    for (const Unit& unit : units) {
        hits += unit.driver.hits;
        misses += unit.driver.misses;
        sum += unit.driver.sum;
        searches += unit.tcam.searches;
        writes += unit.tcam.writes;
        removed += unit.tcam.removed;
    }
    printf("hits %" PRIu64 " misses %" PRIu64 " sum %" PRIu64 " searches %" PRIu64
           " writes %" PRIu64 " removed %" PRIu64 "\n",
           hits, misses, sum, searches, writes, removed);
    fprintf(stderr, "%.1f cycles/s\n", cycles / seconds);
}
