#pragma once

#include <string>
#include <vector>

#include "interp/simulation.h"

namespace smec::interp {

/// Standard output and error: what processes say, results, and what the run says about itself.
class Output {
public:
    Output() = default;
    ~Output() { flush(); }
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    /// The messages of a cycle, in order: lines to stdout, then failures to stderr (at most 20,
    /// then how many more).
    void write(const std::vector<Message>& messages, std::uint64_t cycle);
    void line(const std::string& text);
    void put(const std::string& text);
    /// To stderr, after everything before.
    void note(const std::string& text);
    void flush();
    /// errno of the first write to standard output that failed; what came later is dropped. 0:
    /// none.
    int problem() const { return problem_; }

private:
    std::string buffer_;
    int problem_ = 0;
};

/// One line for each `cover` of each process instance; empty when there is none.
std::string coverReport(const Simulation& simulation);
std::string summary(std::uint64_t cycles, std::size_t processes, double seconds);
/// --list: names, types, widths and kinds.
std::string listing(const hir::Design& design);

}  // namespace smec::interp
