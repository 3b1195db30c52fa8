// Token rings of 16 stations, as token.sme has them.
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr uint32_t ringSize = 16;

enum class Kind : uint8_t { Nothing, Token, Word };

struct Frame {
    Kind what;
    uint8_t source, target;
    uint32_t data;
};

struct Station {
    enum class State : uint8_t { Start, Wait, Send } state;
    bool started;
    uint8_t left, pause;
    uint32_t dice, tokens, sent;

    Frame step(uint32_t me, const Frame& input) {
        switch (state) {
        case State::Start:
            if (!started && me == 0) return begin(me);
            state = State::Wait;
            break;
        case State::Wait:
            if (input.what == Kind::Token) return begin(me);
            break;
        case State::Send:
            if (--pause > 0) break;
            if (left > 0) return send(me);
            state = State::Start;
            return {Kind::Token, 0, 0, 0};
        }
        return {};
    }

    Frame begin(uint32_t me) {
        started = true;
        ++tokens;
        left = 1 + dice % 8;
        state = State::Send;
        return send(me);
    }

    Frame send(uint32_t me) {
        dice ^= dice << 13;
        dice ^= dice >> 17;
        dice ^= dice << 5;
        --left;
        pause = 1 + dice % 4;
        ++sent;
        return {Kind::Word, uint8_t(me), uint8_t(dice >> 4 & 15), dice};
    }
};

struct Repeater {
    uint32_t received, removed, passed, sum;

    Frame step(uint32_t me, const Frame& input, const Frame& mine) {
        if (mine.what != Kind::Nothing) return mine;
        if (input.what != Kind::Word) return {};
        if (input.target == me) {
            ++received;
            sum = sum * 31 + (input.data ^ input.source);
        }
        if (input.source == me) {
            ++removed;
            return {};
        }
        ++passed;
        return input;
    }
};

struct Node {
    Station station;
    Repeater repeater;
    Frame mine;
};

int main(int argc, char** argv) {
    const uint32_t n = argc > 1 ? strtoul(argv[1], nullptr, 10) : 64;
    const uint64_t cycles = argc > 2 ? strtoull(argv[2], nullptr, 10) : 1000;
    std::vector<Node> nodes(n);
    std::vector<Frame> now(n), next(n);
    for (uint32_t i = 0; i < n; ++i)
        nodes[i].station.dice = (i + 1) * 2654435761u;

    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
        for (uint32_t i = 0; i < n; ++i) {
            const uint32_t me = i % ringSize;
            Node& node = nodes[i];
            next[i - me + (me + 1) % ringSize] = node.repeater.step(me, now[i], node.mine);
            node.mine = node.station.step(me, now[i]);
        }
        now.swap(next);
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    uint64_t tokens = 0, sent = 0, received = 0, removed = 0, passed = 0, sum = 0;
    for (const Node& node : nodes) {
        tokens += node.station.tokens;
        sent += node.station.sent;
        received += node.repeater.received;
        removed += node.repeater.removed;
        passed += node.repeater.passed;
        sum += node.repeater.sum;
    }
    printf("tokens %" PRIu64 " sent %" PRIu64 " received %" PRIu64 " removed %" PRIu64
           " passed %" PRIu64 " sum %" PRIu64 "\n",
           tokens, sent, received, removed, passed, sum);
    fprintf(stderr, "%.1f cycles/s\n", cycles / seconds);
}
