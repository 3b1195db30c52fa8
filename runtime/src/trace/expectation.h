#pragma once

#include <cstdint>
#include <string>

#include "output/output.h"
#include "trace/rows.h"
#include "trace/sampler.h"

namespace sme {

/// Compares a run with a file of what should be read, row by row. Tells the first differences,
/// counts all.
class Expectation {
public:
    Expectation(const Engine& engine, Rows& rows, TextSink& err);

    Sampler& sampler() { return sampler_; }
    Rows::Found check(std::uint64_t cycle);
    /// From now on no difference is told, nor counted.
    void beQuiet(bool isQuiet) {
        isQuiet_ = isQuiet;
        hasToTell_ = false;
    }
    /// Whether there was one since.
    bool hasToTell() const { return hasToTell_; }
    /// After the run of `cycles` cycles: all differences and missing rows. True when there were
    /// none. Reads what is left of live rows.
    bool finish(std::uint64_t cycles);
    /// The same for a run that was cut off: missing rows are no fault.
    bool good() const { return differences_ == 0; }

private:
    void tell(std::size_t column, std::uint64_t cycle, const std::byte* got);

    Rows& rows_;
    Sampler sampler_;
    TextSink& err_;
    std::uint64_t differences_ = 0;
    bool isQuiet_ = false;
    bool hasToTell_ = false;
};

}  // namespace sme
