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
    bool isImmediate() const { return isImmediate_; }

    /// Between two rows: what is added from now on is not written before let(), or taken back.
    void hold() {
        isHeld_ = true;
        heldFrom_ = {rows_.used, rows_.complete};
    }
    /// More was added since hold() than may wait. It is gone, and takeBack() has to follow.
    bool isTooMuch() const { return isTooMuch_; }
    void let();
    void takeBack() {
        isHeld_ = isTooMuch_ = false;
        drop();
    }

    /// Words of the files' image from the next row on: so many, each its number after `first` and as
    /// it is in memory, which whoever asks for them writes there.
    struct Words {
        std::uint64_t* values;
        std::uint16_t* numbers;
    };
    Words add(std::uint32_t first, std::uint32_t count) {
        const std::size_t bytes = sizeof(Head) + wordBytes(count);
        if (rows_.capacity - rows_.used < bytes) grow(bytes);
        std::byte* const at = rows_.bytes.get() + rows_.used;
        const Head head{first, count};
        std::memcpy(at, &head, sizeof head);
        rows_.used += bytes;
        auto* const values = reinterpret_cast<std::uint64_t*>(at + sizeof head);
        return {values, reinterpret_cast<std::uint16_t*>(values + count)};
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
    /// Pieces one after the other: a head, as many words, and their numbers; or, where there are none,
    /// a cycle, whose row is complete. All begin at a multiple of 8 bytes.
    struct Rows {
        std::unique_ptr<std::byte[]> bytes;
        std::size_t capacity = 0;
        std::size_t used = 0;
        std::size_t complete = 0;  ///< up to where rows are complete
    };
    struct Head {
        std::uint32_t first, count;
    };
    static constexpr std::size_t wordBytes(std::uint32_t count) {
        return count * sizeof(std::uint64_t) + (count + 3) / 4 * (4 * sizeof(std::uint16_t));
    }

    void grow(std::size_t more);
    void handIfWorth();
    void keepFew();
    /// What was added since hold().
    void drop() {
        rows_.used = heldFrom_.used;
        rows_.complete = heldFrom_.complete;
    }
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
    bool isHeld_ = false;
    bool isTooMuch_ = false;
    struct {
        std::size_t used, complete;
    } heldFrom_{};               ///< of rows_
    Rows rows_;                  ///< of who adds
    std::int64_t handedMs_ = 0;  ///< when, roughly

    std::mutex mutex_;  ///< of what follows
    std::condition_variable changed_;
    std::deque<Rows> full_;
    std::size_t waiting_ = 0;  ///< bytes of these
    std::vector<Rows> empty_;
    bool isWriting_ = false;  ///< the thread has rows of its own
    bool isOver_ = false;
    std::exception_ptr problem_;
    std::atomic<bool> isBroken_ = false;  ///< set by who writes, once
    std::thread thread_;                  ///< none until rows were handed over
};

}  // namespace sme
