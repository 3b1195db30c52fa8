// Round robin arbiters with eight clients each, as arbiters.sme has them (without weights).
#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr uint32_t clientCount = 8;
constexpr uint8_t quantum = 8;

struct Permission {
    bool valid;
    uint8_t client;
};

struct Client {
    uint32_t dice;
    bool asking;
    uint8_t work;
    uint16_t waiting, longest;
    uint32_t jobs, waited;

    void step(uint32_t me, Permission grant) {
        if (!asking) {
            dice ^= dice << 13;
            dice ^= dice >> 17;
            dice ^= dice << 5;
            if (dice % 64 == 0) {
                work = dice >> 6 & 31;
                waiting = 0;
                asking = true;
            }
        } else if (grant.valid && grant.client == me) {
            if (work == 0) {
                ++jobs;
                asking = false;
            } else {
                --work;
            }
        } else {
            ++waiting;
            ++waited;
            longest = std::max(longest, waiting);
        }
    }
};

struct Arbiter {
    bool busy;
    uint8_t owner, left;
    uint32_t grants, revoked, unused, sum;

    Permission step(const bool* ask, uint64_t cycle) {
        if (busy) {
            if (!ask[owner]) {
                busy = false;
            } else if (left > 0) {
                --left;
            } else if (othersAsk(ask)) {
                ++revoked;
                busy = false;
            }
        }
        if (!busy) choose(ask, cycle);
        return {busy, owner};
    }

    bool othersAsk(const bool* ask) const {
        for (uint32_t c = 0; c < clientCount; ++c)
            if (ask[c] && c != owner) return true;
        return false;
    }

    void choose(const bool* ask, uint64_t cycle) {
        for (uint32_t i = 1; i <= clientCount; ++i) {
            const uint32_t candidate = (owner + i) % clientCount;
            if (!ask[candidate]) continue;
            owner = candidate;
            busy = true;
            left = quantum;
            ++grants;
            sum = sum * 31 + uint32_t(cycle ^ owner);
            return;
        }
        ++unused;
    }
};

struct Group {
    Client clients[clientCount];
    Arbiter arbiter;
    bool ask[clientCount];
    Permission grant;

    void step(uint64_t cycle) {
        const Permission next = arbiter.step(ask, cycle);
        for (uint32_t c = 0; c < clientCount; ++c) {
            clients[c].step(c, grant);
            ask[c] = clients[c].asking;
        }
        grant = next;
    }
};

int main(int argc, char** argv) {
    const uint32_t n = argc > 1 ? strtoul(argv[1], nullptr, 10) : 16;
    const uint64_t cycles = argc > 2 ? strtoull(argv[2], nullptr, 10) : 1000;
    std::vector<Group> groups(n);
    for (uint32_t i = 0; i < n; ++i)
        for (uint32_t c = 0; c < clientCount; ++c)
            groups[i].clients[c].dice = (i * clientCount + c + 1) * 2654435761u;

    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t cycle = 0; cycle < cycles; ++cycle)
        for (Group& group : groups)
            group.step(cycle);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    uint64_t grants = 0, revoked = 0, unused = 0, sum = 0;
    uint64_t jobs[clientCount] = {}, waited[clientCount] = {}, longest[clientCount] = {};
    for (const Group& group : groups) {
        grants += group.arbiter.grants;
        revoked += group.arbiter.revoked;
        unused += group.arbiter.unused;
        sum += group.arbiter.sum;
        for (uint32_t c = 0; c < clientCount; ++c) {
            jobs[c] += group.clients[c].jobs;
            waited[c] += group.clients[c].waited;
            longest[c] += group.clients[c].longest;
        }
    }
    printf("grants %" PRIu64 " revoked %" PRIu64 " unused %" PRIu64 " sum %" PRIu64 " jobs %" PRIu64
           " waited %" PRIu64 " last_waited %" PRIu64 " longest %" PRIu64 "\n",
           grants, revoked, unused, sum, jobs[0], waited[0], waited[7], longest[7]);
    fprintf(stderr, "%.1f cycles/s\n", cycles / seconds);
}
