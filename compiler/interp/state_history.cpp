#include "interp/state_history.h"

#include <iterator>

namespace smec::interp {
namespace {

std::size_t stateBytes(const State& state) {
    const std::size_t values = state.read.size() + state.write.size() + state.variables.size();
    return sizeof state + values * sizeof(Value)
           + state.activities.size() * sizeof(State::Activity);
}

}  // namespace

void StateHistory::thin() {
    spacing_ *= 2;
    std::uint64_t last = states_.begin()->first;
    for (auto state = std::next(states_.begin()); state != states_.end();) {
        if (state->first - last >= spacing_) {
            last = state->first;
            ++state;
        } else {
            state = states_.erase(state);
        }
    }
}

void StateHistory::add(State state, double took, double ran) {
    if (took > budget_.share * ran && ran > 0) spacing_ *= 2;
    const std::uint64_t cycle = state.cycle;
    forgetAfter(cycle);
    states_.insert_or_assign(cycle, std::move(state));
    while (states_.size() > 2
           && states_.size() * stateBytes(states_.begin()->second) > budget_.bytes)
        thin();
    next_ = cycle + spacing_;
}

void StateHistory::forgetAfter(std::uint64_t cycle) {
    states_.erase(states_.upper_bound(cycle), states_.end());
    next_ = states_.empty() ? 0 : states_.rbegin()->first + spacing_;
}

void StateHistory::forget() {
    states_.clear();
    next_ = 0;
}

}  // namespace smec::interp
