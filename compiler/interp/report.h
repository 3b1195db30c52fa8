#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interp/simulation.h"

namespace smec::interp {

/// Where text goes.
struct Sinks {
    /// What processes print and results. Returns errno where it cannot be written, else 0.
    std::function<int(std::string_view text)> out;
    /// Failures, and what a run says about itself.
    std::function<void(std::string_view text)> err;
};

/// Standard output and error.
Sinks standardSinks();

/// What processes say, results, and what the run says about itself.
class Output {
public:
    explicit Output(Sinks sinks) : sinks_(std::move(sinks)) {}
    ~Output() { flush(); }
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    /// The messages of a cycle, in order: lines to out, then failures to err (at most 20,
    /// then how many more).
    void write(const std::vector<Message>& messages, std::uint64_t cycle);
    void line(const std::string& text);
    void put(std::string_view text);
    /// To err, after everything before.
    void note(const std::string& text);
    void flush();
    /// errno of the first write to out that failed; what came later is dropped. 0:
    /// none.
    int problem() const { return problem_; }

private:
    Sinks sinks_;
    std::string buffer_;
    int problem_ = 0;
};

/// One line for each `cover` of each process instance; empty when there is none.
std::string coverReport(const Simulation& simulation);
std::string summary(std::uint64_t cycles, std::size_t processes, double seconds);
/// --list: names, types, widths and kinds.
std::string listing(const hir::Design& design);

}  // namespace smec::interp
