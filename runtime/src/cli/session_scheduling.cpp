// What a session does about threads and plans: measuring before a run, choosing and adapting during
// it, reporting behind it.

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cli/session.h"
#include "output/output_file.h"
#include "tuning/adapter.h"
#include "tuning/governor.h"
#include "tuning/trial.h"

namespace sme {
namespace {

constexpr int kUsage = 2;
constexpr int kFiles = 3;
constexpr std::uint64_t kTrialCycles = 16;
constexpr std::uint64_t kWarmUpCycles = 1000;
constexpr std::uint64_t kWindowCycles = 200;
constexpr std::uint64_t kForever = ~std::uint64_t{0};

/// Drives the inputs of a run that is only measured.
class InputsOnly final : public Observer {
public:
    explicit InputsOnly(InputDriver* input) : input_(input) {
        wantsDuring = input != nullptr;
        if (input) input->drive(0);
    }
    std::uint32_t during(std::uint64_t cycle) override {
        input_->drive(cycle + 1);
        return 0;
    }
    std::uint32_t between(std::uint64_t) override { return 0; }

private:
    InputDriver* input_;
};

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

std::optional<int> Session::checkScheduling() {
    const Scheduling& scheduling = options_.scheduling;
    if (scheduling.foreman && options_.hasQueues && scheduling.queues != QueueLayout::Group)
        return wrongUsage(
            "--foreman steals for the queue of its group: it goes with --queues group");
    const bool isMeasuredPlan = scheduling.model == ModelKind::Static && needsTimes(scheduling);
    if (options_.adapt > 0 && !isMeasuredPlan)
        return wrongUsage("--adapt needs a plan that follows measured times: --model m2 with "
                          "--orchestrate profile, montecarlo or optimize");
    if (options_.adapt > 0 && options_.threads == 0)
        return wrongUsage("--adapt needs a fixed number of threads; give --threads N");
    if (!options_.costs.empty() && !needsTimes(scheduling))
        return wrongUsage("--costs goes with plans that follow measured times: --orchestrate "
                          "profile, montecarlo, optimize, or --chunk pls");
    if (options_.reportFactored == 0) return std::nullopt;
    if ((model_.flags & kHasEffects) != 0)
        return wrongUsage("--report factored runs a design several times, but this one calls "
                          "'extern serial' functions or 'extern' processes, which may not bear it");
    if (options_.threads == 0) return wrongUsage("--report factored needs --threads N");
    return std::nullopt;
}

/// As on the command line, and what depends on it. Chunks that are large at first (gss) leave the
/// others waiting where the first processes are the heavy ones: factoring halves that, and thieves
/// do best with many equal ones.
Scheduling Session::scheduling() const {
    Scheduling scheduling = options_.scheduling;
    if (scheduling.foreman) scheduling.queues = QueueLayout::Group;
    if (options_.hasChunk) return scheduling;
    const bool isStealing = scheduling.model == ModelKind::Stealing;
    scheduling.chunk.scheme = isStealing ? ChunkScheme::ModifiedFixedSize : ChunkScheme::Factoring;
    return scheduling;
}

std::optional<int> Session::chooseApart(EngineConfig& config) {
    if (options_.ownThreads.empty()) return std::nullopt;
    const WorkNames names(model_);
    for (const std::string& pattern : options_.ownThreads) {
        bool found = false;
        config.isApart.resize(model_.workCount, false);
        for (std::uint32_t i = 0; i < model_.workCount; ++i) {
            if (!names.matches(i, pattern)) continue;
            found = config.isApart[i] = true;
        }
        if (!found)
            return wrongUsage("--own-thread " + pattern
                              + " matches no process; --report text lists them");
    }
    return std::nullopt;
}

std::optional<int> Session::prepareTimes() {
    const bool shares = options_.threads != 1 && engine_->pieces() > 1
                        && (options_.threads > 1 || machine_.processors > 1);
    if (!needsTimes(options_.scheduling) || !shares || !engine_->times().empty())
        return std::nullopt;
    if (!options_.costs.empty() && exists(options_.costs)) {
        const std::string problem = loadTimes(*engine_, options_.costs);
        if (!problem.empty()) return wrongUsage("--costs " + problem);
        engine_->configure(engine_->config());
        return std::nullopt;
    }
    const Scheduling& scheduling = options_.scheduling;
    const bool isProfile = scheduling.model == ModelKind::Static
                           && scheduling.orchestrate == Orchestrate::Profile
                           && scheduling.orchestrateParameter > 0;
    return trial(isProfile ? scheduling.orchestrateParameter : kTrialCycles);
}

/// Where a design may run twice: mute, from cycle 0, and then back. Else it is measured with its
/// real inputs and outputs, and goes on from there.
std::optional<int> Session::trial(std::uint64_t cycles) {
    const EngineConfig config = engine_->config();
    if ((model_.flags & kHasEffects) != 0) return std::nullopt;  // see runTo()
    {
        InputsOnly inputs(input_.get());
        engine_->mute(true);
        measureTimes(*engine_, &inputs, cycles, kForever);
        if (input_) input_->release();
        engine_->mute(false);
    }
    engine_->configure(config);
    engine_->restore(initialState(model_));
    if (options_.costs.empty()) return std::nullopt;
    const std::string problem = saveTimes(*engine_, options_.costs);
    if (problem.empty()) return std::nullopt;
    say("error: --costs: " + problem);
    return kFiles;
}

void Session::measureSpeedup() {
    InputsOnly inputs(input_.get());
    if (needsTimes(options_.scheduling)) prepareTimes();
    factored_ = measureFactored(*engine_, &inputs, lastCycle(), options_.reportFactored);
    if (input_) input_->release();
}

// ---------------------------------------------------------------- the run

std::uint64_t Session::windowStart(std::uint64_t until) const {
    if (options_.scheduleWindow) return std::min(options_.scheduleWindow->start, until);
    const std::uint64_t spare = until > kWindowCycles ? until - kWindowCycles : 0;
    return std::min(kWarmUpCycles, spare / 2);
}

/// Up to `until`, with a window in which all that threads do is recorded where somebody asks.
std::uint32_t Session::runTo(std::uint64_t until) {
    if (needsTimes(options_.scheduling) && engine_->times().empty()
        && (model_.flags & kHasEffects) != 0 && options_.threads != 1) {
        const EngineConfig config = engine_->config();
        const std::uint32_t ended = measureTimes(*engine_, this, kTrialCycles, until);
        engine_->configure(config);
        const std::string problem =
            options_.costs.empty() ? "" : saveTimes(*engine_, options_.costs);
        if (!problem.empty()) say("warning: --costs: " + problem);
        if (ended != 0) return ended;
    }
    if (!options_.reportText && options_.scheduleTrace.empty()) return runCycles(until);
    std::uint32_t ended = runCycles(windowStart(until));
    if (ended != 0 || engine_->cycle() >= until) return ended;
    const std::uint64_t wanted =
        options_.scheduleWindow ? options_.scheduleWindow->count : kWindowCycles;
    const std::uint64_t count = std::min(wanted, until - engine_->cycle());
    ended = runWindow(*engine_, *this, count, window_.emplace());
    if (ended != 0 || engine_->cycle() >= until) return ended;
    // what --threads auto chose stays
    if (options_.threads == 0) return engine_->run(until, this);
    return runCycles(until);
}

std::uint32_t Session::runCycles(std::uint64_t until) {
    if (engine_->cycle() >= until) return 0;
    const auto most =
        static_cast<unsigned>(std::min<std::uint64_t>(machine_.processors, engine_->pieces()));
    if (options_.threads == 0 && most > 1) {
        Governor governor(*engine_, *this, until, most);
        const std::uint32_t ended = governor.run();
        governed_ = governor.reason();
        return ended;
    }
    if (options_.adapt == 0 || engine_->times().empty()) return engine_->run(until, this);
    Adapter adapter(*engine_, *this, until, options_.adapt);
    const std::uint32_t ended = adapter.run();
    adapted_ = ", planned again " + std::to_string(adapter.plans())
               + (adapter.plans() == 1 ? " time" : " times");
    return ended;
}

FileProblem Session::writeScheduleTrace() const {
    const std::string events = traceEvents(model_, *window_);
    if (isStandardOutput(options_.scheduleTrace)) {
        out_.write(events);
        return {};
    }
    const int problem = writeOutput(options_.scheduleTrace, events);
    if (problem == 0) return {};
    return {kFiles, "cannot write '" + options_.scheduleTrace + "': " + std::strerror(problem)};
}

}  // namespace sme
