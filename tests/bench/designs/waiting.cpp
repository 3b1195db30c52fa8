// N processes that work in one cycle of NAP: those whose turn it is are in one list, and the others
// are not looked at.
#include "limit.hpp"

static u32 value[N], next[N];
static std::vector<u32> due[NAP];

static u32 changed(u32 own, u32 x, bool odd) { return odd ? own ^ (x << 1) : own + x + 1; }

static void stepAll(bool odd) {
    next[0] = changed(value[0], value[N - 1], odd);
    for (std::size_t i = 1; i < N; ++i)
        next[i] = changed(value[i], value[i - 1], odd);
    std::memcpy(value, next, sizeof value);
}

static void stepSome(const std::vector<u32>& list, bool odd) {
    const std::size_t count = list.size();
    for (std::size_t k = 0; k < count; ++k) {
        const u32 i = list[k];
        next[k] = changed(value[i], value[i == 0 ? N - 1 : i - 1], odd);
    }
    for (std::size_t k = 0; k < count; ++k)
        value[list[k]] = next[k];
}

static void step(std::uint64_t cycle) {
    if (cycle == 0) return;  // all wait for at least one cycle
    const bool odd = (cycle - 1) / NAP % 2 != 0;
    if (NAP == 1) {
        stepAll(odd);
    } else {
        stepSome(due[(cycle - 1) % NAP], odd);
    }
}

int main(int argc, char** argv) {
    for (std::size_t i = 0; i < N; ++i) {
        value[i] = static_cast<u32>(i) + 1;
        due[i * 7 % NAP].push_back(static_cast<u32>(i));
    }
    timed(cyclesOf(argc, argv), step);
    for (const std::size_t i : {0, N / 2, N - 1})
        printResult(std::uint64_t{value[i]});
}
