// A ring of nodes with input queues of eight words, as queues.sme has it: each takes a word, works on it, and passes it
// on or drops it.
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr uint32_t depth = 8;

enum class State : uint8_t { Idle, Work, Send };

struct Link {
    uint32_t data;
    bool valid;
    bool ready;
};

struct Node {
    uint32_t queue[depth];
    uint8_t head, count;
    State state;
    uint8_t work, patience;
    uint32_t word, dice;
    uint32_t received, sent, made, dropped, blocked, sum;

    void take() {
        word = queue[head];
        head = (head + 1) % depth;
        --count;
        sum = sum * 31 + word;
        work = word & 15;
        state = State::Work;
    }

    void maybeMake() {
        dice ^= dice << 13;
        dice ^= dice >> 17;
        dice ^= dice << 5;
        if (dice % 16 != 0) return;
        word = dice;
        work = 3;
        ++made;
        state = State::Work;
    }

    void step(const Link& in, const Link& out, Link& nextIn, Link& nextOut) {
        if (in.valid) {
            queue[(head + count) % depth] = in.data;
            ++count;
            ++received;
        }
        nextOut.valid = false;
        switch (state) {
        case State::Idle:
            if (count > 0)
                take();
            else
                maybeMake();
            break;
        case State::Work:
            word = (word << 1 | word >> 31) + 0x9E3779B9;
            if (work != 0) {
                --work;
            } else if (word % 32 == 0) {
                ++dropped;
                state = State::Idle;
            } else {
                patience = 63;
                state = State::Send;
            }
            break;
        case State::Send:
            if (out.ready) {
                nextOut.valid = true;
                nextOut.data = word;
                ++sent;
                state = State::Idle;
            } else if (patience == 0) {
                ++dropped;
                state = State::Idle;
            } else {
                --patience;
                ++blocked;
            }
            break;
        }
        nextIn.ready = count + 2u <= depth;
    }
};

int main(int argc, char** argv) {
    const uint32_t n = argc > 1 ? strtoul(argv[1], nullptr, 10) : 64;
    const uint64_t cycles = argc > 2 ? strtoull(argv[2], nullptr, 10) : 1000;
    std::vector<Node> nodes(n);
    std::vector<Link> now(n), next(n);
    for (uint32_t i = 0; i < n; ++i)
        nodes[i].dice = (i + 1) * 2654435761u;

    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
        for (uint32_t i = 0; i < n; ++i) {
            const uint32_t j = i + 1 == n ? 0 : i + 1;
            nodes[i].step(now[i], now[j], next[i], next[j]);
        }
        now.swap(next);
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    uint64_t received = 0, sent = 0, made = 0, dropped = 0, blocked = 0, sum = 0;
    for (const Node& node : nodes) {
        received += node.received;
        sent += node.sent;
        made += node.made;
        dropped += node.dropped;
        blocked += node.blocked;
        sum += node.sum;
    }
    printf("received %" PRIu64 " sent %" PRIu64 " made %" PRIu64 " dropped %" PRIu64
           " blocked %" PRIu64 " sum %" PRIu64 "\n",
           received, sent, made, dropped, blocked, sum);
    fprintf(stderr, "%.1f cycles/s\n", cycles / seconds);
}
