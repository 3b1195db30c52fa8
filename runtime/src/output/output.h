#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "output/log.h"

namespace sme {

/// Where text goes. Used by thread 0 only.
class TextSink {
public:
    virtual ~TextSink() = default;
    virtual void write(std::string_view text) = 0;
    virtual void flush() = 0;
    virtual void endCycle() {}  ///< behind all the text of a cycle
    /// errno of the first write that failed; later text is dropped. 0: all good.
    virtual int problem() const { return 0; }
};

/// A file descriptor with a buffer.
/// What a cycle says is written out when the last time was a while ago, so that somebody who reads
/// along sees a slow run.
class FileSink final : public TextSink {
public:
    /// `lively`: written out after every cycle (terminals).
    explicit FileSink(int descriptor, bool lively = false);
    /// A descriptor that it closes in the end; negative: the opening failed, for the reason in
    /// errno.
    struct Owned {};
    FileSink(int descriptor, Owned);
    ~FileSink() override;
    FileSink(const FileSink&) = delete;
    FileSink& operator=(const FileSink&) = delete;

    void write(std::string_view text) override;
    void flush() override;
    void endCycle() override;
    int problem() const override { return problem_; }

private:
    void writeOut(std::string_view text);

    int descriptor_ = -1;
    bool owned_ = false;
    bool lively_ = false;
    int problem_ = 0;
    std::int64_t writtenMs_ = 0;  ///< when, roughly
    std::string buffer_;
};

/// Keeps the text (tests, the library).
class StringSink final : public TextSink {
public:
    void write(std::string_view part) override { text.append(part); }
    void flush() override {}
    std::string text;
};

/// What a run's processes said, in the order that every plan shares.
class OutputMerger {
public:
    OutputMerger(TextSink& out, TextSink& err) : out_(out), err_(err) {}

    /// Writes and clears the logs of one cycle. Returns kNoOutput when a sink has a problem, else
    /// 0. Thread 0, behind the barrier of `cycle`.
    std::uint32_t merge(std::span<ThreadLog* const> logs, std::uint64_t cycle);

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
    std::vector<Entry> lines_;  ///< of the cycle at hand; members to keep their memory
    std::vector<Entry> reports_;
    std::uint64_t failures_ = 0;
    std::uint64_t stopOrder_ = 0;
    bool stopped_ = false;
    std::uint8_t stopStatus_ = 0;
};

}  // namespace sme
