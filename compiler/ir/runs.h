#pragma once

#include "ir/ir.h"

namespace smec::ir {

/// Compresses a list of places (instance 0, 1, 2, …) into the runs of a connection, greedily: a run
/// goes on while the step is the same. A pair that began with a jump gives up its second place when
/// that one fits better to the third (n-1, 0, 1, 2 -> {n-1} {0, 1, 2}).
class RunBuilder {
public:
    void add(PlaneId plane, std::uint32_t element);
    std::vector<Run> take() { return std::move(runs_); }

private:
    std::vector<Run> runs_;
    std::uint32_t next_ = 0;
};

}  // namespace smec::ir
