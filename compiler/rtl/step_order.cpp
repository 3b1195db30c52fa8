#include "rtl/step_order.h"

#include <queue>
#include <tuple>

namespace smec::rtl {

void StepOrder::makes(std::uint32_t step, SignalId signal, std::uint32_t key) {
    maker_[signal] = step;
    steps_[step].key = key;
}

void StepOrder::sets(std::uint32_t step, SignalId reg) {
    registers_.try_emplace(reg, Register{step, 0, 0});
}

void StepOrder::reads(std::uint32_t step, SignalId signal) {
    const auto maker = maker_.find(signal);
    if (maker != maker_.end() && maker->second != step) reads_.push_back({maker->second, step});
    const auto found = registers_.find(signal);
    if (found == registers_.end()) return;
    Register& reg = found->second;
    if (reg.setter == step || reg.lastReader == step + 1) return;
    reg.lastReader = step + 1;
    if (++reg.readers == 1) ++steps_[reg.setter].late;
    steps_[step].registers.push_back(signal);
}

std::vector<std::uint32_t> StepOrder::run() {
    using Ready = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // late, key, step
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
    std::vector<bool> isPlaced(steps_.size());
    const Graph readers(static_cast<std::uint32_t>(steps_.size()), reads_);
    FreeNodes free(readers);
    const auto offer = [&](std::uint32_t step) {
        if (free.has(step)) ready.emplace(steps_[step].late, steps_[step].key, step);
    };
    for (std::uint32_t i = 0; i < steps_.size(); ++i)
        offer(i);
    std::vector<std::uint32_t> order;
    while (!ready.empty()) {
        const auto [late, key, step] = ready.top();
        ready.pop();
        if (isPlaced[step]) continue;  // it was offered again, being less late
        isPlaced[step] = true;
        order.push_back(step);
        for (const SignalId signal : steps_[step].registers) {
            Register& reg = registers_.at(signal);
            if (--reg.readers != 0) continue;
            --steps_[reg.setter].late;
            if (!isPlaced[reg.setter]) offer(reg.setter);
        }
        free.take(step, offer);
    }
    return order;
}

}  // namespace smec::rtl
