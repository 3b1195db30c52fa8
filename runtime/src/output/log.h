#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sme/model.h"
#include "values/instances.h"
#include "values/parity.h"

namespace sme {

/// What a thread tells the others at the barrier that ends a cycle.
enum CycleFlag : std::uint32_t {
    kStopped = 1,  ///< a process asked for the end
    kFailed = 2,
    kRequested = 4,    ///< from outside: a signal, a time limit
    kNoOutput = 8,     ///< a file cannot be written
    kNoMemory = 16,    ///< a log cannot grow
    kBadRow = 32,      ///< the row of the next cycle cannot be read
    kRowsEnd = 64,     ///< there is no row for the next cycle, and no other end
    kHasOutput = 128,  ///< the log of this cycle is not empty; does not end the run
    kEnds = 127        ///< those that end it
};

/// A line of output or a report, in the text of its log.
struct LogLine {
    std::uint64_t order;  ///< of the instance, see InstanceRun
    std::uint32_t begin;
    std::uint32_t length;
};

/// What one thread has to say about one cycle. Entries of one instance are in the order in which
/// they happened.
struct CycleLog {
    std::string text;
    std::vector<LogLine> lines;  ///< for stdout, newline included
    std::string reportText;
    std::vector<LogLine> reports;  ///< for stderr
    std::uint64_t stopOrder = 0;   ///< the first stop in output order
    std::uint8_t stopStatus = 0;
    bool stopped = false;

    void clear();
};

/// The output of one thread. In cycle k the thread writes cycles[k mod 2]; after the barrier of
/// cycle k that log belongs to thread 0, which must be done with it before the barrier of cycle k
/// + 1. Everything else is the thread's own.
struct alignas(64) ThreadLog {
    ThreadLog(const Model& m, const InstanceIndex& index)
        : model(m), instances(index), hints(m.classCount) {}

    CycleLog& at(std::uint64_t cycle) { return cycles[parityOf(cycle)]; }

    const Model& model;
    const InstanceIndex& instances;
    std::vector<const InstanceRun*>
        hints;                ///< per class: the run of the last instance that had something to say
    std::uint32_t flags = 0;  ///< CycleFlag of the current cycle
    CycleLog cycles[2];
};

}  // namespace sme
