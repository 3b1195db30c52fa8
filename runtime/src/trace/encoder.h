#pragma once

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "formats/trace_files.h"
#include "schedule/topology.h"

namespace sme {

/// Rows on their way to the files of traces. Values are copied as they are, and a thread of its own
/// makes the formats of them, as soon as there is more than a little; it is waited for where it
/// cannot follow. One thread adds rows.
class Encoder {
public:
    /// `written` is asked after rows were written, by who wrote them, whether that went well.
    /// `processors`: where its thread may run.
    Encoder(TraceFiles& files, std::function<bool()> written, ProcessorGroups processors);
    ~Encoder();
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;

    /// From now on each row is written before row() returns.
    void beImmediate() { isImmediate_ = true; }

    /// Values of signals from the next row on, where they are others, of at most 8 bytes each:
    ///
    ///     auto told = encoder.begin(most); told(signal, value, bytes, isNew); encoder.end(told);
    ///
    /// `value`: its first bytes in memory.
    class Told {
    public:
        void operator()(std::uint32_t signal, std::uint64_t value, std::uint32_t bytes,
                        bool isNew) {
            std::memcpy(at_, &signal, sizeof signal);
            std::memcpy(at_ + sizeof signal, &value, sizeof value);
            at_ += isNew ? sizeof signal + bytes : 0;
        }

    private:
        friend Encoder;
        explicit Told(std::byte* at) : at_(at) {}
        std::byte* at_;
    };
    Told begin(std::size_t most) {
        if (rows_.capacity - rows_.used < most * kMostHead + kMostHead)
            grow(most * kMostHead + kMostHead);
        return Told(rows_.bytes.get() + rows_.used);
    }
    void end(const Told& told) {
        rows_.used = static_cast<std::size_t>(told.at_ - rows_.bytes.get());
    }
    /// The same, of any length.
    void add(std::uint32_t signal, const std::byte* value, std::uint32_t bytes) {
        if (rows_.capacity - rows_.used < kMostHead + bytes) grow(kMostHead + bytes);
        std::byte* at = rows_.bytes.get() + rows_.used;
        std::memcpy(at, &signal, sizeof signal);
        std::memcpy(at + sizeof signal, value, bytes);
        rows_.used += sizeof signal + bytes;
    }
    void operator()(std::uint32_t signal, const std::byte* value, std::uint32_t bytes) {
        add(signal, value, bytes);
    }
    /// The row of a cycle is complete. False when some row could not be written. Throws what writing
    /// threw.
    bool row(std::uint64_t cycle);
    /// Between two rows: returns when those before are written. False when some could not be.
    /// Throws what writing threw.
    bool drain();
    /// Returns when all rows are written. Throws what writing threw.
    void finish();

private:
    /// Entries one after the other: the number of a signal and its value, or kEndOfRow and a cycle.
    struct Rows {
        std::unique_ptr<std::byte[]> bytes;
        std::size_t capacity = 0;
        std::size_t used = 0;
        std::size_t complete = 0;  ///< up to where rows are complete
    };
    static constexpr std::uint32_t kEndOfRow = ~std::uint32_t{0};
    static constexpr std::size_t kMostHead = sizeof(std::uint32_t) + sizeof(std::uint64_t);

    void grow(std::size_t more);
    void hand();
    void start();
    void work();
    void encode(const Rows& rows);
    void tryToEncode(const Rows& rows);
    void end();
    void rethrow() const;

    TraceFiles& files_;
    std::function<bool()> written_;
    ProcessorGroups processors_;
    bool isImmediate_ = false;
    Rows rows_;                  ///< of who adds
    std::int64_t handedMs_ = 0;  ///< when, roughly

    std::mutex mutex_;  ///< of what follows
    std::condition_variable changed_;
    std::deque<Rows> full_;
    std::vector<Rows> empty_;
    bool isWriting_ = false;  ///< the thread has rows of its own
    bool isOver_ = false;
    std::exception_ptr problem_;
    std::atomic<bool> isBroken_ = false;  ///< set by who writes, once
    std::thread thread_;                  ///< none until rows were handed over
};

}  // namespace sme
