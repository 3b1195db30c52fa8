#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "driver/diff/trace_values.h"

namespace smec::driver {

/// A trace that is none: `path:line: error: …`, of bytes `path: error: at byte N: …`.
class BadTrace : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
    BadTrace(const std::string& path, std::size_t line, const std::string& why);
};

/// A trace of any format, read from one cycle in which something changes to the next. It is never
/// in memory as a whole.
class TraceReader {
public:
    virtual ~TraceReader() = default;

    const std::vector<TracedSignal>& signals() const { return signals_; }
    /// Goes on to the next cycle of which the trace says something; false at its end. Throws
    /// BadTrace.
    virtual bool next() = 0;
    std::uint64_t cycle() const { return cycle_; }
    /// Those that are said to have a new value in cycle(); all in the first one.
    const std::vector<std::size_t>& changed() const { return changed_; }
    /// Of a signal in cycle(); empty: nothing was said of it yet.
    std::string_view value(std::size_t signal) const { return values_[signal]; }
    /// After the end: the cycle after the last one.
    std::uint64_t end() const { return end_; }

protected:
    std::vector<TracedSignal> signals_;
    std::vector<std::string> values_;
    std::vector<std::size_t> changed_;
    std::uint64_t cycle_ = 0;
    std::uint64_t end_ = 0;
};

/// Opens a trace by the ending of its name: .csv, .vcd, .fst. `period`: of a cycle, in nanoseconds,
/// in formats that have time. Throws FileError and BadTrace.
///
/// A file that is damaged, or none of these, ends in BadTrace, in time and memory that its size
/// bounds: no length in it is believed before it is held against what the file has.
std::unique_ptr<TraceReader> openTrace(const std::string& path, std::uint64_t period);

std::unique_ptr<TraceReader> openCsv(const std::string& path);
std::unique_ptr<TraceReader> openVcd(const std::string& path, std::uint64_t period);
std::unique_ptr<TraceReader> openFstTrace(const std::string& path, std::uint64_t period);

/// 0: it is none, or it is not known how long it is.
std::uint64_t sizeOfFile(const std::string& path);

}  // namespace smec::driver
