// Memory controllers, first ready first served, and their clients, as memctrl.sme has them.
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr uint32_t bankCount = 4, depth = 8, latency = 5;
constexpr uint8_t activateTime = 4, prechargeTime = 3, readTime = 2, writeTime = 4;

struct Access {
    uint32_t data;
    bool write;
    uint8_t bank, row, column;
};

struct Request {
    bool valid;
    Access what;
};

struct Reply {
    bool valid;
    uint32_t data;
};

struct Bank {
    bool open;
    uint8_t row, busy;

    bool hits(const Access& access) const { return open && row == access.row && busy == 0; }
};

struct Client {
    uint32_t dice;
    uint8_t bank, row;
    uint32_t asked, answered, sum;

    Request step(bool ready, const Reply& answer) {
        if (answer.valid) {
            ++answered;
            sum = sum * 31 + answer.data;
        }
        dice ^= dice << 13;
        dice ^= dice >> 17;
        dice ^= dice << 5;
        if (!ready || (dice & 3) == 0) return {};
        if ((dice >> 2 & 7) == 0) {
            bank = dice >> 5 & 3;
            row = dice >> 7 & 7;
        }
        ++asked;
        return {true, {dice, (dice >> 10 & 3) == 0, bank, row, uint8_t(dice >> 12 & 7)}};
    }
};

struct Controller {
    Access queue[depth];
    uint32_t count;
    Bank banks[bankCount];
    uint32_t memory[256];
    uint8_t dataBusy;
    uint32_t accesses, activations, precharges, overtakes, waited;

    Reply step(const Request& ask, bool& ready) {
        for (Bank& bank : banks)
            if (bank.busy > 0) --bank.busy;
        if (dataBusy > 0) --dataBusy;
        if (ask.valid) queue[count++] = ask.what;

        Reply reply = {};
        const uint32_t chosen = dataBusy == 0 ? firstReady() : count;
        if (chosen < count)
            reply = serve(chosen);
        else
            prepare();
        waited += count;
        ready = count + 2 <= depth;
        return reply;
    }

    uint32_t firstReady() const {
        uint32_t i = 0;
        while (i < count && !banks[queue[i].bank].hits(queue[i]))
            ++i;
        return i;
    }

    Reply serve(uint32_t chosen) {
        const Access access = queue[chosen];
        uint32_t& word = memory[access.bank << 6 | access.row << 3 | access.column];
        ++accesses;
        overtakes += chosen != 0;
        --count;
        for (uint32_t i = chosen; i < count; ++i)
            queue[i] = queue[i + 1];
        if (access.write) {
            word = access.data;
            dataBusy = writeTime;
            return {};
        }
        dataBusy = readTime;
        return {true, word};
    }

    void prepare() {
        for (uint32_t i = 0; i < count; ++i) {
            Bank& bank = banks[queue[i].bank];
            if (bank.busy != 0) continue;
            if (!bank.open) {
                bank = {true, queue[i].row, activateTime};
                ++activations;
                return;
            }
            if (bank.row != queue[i].row) {
                bank.open = false;
                bank.busy = prechargeTime;
                ++precharges;
                return;
            }
        }
    }
};

struct Unit {
    Client client;
    Controller controller;
    Request ask;
    bool ready;
    Reply answers[latency];
};

int main(int argc, char** argv) {
    const uint32_t n = argc > 1 ? strtoul(argv[1], nullptr, 10) : 16;
    const uint64_t cycles = argc > 2 ? strtoull(argv[2], nullptr, 10) : 1000;
    std::vector<Unit> units(n);
    for (uint32_t i = 0; i < n; ++i)
        units[i].client.dice = (i + 1) * 2654435761u;

    const auto begin = std::chrono::steady_clock::now();
    uint32_t slot = 0;
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
        for (Unit& unit : units) {
            const Request ask = unit.client.step(unit.ready, unit.answers[slot]);
            unit.answers[slot] = unit.controller.step(unit.ask, unit.ready);
            unit.ask = ask;
        }
        slot = slot + 1 == latency ? 0 : slot + 1;
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    uint64_t asked = 0, answered = 0, sum = 0, accesses = 0, activations = 0, precharges = 0;
    uint64_t overtakes = 0, waited = 0;
    for (const Unit& unit : units) {
        asked += unit.client.asked;
        answered += unit.client.answered;
        sum += unit.client.sum;
        accesses += unit.controller.accesses;
        activations += unit.controller.activations;
        precharges += unit.controller.precharges;
        overtakes += unit.controller.overtakes;
        waited += unit.controller.waited;
    }
    printf("asked %" PRIu64 " answered %" PRIu64 " sum %" PRIu64 " accesses %" PRIu64
           " activations %" PRIu64 " precharges %" PRIu64 " overtakes %" PRIu64 " waited %" PRIu64
           "\n",
           asked, answered, sum, accesses, activations, precharges, overtakes, waited);
    fprintf(stderr, "%.1f cycles/s\n", cycles / seconds);
}
