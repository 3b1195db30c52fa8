#pragma once

#include <cstdint>
#include <vector>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "schedule/machine.h"

namespace sme {

/// Time by the processor's counter, which runs at a constant rate on all processors of a machine;
/// nanoseconds where there is none that a program may read.
inline std::uint64_t ticks() {
#if defined(__x86_64__)
    return __rdtsc();
#elif defined(__aarch64__)
    std::uint64_t value;
    asm volatile("mrs %0, cntvct_el0" : "=r"(value));
    return value;
#else
    return static_cast<std::uint64_t>(nowNs());
#endif
}

/// Nanoseconds of a tick, between its construction and the call.
class TickRate {
public:
    TickRate() : ns_(nowNs()), ticks_(ticks()) {}
    double nsPerTick() const {
        const auto passed = static_cast<double>(ticks() - ticks_);
        return passed > 0 ? static_cast<double>(nowNs() - ns_) / passed : 1;
    }
    std::uint64_t start() const { return ticks_; }

private:
    std::int64_t ns_;
    std::uint64_t ticks_;
};

/// What a thread did, in ticks().
struct Event {
    enum class Kind : std::uint8_t {
        Unit,    ///< ran instances [first, last) of `work`
        Wait,    ///< stood at the barrier after `level`
        Search,  ///< m3: had no work of its own and found none elsewhere, or waited for its foreman
        Theft    ///< m3: took chunks [first, last) of `level` from the queue `work`
    };
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t cycle;
    std::uint32_t work;  ///< index into Model::work; of a theft a queue
    std::uint32_t first;
    std::uint32_t last;
    std::uint32_t level;
    Kind kind;
};

/// The last events of one thread. Written by that thread while cycles run, read between runs.
class Recorder {
public:
    /// Keeps at most `capacity` >= 1 events.
    explicit Recorder(std::size_t capacity) : capacity_(capacity) {}

    void add(const Event& event) {
        if (events_.size() < capacity_) {
            events_.push_back(event);
        } else {
            events_[next_] = event;
            next_ = next_ + 1 == capacity_ ? 0 : next_ + 1;
            lost_ = true;
        }
    }
    /// In the order in which they happened.
    std::vector<Event> events() const {
        std::vector<Event> result(events_.begin() + static_cast<std::ptrdiff_t>(next_),
                                  events_.end());
        result.insert(result.end(), events_.begin(),
                      events_.begin() + static_cast<std::ptrdiff_t>(next_));
        return result;
    }
    /// Whether the first events made place for later ones.
    bool lost() const { return lost_; }

private:
    std::size_t capacity_;
    std::vector<Event> events_;
    std::size_t next_ = 0;
    bool lost_ = false;
};

}  // namespace sme
