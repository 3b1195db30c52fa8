#pragma once

#include <cstdint>
#include <string>

#include "engine/engine.h"

namespace sme {

/// --threads auto: runs a simulation and chooses the number of threads by trying. The first cycles
/// run on one thread, then on 2, 4, … up to `most`, each for a few milliseconds, and the fastest
/// goes on. The trial is repeated when the chosen number turns out slower than one thread was
/// (somebody else wants the processors), and now and then, ever more rarely while its result stays
/// the same. All cycles count; the plan never changes results.
class Governor {
public:
    Governor(Engine& engine, Observer& observer, std::uint64_t until, unsigned most)
        : engine_(engine), observer_(observer), until_(until), most_(most) {}

    /// Runs to the end; returns the CycleFlag bits of the last cycle.
    std::uint32_t run();
    /// Why the engine has the threads that it has now, for the summary.
    std::string reason() const;

private:
    void choose();
    /// Nanoseconds until the next trial may come.
    std::int64_t chooseTimed();
    /// Nanoseconds per cycle; measured only roughly once it is clear that it is more than
    /// `hopeless`.
    double measure(unsigned threads, double hopeless = 1e300);
    double window(std::uint64_t cycles);
    std::uint64_t cyclesIn(double nanoseconds) const;
    bool over() const { return ended_ != 0 || engine_.cycle() >= until_; }
    void use(unsigned threads);

    Engine& engine_;
    Observer& observer_;
    const std::uint64_t until_;
    const unsigned most_;
    std::uint32_t ended_ = 0;
    double cycleNs_ = 0;  ///< as measured last
    double aloneNs_ = 0;  ///< a cycle on one thread, in the last trial
    unsigned changes_ = 0;
    std::string reason_;
};

}  // namespace sme
