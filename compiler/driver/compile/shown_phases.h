#pragma once

#include <string>

#include <fmt/format.h>

#include "driver/compile/build.h"
#include "driver/compile/stats.h"
#include "driver/system/activity.h"

namespace smec::driver {

/// At a terminal: which phase runs, for who waits longer than a second. Nothing is printed before
/// it ends.
class ShownPhases {
public:
    /// `doing`: "compiling x.sme". Both outlive it.
    ShownPhases(Stats& stats, const CompileOptions& options, const std::string& doing)
        : stats_(stats), activity_(options.emit.empty() && saysWhatItDoes(options)) {
        stats_.listen([this, doing](const std::string& phase) {
            activity_.say(fmt::format("smec: {}: {}", doing, phase));
        });
    }
    ~ShownPhases() { stats_.listen({}); }
    ShownPhases(const ShownPhases&) = delete;
    ShownPhases& operator=(const ShownPhases&) = delete;

private:
    Stats& stats_;
    Activity activity_;
};

}  // namespace smec::driver
