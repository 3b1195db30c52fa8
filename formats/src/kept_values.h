#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "formats/trace_signal.h"
#include "sme/state_format.h"

namespace sme {

/// The values of the row before, to write only what changes.
class KeptValues {
public:
    explicit KeptValues(const std::vector<TraceSignal>& signals) {
        std::size_t bytes = 0;
        for (const TraceSignal& signal : signals) {
            offsets_.push_back(bytes);
            bytes += signal.type->bytes;
        }
        offsets_.push_back(bytes);
        values_.resize(bytes);
    }

    /// Whether a signal's value is another one than in the row before; it is then kept.
    bool change(std::size_t signal, const std::byte* value) {
        std::byte* kept = values_.data() + offsets_[signal];
        switch (const std::size_t bytes = offsets_[signal + 1] - offsets_[signal]) {
        case 1: return change<std::uint8_t>(kept, value);
        case 2: return change<std::uint16_t>(kept, value);
        case 4: return change<std::uint32_t>(kept, value);
        case 8: return change<std::uint64_t>(kept, value);
        default:
            if (std::memcmp(kept, value, bytes) == 0) return false;
            std::memcpy(kept, value, bytes);
            return true;
        }
    }

    /// Calls show(signal) for those of a row that are not what they were, or, of a first row, for
    /// all.
    template <typename Show>
    void forEachChange(const TraceRow& row, bool isFirst, const Show& show) {
        const auto look = [&](std::size_t signal) {
            if (change(signal, row.values[signal]) || isFirst) show(signal);
        };
        if (misses_) {
            for (std::size_t signal = 0; signal < row.values.size(); ++signal)
                look(signal);
        } else {
            for (const std::uint32_t signal : row.changed)
                look(signal);
        }
        misses_ = false;
    }
    /// A row is left out: what changed in it, the next one has to find by itself.
    void leaveOut() { misses_ = true; }

    const std::byte* at(std::size_t signal) const { return values_.data() + offsets_[signal]; }
    const std::vector<std::byte>& all() const { return values_; }
    void readAll(StateReader& in) {
        const std::byte* values = in.raw(values_.size());
        std::copy(values, values + values_.size(), values_.begin());
    }

private:
    template <typename Stored>
    static bool change(std::byte* kept, const std::byte* value) {
        Stored before, now;
        std::memcpy(&before, kept, sizeof before);
        std::memcpy(&now, value, sizeof now);
        std::memcpy(kept, &now, sizeof now);
        return before != now;
    }

    std::vector<std::size_t> offsets_;
    std::vector<std::byte> values_;
    bool misses_ = false;
};

}  // namespace sme
