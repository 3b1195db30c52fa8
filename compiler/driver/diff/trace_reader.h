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

/// A trace that is none: `path:line: error: …`.
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

/// Opens a trace by the ending of its name: .csv, .vcd, .fst (which `fst2vcd` reads). `period`: of
/// a cycle, in nanoseconds, in formats that have time. Throws FileError and BadTrace.
std::unique_ptr<TraceReader> openTrace(const std::string& path, std::uint64_t period);

std::unique_ptr<TraceReader> openCsv(const std::string& path);
/// `name`: what messages call the file.
std::unique_ptr<TraceReader> openVcd(const std::string& path, const std::string& name,
                                     std::uint64_t period);

}  // namespace smec::driver
