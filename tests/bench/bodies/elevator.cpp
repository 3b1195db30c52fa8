// Lifts in houses of twelve floors, as elevator.sme has them.
#include <bit>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr uint32_t floorCount = 12;
constexpr uint8_t travelTime = 6, doorTime = 3, openTime = 8;

struct Calls {
    uint16_t hall, cabin;
};

struct Position {
    uint8_t floor;
    bool opened;
};

struct House {
    uint32_t dice;
    uint16_t waiting;
    uint32_t entered, waited;

    Calls step(Position lift) {
        dice ^= dice << 13;
        dice ^= dice >> 17;
        dice ^= dice << 5;
        Calls press = {};
        if (dice % 32 == 0) {
            press.hall = 1 << (dice >> 8 & 255) % floorCount;
            waiting |= press.hall;
        }
        if (lift.opened && (waiting >> lift.floor & 1)) {
            waiting &= ~(1 << lift.floor);
            press.cabin = 1 << (dice >> 16 & 255) % floorCount;
            ++entered;
        }
        waited += std::popcount(waiting);
        return press;
    }
};

struct Lift {
    enum class State : uint8_t { Standing, Moving, Opening, Open, Closing } state;
    uint16_t wanted;
    uint8_t floor, timer;
    bool down;
    uint32_t moves, stops, turns, sum;

    Position step(Calls press) {
        wanted |= press.hall | press.cabin;
        const bool called = wanted >> floor & 1;
        bool opened = false;
        switch (state) {
        case State::Standing:
            if (called)
                enter(State::Opening, doorTime);
            else if (wanted != 0)
                start();
            break;
        case State::Moving:
            if (timer > 0)
                --timer;
            else
                arrive();
            break;
        case State::Opening:
            if (timer > 0) {
                --timer;
                break;
            }
            opened = true;
            wanted &= ~(1 << floor);
            ++stops;
            sum = sum * 31 + (wanted << 4 | floor);
            enter(State::Open, openTime);
            break;
        case State::Open:
            if (called) {
                opened = true;
                wanted &= ~(1 << floor);
                timer = openTime;
            } else if (timer > 0) {
                --timer;
            } else {
                enter(State::Closing, doorTime);
            }
            break;
        case State::Closing:
            if (called)
                enter(State::Opening, doorTime - timer);
            else if (timer > 0)
                --timer;
            else
                state = State::Standing;
            break;
        }
        return {floor, opened};
    }

    void enter(State next, uint8_t time) {
        state = next;
        timer = time;
    }

    void start() {
        const uint32_t ahead = down ? wanted & ((1u << floor) - 1) : wanted >> floor;
        if (ahead == 0) {
            down = !down;
            ++turns;
        }
        enter(State::Moving, travelTime);
    }

    void arrive() {
        floor += down ? -1 : 1;
        ++moves;
        if (wanted >> floor & 1)
            enter(State::Opening, doorTime);
        else
            timer = travelTime;
    }
};

struct Unit {
    House house;
    Lift lift;
    Calls press;
    Position here;

    void step() {
        const Calls next = house.step(here);
        here = lift.step(press);
        press = next;
    }
};

int main(int argc, char** argv) {
    const uint32_t n = argc > 1 ? strtoul(argv[1], nullptr, 10) : 32;
    const uint64_t cycles = argc > 2 ? strtoull(argv[2], nullptr, 10) : 1000;
    std::vector<Unit> units(n);
    for (uint32_t i = 0; i < n; ++i)
        units[i].house.dice = (i + 1) * 2654435761u;

    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t cycle = 0; cycle < cycles; ++cycle)
        for (Unit& unit : units)
            unit.step();
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    uint64_t entered = 0, waited = 0, moves = 0, stops = 0, turns = 0, sum = 0;
    for (const Unit& unit : units) {
        entered += unit.house.entered;
        waited += unit.house.waited;
        moves += unit.lift.moves;
        stops += unit.lift.stops;
        turns += unit.lift.turns;
        sum += unit.lift.sum;
    }
    printf("entered %" PRIu64 " waited %" PRIu64 " moves %" PRIu64 " stops %" PRIu64
           " turns %" PRIu64 " sum %" PRIu64 "\n",
           entered, waited, moves, stops, turns, sum);
    fprintf(stderr, "%.1f cycles/s\n", cycles / seconds);
}
