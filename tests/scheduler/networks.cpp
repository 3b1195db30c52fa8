#include "networks.h"

namespace sme::test {
namespace {

// ---------------------------------------------------------------- uneven

const ArgFormat kNumber[] = {{ArgKind::Unsigned, 32, 0}};
const TraceSite kUnevenTraces[] = {{"value {}", kNumber, 1}};

void unevenKernel([[maybe_unused]] const Thread& thread, const Slots& slots, std::uint32_t begin,
                  std::uint32_t end) {
    const auto* read = in<std::uint32_t>(slots.read, 0);
    auto* write = in<std::uint32_t>(slots.write, 0);
    for (std::uint32_t i = begin; i < end; ++i) {
        std::uint32_t value = read[(i + Uneven::kCount - 1) % Uneven::kCount] + i;
        const std::uint64_t rounds = (i + slots.cycle / 8) % 60;
        for (std::uint64_t k = 0; k < rounds; ++k)
            value = value * 1664525u + 1013904223u;
        write[i] = value;
        if (value % 97 == 0) {
            const Arg args[] = {{value, 0}};
            trace(thread, slots, 0, 0, i, args);
        }
    }
}

// ---------------------------------------------------------------- waiting

constexpr std::uint32_t kWaiting = Waiting::kCount;
constexpr std::uint64_t kLine = (kWaiting * 4 + 63) / 64 * 64;
// Clocked: out (lag 1), gate (lag 0), sum. State: step, left.

/// Combinational: opens the gate of process i by what its neighbour sent in the cycle before.
void gateKernel([[maybe_unused]] const Thread& thread, const Slots& slots, std::uint32_t begin,
                std::uint32_t end) {
    const auto* out = in<std::uint32_t>(slots.read, 0);
    auto* gate = in<std::uint32_t>(slots.write, kLine);
    for (std::uint32_t i = begin; i < end; ++i)
        gate[i] = (out[(i + 1) % kWaiting] >> 3) & 1;
}

void waitKernel([[maybe_unused]] const Thread& thread, const Slots& slots, std::uint32_t begin,
                std::uint32_t end) {
    const auto* read = in<std::uint32_t>(slots.read, 0);
    const auto* gate = in<std::uint32_t>(slots.write, kLine);
    auto* write = in<std::uint32_t>(slots.write, 0);
    auto* step = in<std::uint32_t>(slots.state, 0);
    auto* left = in<std::uint32_t>(slots.state, kLine);
    for (std::uint32_t i = begin; i < end; ++i) {
        write[i] = read[i];
        if (left[i] > 0) {
            --left[i];
            continue;
        }
        step[i] = (step[i] + 1) % 3;
        left[i] = 1 + (i + step[i] + gate[i]) % 7;
        write[i] = read[(i + kWaiting - 1) % kWaiting] * 31 + step[i] + gate[i];
    }
}

void sumKernel([[maybe_unused]] const Thread& thread, const Slots& slots, std::uint32_t begin,
               std::uint32_t end) {
    const auto* read = in<std::uint32_t>(slots.read, 0);
    auto* sum = in<std::uint32_t>(slots.write, 2 * kLine);
    if (begin == end) return;
    std::uint32_t total = 0;
    for (std::uint32_t i = 0; i < kWaiting; ++i)
        total += read[i];
    *sum = total;
}

}  // namespace

Uneven::Uneven() {
    const std::uint32_t type = integer(false, 32);
    const std::uint32_t link = plane(Home::TwoSlots, type, kCount);
    const std::uint32_t cls = process("uneven", unevenKernel, kCount, 4, 30, 0, 0, 1);
    sites(cls, kUnevenTraces, nullptr);
    name("link[", "].v", kCount, link, kExposed);
}

Waiting::Waiting() {
    const std::uint32_t type = integer(false, 32);
    const std::uint32_t out = plane(Home::TwoSlots, type, kCount);
    const std::uint32_t gate = plane(Home::WrittenSlot, type, kCount);
    const std::uint32_t sum = plane(Home::TwoSlots, type, 1);
    const std::uint32_t step = plane(Home::OneSlot, type, kCount);
    const std::uint32_t left = plane(Home::OneSlot, type, kCount);
    process("gate", gateKernel, kCount, 16, 1, 0, 0, 1);
    process("waiter", waitKernel, kCount, 16, 3, 1, kCount, 1);
    process("sum", sumKernel, 1, 1, 50, 1, 2 * kCount, 1);
    name("out[", "].v", kCount, out, kExposed);
    name("gate[", "].v", kCount, gate, 0);
    name("sum.v", nullptr, 1, sum, kExposed);
    name("waiter[", "].step", kCount, step, kVariable);
    name("waiter[", "].left", kCount, left, kVariable);
}

}  // namespace sme::test
