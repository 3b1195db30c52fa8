#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace sme {

/// Where the time of a parallel run goes, by factored speedups (Acar, Charguéraud, Rainey:
/// "Parallel work inflation, memory effects, and their empirical analysis", 2017). All times in
/// seconds.
struct Factored {
    struct Spread {
        double mean = 0;
        double lowest = 0;
        double highest = 0;
        double median = 0;  ///< what all figures are made of: one disturbed run does not move it
    };
    unsigned threads = 1;     ///< P
    unsigned processors = 1;  ///< that this process may use
    double others = 0;        ///< of them, how many other programs used meanwhile
    unsigned repeats = 1;
    std::uint64_t cycles = 0;
    Spread sequential;  ///< T_s: one thread, the whole list in order, no scheduler
    Spread elided;      ///< the units of the parallel plan on one thread, no scheduler
    Spread one;         ///< T_1: the parallel program, with its plan for P threads, on one thread
    Spread parallel;    ///< T_P
    Spread idle;        ///< I_P: of all threads, waiting or looking for work
    Spread untimed;     ///< T_P without measuring idle time, from runs beside those

    /// F_P = P T_P - I_P - T_1: how much longer the same work takes when others work, too. A
    /// difference of measured times: where it is less than these spread it may come out below 0.
    double inflation() const { return threads * parallel.median - idle.median - one.median; }

    // Speedups against T_s; from linear to actual each curve gives up one more ideal.
    double linear() const { return threads; }
    double elision() const { return threads * sequential.median / elided.median; }
    double maximal() const { return threads * sequential.median / one.median; }
    double idleSpecific() const { return threads * sequential.median / (one.median + idle.median); }
    double inflationSpecific() const {
        const double busy = threads * parallel.median - idle.median;  // < 0 by noise alone
        return busy > 0 ? threads * sequential.median / busy : NAN;
    }
    double actual() const { return sequential.median / parallel.median; }
};

/// Runs `cycles` cycles from cycle 0 in each of the forms, one after the other, `repeats` times; a
/// run that ends earlier is as good. Leaves the engine at cycle 0 with the configuration that it
/// had. `observer` drives inputs.
Factored measureFactored(Engine& engine, Observer* observer, std::uint64_t cycles,
                         unsigned repeats);

/// Whether threads had to wait for processors, since other programs used them or there are fewer.
bool isCrowded(const Factored& times);
/// One line: that, or which of overhead, idle time and inflation costs most, and what to try.
std::string diagnosis(const Factored& times);
/// A table and the diagnosis.
std::string toText(const Factored& times);
/// A JSON object with all times, curves and the diagnosis.
std::string toJson(const Factored& times);

}  // namespace sme
