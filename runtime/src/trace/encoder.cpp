// Thread 0 adds rows to one buffer; the others are full, and wait for the encoder in the order of their
// rows, or empty. Thread 0 owns the buffer it adds to and the encoder the one it writes; what they
// hand over passes under the mutex.

#include "trace/encoder.h"

#include <time.h>

#include "schedule/no_signals.h"

namespace sme {
namespace {

// Bytes that are worth waking somebody, which costs more than a buffer that the first cache cannot hold.
constexpr std::size_t kEnough = 256 * 1024;
constexpr std::int64_t kReadAlongMs = 100;  // or as long as nobody who reads along notices
constexpr std::size_t kMostWaiting =
    8 * 1024 * 1024;  // bytes, so that nobody waits while a block of a file is packed

/// A clock of some milliseconds' grain that costs a few nanoseconds.
std::int64_t coarseMs() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000;
}

}  // namespace

Encoder::Encoder(TraceFiles& files, std::function<bool()> written, ProcessorGroups processors)
    : files_(files),
      written_(std::move(written)),
      processors_(std::move(processors)),
      handedMs_(coarseMs()) {}

/// Where an error ends a run, nobody asks finish(): what was read before it is in the files all the
/// same.
Encoder::~Encoder() {
    try {
        finish();
    } catch (...) {
        end();  // the run has its own error to tell
    }
}

void Encoder::grow(std::size_t more) {
    const std::size_t capacity = std::max(2 * kEnough, 2 * rows_.capacity + more);
    auto bytes = std::make_unique_for_overwrite<std::byte[]>(capacity);
    if (rows_.used > 0) std::memcpy(bytes.get(), rows_.bytes.get(), rows_.used);
    rows_.bytes = std::move(bytes);
    rows_.capacity = capacity;
}

bool Encoder::row(std::uint64_t cycle) {
    constexpr Head kEnd{};
    constexpr std::size_t kBytes = sizeof kEnd + sizeof cycle;
    if (rows_.capacity - rows_.used < kBytes) grow(kBytes);
    std::memcpy(rows_.bytes.get() + rows_.used, &kEnd, sizeof kEnd);
    std::memcpy(rows_.bytes.get() + rows_.used + sizeof kEnd, &cycle, sizeof cycle);
    rows_.complete = rows_.used += kBytes;
    if (isImmediate_) {
        tryToEncode(rows_);
        rows_.used = rows_.complete = 0;
    } else {
        isHeld_ ? keepFew() : handIfWorth();
    }
    if (!isBroken_.load(std::memory_order_acquire)) return true;
    rethrow();
    return false;
}

void Encoder::handIfWorth() {
    if (rows_.complete == 0) return;
    if (rows_.complete >= kEnough || coarseMs() - handedMs_ >= kReadAlongMs) hand();
}

void Encoder::keepFew() {
    if (rows_.complete - heldFrom_.complete <= kMostWaiting) return;
    isTooMuch_ = true;
    drop();
}

/// Values of the next row stay.
void Encoder::let() {
    isHeld_ = false;
    const std::vector<std::byte> next(rows_.bytes.get() + rows_.complete,
                                      rows_.bytes.get() + rows_.used);
    rows_.used = rows_.complete;
    handIfWorth();
    if (rows_.capacity - rows_.used < next.size()) grow(next.size());
    if (!next.empty()) std::memcpy(rows_.bytes.get() + rows_.used, next.data(), next.size());
    rows_.used += next.size();
}

void Encoder::hand() {
    if (!thread_.joinable()) start();
    handedMs_ = coarseMs();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return full_.empty() || waiting_ + rows_.used <= kMostWaiting; });
    waiting_ += rows_.used;
    full_.push_back(std::move(rows_));
    rows_ = {};
    if (!empty_.empty()) {
        rows_ = std::move(empty_.back());
        empty_.pop_back();
    }
    lock.unlock();
    changed_.notify_one();
}

void Encoder::start() {
    const NoSignals guard;
    thread_ = std::thread([this] { work(); });
}

void Encoder::work() {
    unbindThread(processors_);
    for (std::unique_lock lock(mutex_);;) {
        changed_.wait(lock, [&] { return !full_.empty() || isOver_; });
        if (full_.empty()) return;
        Rows rows = std::move(full_.front());
        full_.pop_front();
        waiting_ -= rows.used;
        isWriting_ = true;
        lock.unlock();
        changed_.notify_one();
        tryToEncode(rows);
        lock.lock();
        isWriting_ = false;
        rows.used = rows.complete = 0;
        empty_.push_back(std::move(rows));
        if (full_.empty()) changed_.notify_one();
    }
}

void Encoder::encode(const Rows& rows) {
    const std::byte* const end = rows.bytes.get() + rows.complete;
    for (const std::byte* at = rows.bytes.get(); at != end;) {
        Head head;
        std::memcpy(&head, at, sizeof head);
        at += sizeof head;
        if (head.count == 0) {
            std::uint64_t cycle;
            std::memcpy(&cycle, at, sizeof cycle);
            at += sizeof cycle;
            files_.row(cycle);
            continue;
        }
        const auto* const values = reinterpret_cast<const std::uint64_t*>(at);
        const auto* const numbers = reinterpret_cast<const std::uint16_t*>(values + head.count);
        for (std::uint32_t i = 0; i < head.count; ++i)
            files_.setWord(head.first + numbers[i], values[i]);
        at += wordBytes(head.count);
    }
}

/// After a problem nothing more is written.
void Encoder::tryToEncode(const Rows& rows) {
    // relaxed: who writes rows set it
    if (isBroken_.load(std::memory_order_relaxed)) return;
    bool isGood = false;
    try {
        encode(rows);
        isGood = written_();
    } catch (...) {
        problem_ = std::current_exception();
    }
    // pairs with the acquire in row(): the exception is there before
    if (!isGood) isBroken_.store(true, std::memory_order_release);
}

void Encoder::rethrow() const {
    if (problem_) std::rethrow_exception(problem_);
}

void Encoder::end() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        isOver_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

bool Encoder::drain() {
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return full_.empty() && !isWriting_; });
    }
    if (rows_.complete > 0) {
        tryToEncode(rows_);
        rows_.used -= rows_.complete;  // values of the next row stay
        std::memmove(rows_.bytes.get(), rows_.bytes.get() + rows_.complete, rows_.used);
        rows_.complete = 0;
    }
    rethrow();
    return !isBroken_.load(std::memory_order_relaxed);  // who else writes rows stands still
}

void Encoder::finish() {
    if (thread_.joinable() && rows_.complete > 0)
        hand();
    else if (rows_.complete > 0)
        tryToEncode(rows_);
    rows_ = {};
    end();
    rethrow();
}

}  // namespace sme
