#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "driver/compile/shares.h"

namespace smec::driver {

/// Wall time of each phase and the peak memory at its end, and what of a cycle each module is.
class Stats {
public:
    /// Ends the phase before and starts this one; an empty name only ends.
    void phase(std::string name);
    /// Calls `listener` with each phase that starts.
    void listen(std::function<void(const std::string& phase)> listener) {
        listener_ = std::move(listener);
    }
    void setShares(std::vector<ModuleShare> shares) { shares_ = std::move(shares); }
    void setReaders(std::vector<std::string> readers) { readers_ = std::move(readers); }
    /// Text or JSON for --stats.
    std::string render(bool json) const;

private:
    struct Phase {
        std::string name;
        double seconds;
        long peakKiB;
    };
    std::string json() const;
    std::string text() const;
    std::string shareLines() const;
    std::vector<Phase> phases_;
    std::vector<ModuleShare> shares_;
    std::vector<std::string> readers_;  ///< of Verilog
    std::string current_;
    std::function<void(const std::string& phase)> listener_;
    std::chrono::steady_clock::time_point start_;
};

}  // namespace smec::driver
