#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>

#include "interp/state.h"

namespace smec::interp {

/// States of the past: the first one, and others evenly spaced. When there are too many for the
/// budget, every second one goes and the spacing doubles. States share what stays the same, of which
/// each counts as if it were alone.
class StateHistory {
public:
    struct Budget {
        std::size_t bytes = std::size_t{256} << 20;
        double share = 0.01;  ///< of the time
    };
    explicit StateHistory(const Budget& budget) : budget_(budget) {}

    /// The next cycle before which a state is to be kept.
    std::uint64_t next() const { return next_; }
    /// `took`: what keeping one costs, and `ran`: the run since the state before.
    void add(State state, double took, double ran);
    bool reaches(std::uint64_t cycle) const {
        return !states_.empty() && states_.begin()->first <= cycle;
    }
    /// The latest state of at most this cycle, which there is.
    State before(std::uint64_t cycle) const {
        return std::prev(states_.upper_bound(cycle))->second;
    }
    void forgetAfter(std::uint64_t cycle);
    /// Forgets all states; the spacing stays.
    void forget();
    std::size_t size() const { return states_.size(); }

private:
    void thin();

    Budget budget_;
    std::uint64_t spacing_ = 1;  ///< cycles
    std::uint64_t next_ = 0;
    std::map<std::uint64_t, State> states_;  ///< by cycle
};

}  // namespace smec::interp
