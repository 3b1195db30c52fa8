#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/file_sink.h"
#include "output/log.h"

namespace sme {

/// What a run's processes said, in the order that every plan shares.
class OutputMerger {
public:
    OutputMerger(TextSink& out, TextSink& err) : out_(out), err_(err) {}

    /// Writes and clears the logs of one cycle. Returns kNoOutput when a sink has a problem, else
    /// 0. Thread 0, after the barrier of `cycle`.
    std::uint32_t merge(std::span<ThreadLog* const> logs, std::uint64_t cycle);

    /// What other ranks had to say about the cycle that is merged next.
    void take(std::vector<CycleLog> others) {
        for (CycleLog& log : others)
            others_.push_back(std::move(log));
    }

    /// Clears the logs of one cycle; what they said is lost.
    std::uint32_t drop(std::span<ThreadLog* const> logs, std::uint64_t cycle);

    void forgetStop() { stopped_ = false; }
    std::uint64_t failures() const { return failures_; }
    bool stopped() const { return stopped_; }
    std::uint8_t stopStatus() const { return stopStatus_; }

private:
    struct Entry {
        std::uint64_t order;
        std::string_view text;
    };
    void collect(const CycleLog& log);
    void writeReports(std::uint64_t cycle);

    TextSink& out_;
    TextSink& err_;
    std::vector<CycleLog> others_;
    std::vector<Entry> lines_;  ///< of the cycle at hand; members to keep their memory
    std::vector<Entry> reports_;
    std::uint64_t failures_ = 0;
    std::uint64_t stopOrder_ = 0;
    bool stopped_ = false;
    std::uint8_t stopStatus_ = 0;
};

}  // namespace sme
