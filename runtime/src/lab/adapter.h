#pragma once

#include <cstdint>
#include <deque>

#include "engine/engine.h"

namespace sme {

/// Decides when a load has moved for good: the median over some windows is high. After a look that
/// changed nothing the next one comes later, up to 64 windows; after a new plan all starts anew.
class LoadWatch {
public:
    /// `imbalance` of one more window: the busiest thread by the mean, 1 at least. Whether to look
    /// closer now.
    bool note(double imbalance);
    void planChanged();
    void planKept();

private:
    std::deque<double> imbalances_;  ///< of the last windows
    unsigned patience_ = 0;          ///< windows to go before the next look
    unsigned backOff_ = 1;
};

/// --adapt: runs a simulation in windows of cycles, and makes a new plan when the load has moved.
///
/// Of each window it knows how long each thread was busy. When the median over some windows of the
/// busiest by the mean stays high, the pieces are measured anew, in the cycles that come; the plan
/// changes when the one for the new times would be clearly better than the one that is, else it
/// takes longer until the next look. A single slow cycle changes no median. All cycles count;
/// nothing changes results.
class Adapter {
public:
    /// The engine has times (CyclePlan::setTimes) and a plan of model m2 that follows them.
    Adapter(Engine& engine, Observer& observer, std::uint64_t until, std::uint64_t window)
        : engine_(engine), observer_(observer), until_(until), window_(window) {}

    /// Runs to the end; returns the CycleFlag bits of the last cycle.
    std::uint32_t run();
    unsigned plans() const { return plans_; }  ///< new ones since the start

private:
    double imbalanceOfWindow();
    void measureAndPlan();
    std::uint64_t ahead(std::uint64_t cycles) const;
    bool over() const { return ended_ != 0 || engine_.cycle() >= until_; }

    Engine& engine_;
    Observer& observer_;
    const std::uint64_t until_;
    const std::uint64_t window_;
    std::uint32_t ended_ = 0;
    LoadWatch watch_;
    unsigned plans_ = 0;
};

}  // namespace sme
