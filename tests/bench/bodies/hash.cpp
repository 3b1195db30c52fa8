// Hash tables with linear probing, one probe a cycle, and their users, as hash.sme has them.
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr uint32_t size = 256, keyCount = 320;

enum class Operation : uint8_t { Insert, Find, Delete };
enum class State : uint8_t { Ready, Probe, Shift };

struct Command {
    bool valid;
    Operation what;
    uint16_t key;
    uint32_t value;
};

struct Reply {
    bool valid, found;
    uint32_t value;
};

struct User {
    uint32_t dice;
    bool waiting;
    uint32_t found, missed, sum;

    void roll() {
        dice ^= dice << 13;
        dice ^= dice >> 17;
        dice ^= dice << 5;
    }

    Command step(bool ready, const Reply& answer) {
        if (waiting) {
            if (!answer.valid) return {};
            if (answer.found) {
                ++found;
                sum = sum * 31 + answer.value;
            } else {
                ++missed;
            }
            waiting = false;
            roll();
            return {};
        }
        if (!ready) return {};
        waiting = true;
        const Operation what = dice & 1   ? Operation::Find
                               : dice & 2 ? Operation::Insert
                                          : Operation::Delete;
        return {true, what, uint16_t(1 + (dice >> 8) % keyCount), dice};
    }
};

struct Table {
    uint16_t keys[size];
    uint32_t values[size];
    State state;
    Operation what;
    uint16_t key;
    uint8_t place, hole;
    uint16_t count;
    uint32_t value, probes, moves, full;

    static uint8_t home(uint16_t key) { return key * 40503u >> 8; }

    void step(const Command& ask, Reply& answer, bool& ready) {
        answer.valid = false;
        ready = false;
        switch (state) {
        case State::Ready:
            if (!ask.valid) {
                ready = true;
                return;
            }
            what = ask.what;
            key = ask.key;
            value = ask.value;
            place = home(key);
            state = State::Probe;
            break;
        case State::Probe: probe(answer); break;
        case State::Shift: shift(answer); break;
        }
    }

    void probe(Reply& answer) {
        ++probes;
        if (keys[place] == key && what == Operation::Delete) {
            value = values[place];
            hole = place;
            --count;
            state = State::Shift;
        } else if (keys[place] == key) {
            answer = {true, true, values[place]};
            if (what == Operation::Insert) values[place] = value;
            state = State::Ready;
        } else if (keys[place] == 0) {
            if (what == Operation::Insert) insert();
            answer = {true, false, 0};
            state = State::Ready;
        }
        ++place;
    }

    void insert() {
        if (count >= size * 3 / 4) {
            ++full;
            return;
        }
        keys[place] = key;
        values[place] = value;
        ++count;
    }

    void shift(Reply& answer) {
        if (keys[place] == 0) {
            keys[hole] = 0;
            answer = {true, true, value};
            state = State::Ready;
        } else if (uint8_t(place - home(keys[place])) >= uint8_t(place - hole)) {
            keys[hole] = keys[place];
            values[hole] = values[place];
            hole = place;
            ++moves;
        }
        ++place;
    }
};

struct Unit {
    User user;
    Table table;
    Command ask;
    Reply answer;
    bool ready;
};

int main(int argc, char** argv) {
    const uint32_t n = argc > 1 ? strtoul(argv[1], nullptr, 10) : 16;
    const uint64_t cycles = argc > 2 ? strtoull(argv[2], nullptr, 10) : 1000;
    std::vector<Unit> units(n);
    for (uint32_t i = 0; i < n; ++i) {
        units[i].user.dice = (i + 1) * 2654435761u;
        units[i].user.roll();
    }

    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
        for (Unit& unit : units) {
            const Command ask = unit.user.step(unit.ready, unit.answer);
            unit.table.step(unit.ask, unit.answer, unit.ready);
            unit.ask = ask;
        }
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    uint64_t found = 0, missed = 0, sum = 0, probes = 0, moves = 0, full = 0;
    for (const Unit& unit : units) {
        found += unit.user.found;
        missed += unit.user.missed;
        sum += unit.user.sum;
        probes += unit.table.probes;
        moves += unit.table.moves;
        full += unit.table.full;
    }
    printf("found %" PRIu64 " missed %" PRIu64 " sum %" PRIu64 " probes %" PRIu64 " moves %" PRIu64
           " full %" PRIu64 "\n",
           found, missed, sum, probes, moves, full);
    fprintf(stderr, "%.1f cycles/s\n", cycles / seconds);
}
