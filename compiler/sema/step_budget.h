#pragma once

#include "sema/fold.h"

namespace smec::sema {

/// Steps for constant evaluations. Once several of a kind ran into the limit, further ones get
/// fewer: hundreds of them in a program shall not make a hang. `isNeeded`: the value is needed, else
/// a call can run later as well.
class StepBudget {
public:
    explicit StepBudget(std::uint64_t steps) : steps_(steps) {}

    std::uint64_t limit(bool isNeeded) const {
        return runaways_[isNeeded] < 8 ? steps_ : steps_ / 1000;
    }
    void count(Failure failure, bool isNeeded) {
        runaways_[isNeeded] += failure == Failure::TooManySteps;
    }

private:
    const std::uint64_t steps_;
    std::size_t runaways_[2] = {0, 0};
};

}  // namespace smec::sema
