#pragma once

// What foreign code gave that must not run twice, so that a run that goes back over cycles is given
// the same and calls nothing.
//
//     cycle   0 ......... 40 ............... 100      known() is 100: cycle 99 called last
//     go_to(40), steps: cycles 40 to 99 are given what is here; cycle 100 calls again

#include <sme/input_log.h>
#include <sme/outside_member.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sme {

/// Of one simulation. given() and taken() while a cycle runs, from any thread; all else between runs.
class OutsideLog final : public OutsideMember<OutsideLog> {
public:
    /// So many bytes at most: where they do not do, all is forgotten.
    explicit OutsideLog(std::size_t limit) : limit_(limit) {}

    bool given(std::uint64_t cycle, const Caller& caller, Values values) {
        if (cycle >= known_) return false;
        const std::lock_guard lock(mutex_);
        load(cycle);
        const auto number = numbers_.find(keyOf(caller));
        if (number == numbers_.end()) return false;
        Queue& queue = queues_[number->second];
        if (queue.next == queue.values.size()) return false;
        std::span<const std::byte> bytes = queue.values[queue.next++];
        for (const Value& value : values) {
            if (value.size > 0) std::memcpy(value.bytes, bytes.data(), value.size);
            bytes = bytes.subspan(value.size);
        }
        return true;
    }

    void taken(std::uint64_t cycle, const Caller& caller, Values values) {
        if (cycle < known_) return;
        const std::lock_guard lock(mutex_);
        if (isFull_) return;
        try {
            append(cycle, caller, values);
            if (log_.bytes() > limit_) fill();
        } catch (const std::bad_alloc&) {
            fill();
        }
    }

    /// All cycles before this one have run.
    void reach(std::uint64_t cycle) {
        known_ = std::max(known_, cycle);
        loaded_.reset();
    }
    std::uint64_t known() const { return known_; }
    /// This cycle and those behind it call anew.
    void forgetFrom(std::uint64_t cycle) {
        if (cycle == 0)
            log_ = InputLog();
        else
            log_.dropAfter(cycle - 1);
        known_ = std::min(known_, cycle);
        loaded_.reset();
        isFull_ = isFull_ && cycle > 0;
    }
    /// This cycle is the first one.
    void begin(std::uint64_t cycle) {
        forgetFrom(0);
        known_ = cycle;
    }
    /// Empty, or why no cycle can run once more.
    std::string whyNotAgain() const {
        if (!isFull_) return {};
        return "what foreign code gave, which cannot be called twice, was more than "
               + std::to_string(limit_ >> 20) + " MiB; \"snapshots\" says how much is kept";
    }
    std::size_t bytes() const { return log_.bytes(); }

private:
    using Key = std::array<std::uint32_t, 3>;
    /// What a caller was given in the cycle at hand, in order.
    struct Queue {
        std::vector<std::span<const std::byte>> values;
        std::size_t next = 0;
    };

    static Key keyOf(const Caller& caller) {
        return {caller.function, caller.cls, caller.instance};
    }
    void append(std::uint64_t cycle, const Caller& caller, Values values) {
        const auto next = static_cast<std::uint32_t>(numbers_.size());
        const std::uint32_t number = numbers_.try_emplace(keyOf(caller), next).first->second;
        bytes_.clear();
        for (const Value& value : values) {
            const auto* from = static_cast<const std::byte*>(value.bytes);
            bytes_.insert(bytes_.end(), from, from + value.size);
        }
        log_.add({cycle, number, bytes_}, false);
    }
    void fill() {
        log_ = InputLog();
        isFull_ = true;
    }
    /// What was given in this cycle, by caller.
    void load(std::uint64_t cycle) {
        if (loaded_ == cycle) return;
        if (!loaded_ || *loaded_ + 1 != cycle)
            next_ = cycle == 0 ? InputLog::Place{} : log_.after(cycle - 1);
        loaded_ = cycle;
        queues_.resize(numbers_.size());
        for (Queue& queue : queues_)
            queue = {};
        while (log_.cycleAt(next_) == cycle) {
            const std::optional<InputLog::Change> given = log_.take(next_);
            queues_[given->handle].values.push_back(given->value);
        }
    }

    const std::size_t limit_;
    std::uint64_t known_ = 0;  ///< earlier cycles are given what is here
    std::mutex mutex_;
    std::map<Key, std::uint32_t> numbers_;  ///< handles in the log
    InputLog log_;
    std::vector<std::byte> bytes_;  ///< a member to keep its memory
    bool isFull_ = false;
    std::optional<std::uint64_t> loaded_;  ///< the cycle that the queues are of
    InputLog::Place next_;                 ///< behind it
    std::vector<Queue> queues_;            ///< by handle
};

}  // namespace sme
