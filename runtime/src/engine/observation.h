#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "engine/observer.h"
#include "output/output.h"

namespace sme {

/// Who looks at the cycles of an engine: the observer of a run, the sinks of its output, who wishes for
/// its end, and who is shown where it is. Thread 0 calls; what is not of a run, between runs.
class Observation {
public:
    /// The sinks outlive it.
    Observation(TextSink& out, TextSink& err) : output_(out, err) {}

    /// Nothing is written to the sinks as long as it is set; stops and failures still end runs.
    void mute(bool isMute) { isMute_ = isMute; }
    /// Asked once a cycle: ends the run after the current one when it is not 0. May be set from
    /// any thread or signal handler.
    void watch(const std::atomic<std::uint32_t>* request) { request_ = request; }
    const std::atomic<std::uint32_t>* watched() const { return request_; }
    /// Takes the cycle that runs, now and then; from any thread it may be read. Null: nobody does.
    void show(std::atomic<std::uint64_t>* cycle) { shown_ = cycle; }
    std::atomic<std::uint64_t>* shown() const { return shown_; }
    OutputMerger& output() { return output_; }
    const OutputMerger& output() const { return output_; }

    /// A run begins. Null: nobody looks.
    void begin(Observer* observer);
    Observer* observer() const { return observer_; }
    bool isDuring() const { return during_; }    ///< the observer wants it
    bool isBetween() const { return between_; }  ///< the observer wants it
    bool isAfter() const { return after_; }      ///< the observer wants it
    /// Somebody writes inputs in each cycle, and looks at nothing.
    bool onlyDrives() const { return during_ && observer_->onlyDrives && !between_ && !after_; }
    /// The cycles from `cycle` to this one, without it, are nobody's: the observer need not be told of
    /// them. `until`: the run ends in front of it.
    std::uint64_t watchedFrom(std::uint64_t cycle, std::uint64_t until) const;

    // What a cycle asks and tells: nothing throws, and numbers are CycleFlag bits.

    std::uint32_t request() const {
        // relaxed: a wish for the end; nothing is handed over with it
        return request_ && request_->load(std::memory_order_relaxed) != 0
                   ? std::uint32_t{kRequested}
                   : 0;
    }
    void showCycle(std::uint64_t cycle) const {
        // relaxed: only shown
        if (shown_) shown_->store(cycle, std::memory_order_relaxed);
    }
    std::uint32_t during(std::uint64_t cycle);
    std::uint32_t between(std::uint64_t cycle);
    /// The end of a cycle that left `flags`: its output, and what waits for it.
    std::uint32_t settle(std::span<ThreadLog* const> logs, std::uint64_t cycle,
                         std::uint32_t flags);

private:
    OutputMerger output_;
    bool isMute_ = false;
    const std::atomic<std::uint32_t>* request_ = nullptr;
    std::atomic<std::uint64_t>* shown_ = nullptr;
    Observer* observer_ = nullptr;
    bool during_ = false, between_ = false, after_ = false;
};

/// Thread 0 must reach the barrier whatever happens beside its cycles.
template <typename Function>
std::uint32_t flagsOf(const Function& function) {
    try {
        return function();
    } catch (...) {
        return kNoMemory;
    }
}

}  // namespace sme
