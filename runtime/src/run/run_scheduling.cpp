// What a run does about threads and plans: measuring before a run, choosing and adapting during
// it, recording for reports after it.

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "output/output_file.h"
#include "report/target.h"
#include "run/inputs_only.h"
#include "run/run.h"
#include "run/translated.h"
#include "tuning/governor.h"
#include "tuning/target.h"
#include "tuning/trial.h"

namespace sme {
namespace {

constexpr std::uint64_t kNoEnd = ~std::uint64_t{0};

/// Pipes and devices are only written: there is no end of the times that came through one.
bool exists(const std::string& path) {
    if (isStream(path)) return false;
    if (FILE* file = std::fopen(path.c_str(), "re")) {
        std::fclose(file);
        return true;
    }
    return errno != ENOENT;
}

}  // namespace

// ---------------------------------------------------------------- before the run

void Run::measure() {
    const bool shares = options_.threads != 1 && mostThreads_ > 1
                        && (options_.threads > 1 || machine_.processors > 1);
    if (!needsTimes(options_.scheduling) || !shares || !engine_->runner().plan().times().empty())
        return;
    if (!options_.costs.empty() && exists(options_.costs)) {
        const std::string problem = loadTimes(*engine_, options_.costs);
        if (!problem.empty()) wrongUsage("--costs " + problem);
        engine_->configure(engine_->config());
        return;
    }
    const Scheduling& scheduling = options_.scheduling;
    const bool isProfile = scheduling.model == ModelKind::Static
                           && scheduling.orchestrate == Orchestrate::Profile
                           && scheduling.orchestrateParameter > 0;
    translated([&] { trial(isProfile ? scheduling.orchestrateParameter : target::kTrialCycles); });
}

/// Where a design may run twice: mute, and then back. Else it is measured with its real inputs and
/// outputs, and goes on from there.
void Run::trial(std::uint64_t cycles) {
    if (hasEffects()) return;  // see runTo()
    const EngineConfig config = engine_->config();
    const Snapshot before = snapshot();
    {
        InputsOnly inputs(streams_->input());
        inputs.begin(cycle());
        engine_->observation().mute(true);
        measureTimes(*engine_, &inputs, cycles, kNoEnd);
        engine_->observation().mute(false);
    }
    engine_->configure(config);
    engine_->restore(before);
    if (options_.costs.empty()) return;
    const std::string problem = saveTimes(*engine_, options_.costs);
    if (!problem.empty()) throw Error(ErrorKind::Files, "--costs: " + problem);
}

void Run::record(std::optional<ScheduleRange> range) {
    records_ = true;
    range_ = range;
}

// ---------------------------------------------------------------- the run

std::uint64_t Run::windowStart(std::uint64_t until) const {
    if (range_) return std::min(range_->start, until);
    const std::uint64_t spare = until > target::kWindowCycles ? until - target::kWindowCycles : 0;
    return std::min(target::kWarmUpCycles, spare / 2);
}

/// Up to `until`, with a window in which all that threads do is recorded where somebody asks.
std::uint32_t Run::runTo(std::uint64_t until) {
    if (needsTimes(options_.scheduling) && engine_->runner().plan().times().empty() && hasEffects()
        && options_.threads != 1) {
        const EngineConfig config = engine_->config();
        const std::uint32_t ended = measureTimes(*engine_, this, target::kTrialCycles, until);
        engine_->configure(config);
        const std::string problem =
            options_.costs.empty() ? "" : saveTimes(*engine_, options_.costs);
        if (!problem.empty() && sinks_.warn) sinks_.warn("--costs: " + problem);
        if (ended != 0) return ended;
    }
    if (!records_ || window_) return runCycles(until);
    std::uint32_t ended = runCycles(windowStart(until));
    if (ended != 0 || engine_->cycle() >= until) return ended;
    const std::uint64_t wanted = range_ ? range_->count : target::kWindowCycles;
    const std::uint64_t count = std::min(wanted, until - engine_->cycle());
    ended = runWindow(*engine_, *this, count, window_.emplace());
    if (ended != 0 || engine_->cycle() >= until) return ended;
    // what --threads auto chose stays
    if (options_.threads == 0) return engine_->run(until, this);
    return runCycles(until);
}

std::uint32_t Run::runCycles(std::uint64_t until) {
    if (engine_->cycle() >= until) return 0;
    if (options_.threads == 0 && machine_.processors > 1 && mostThreads_ > 1) {
        if (!governor_) {
            course_ = std::make_unique<EngineCourse>(*engine_, static_cast<Observer&>(*this));
            const auto most = std::min<std::uint64_t>(machine_.processors, mostThreads_);
            governor_ = std::make_unique<Governor>(*course_, static_cast<unsigned>(most));
        }
        const std::uint32_t ended = governor_->run(until);
        governed_ = governor_->reason();
        return ended;
    }
    if (options_.adapt == 0 || engine_->runner().plan().times().empty())
        return engine_->run(until, this);
    return runAdapting(until);
}

}  // namespace sme
