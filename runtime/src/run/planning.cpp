#include "run/planning.h"

#include "engine/target.h"
#include "output/error.h"
#include "values/names.h"
#include "values/words.h"
#include "values/work_names.h"

namespace sme {
namespace {

/// As on the command line, and what depends on it. Chunks that are large at first (gss) leave the
/// others waiting where the first processes are the heavy ones: factoring halves that, and thieves
/// do best with many equal ones.
Scheduling schedulingOf(const RunOptions& options) {
    Scheduling scheduling = options.scheduling;
    if (scheduling.foreman) scheduling.queues = QueueLayout::Group;
    if (options.hasChunk) return scheduling;
    const bool isStealing = scheduling.model == ModelKind::Stealing;
    scheduling.chunk.scheme = isStealing ? ChunkScheme::ModifiedFixedSize : ChunkScheme::Factoring;
    return scheduling;
}

std::vector<bool> apartWorks(const Model& model, const std::vector<std::string>& patterns) {
    if (patterns.empty()) return {};
    const WorkNames names(model);
    std::vector<bool> isApart(model.workCount, false);
    for (const std::string& pattern : patterns) {
        bool found = false;
        for (std::uint32_t i = 0; i < model.workCount; ++i) {
            if (!names.matches(i, pattern)) continue;
            found = isApart[i] = true;
        }
        if (found) continue;
        const std::string near = didYouMean(names.suggest(pattern));
        wrongUsage("--own-thread " + quotedWord(pattern) + " matches no process"
                   + (near.empty() ? "; --report text lists them" : near));
    }
    return isApart;
}

}  // namespace

void checkOptions(const Model& model, const RunOptions& options) {
    if (options.loopLimit < model.uncountedRounds) {
        const std::string rounds = std::to_string(model.uncountedRounds);
        wrongUsage("--loop-limit: this simulator takes up to " + rounds
                   + " rounds in an activation without counting them; give " + rounds
                   + " or more, or compile with --no-simd");
    }
    const Scheduling& scheduling = options.scheduling;
    if (scheduling.foreman && options.hasQueues && scheduling.queues != QueueLayout::Group)
        wrongUsage("--foreman steals for the queue of its group: it goes with --queues group");
    const bool isMeasuredPlan = scheduling.model == ModelKind::Static && needsTimes(scheduling);
    if (options.adapt > 0 && !isMeasuredPlan)
        wrongUsage("--adapt needs a plan that follows measured times: --model m2 with "
                   "--orchestrate profile, montecarlo or optimize");
    if (options.adapt > 0 && options.threads == 0)
        wrongUsage("--adapt needs a fixed number of threads; give --threads N");
    if (!options.costs.empty() && !needsTimes(scheduling))
        wrongUsage("--costs goes with plans that follow measured times: --orchestrate "
                   "profile, montecarlo, optimize, or --chunk pls");
}

EngineConfig configOf(const Model& model, const RunOptions& options, const Machine& machine) {
    EngineConfig config;
    const bool big = 2 * model.clockedBytes + model.stateBytes >= target::kBigMemory;
    // With auto the run starts on one thread; big memory is first touched by all that may run
    // later.
    config.threads = options.threads > 0 ? options.threads : big ? machine.processors : 1;
    config.scheduling = schedulingOf(options);
    // More threads than processors only wait for each other (docs/scheduling.md: spinning then
    // collapses, sleeping costs): the shares of all N are dealt to as many threads as can run.
    // --oversubscribe is for those who want to see it.
    config.processors = options.oversubscribe ? 0 : machine.processors;
    config.oversubscribed = config.running() * options.ranksHere > machine.processors;
    config.ranksHere = options.ranksHere;
    config.rankHere = options.rankHere;
    config.isApart = apartWorks(model, options.ownThreads);
    return config;
}

/// Spinning is for those who give each thread a processor; that there are fewer would not show.
std::string warningOf(const RunOptions& options, const Machine& machine) {
    const bool isAsked = options.oversubscribe || options.scheduling.wait != WaitMode::Spin;
    const unsigned processors = machine.processors;
    if (isAsked || options.threads <= processors) return {};
    return "--wait spin: the shares of " + std::to_string(options.threads) + " threads run on "
           + std::to_string(processors) + (processors == 1 ? " processor" : " processors")
           + "; --oversubscribe starts all threads";
}

std::string whyThreads(const RunOptions& options, const Machine& machine, unsigned running) {
    if (options.threads == 0)
        return machine.processors == 1 ? "auto: one processor" : "auto: the design is in one piece";
    std::string why = "--threads " + std::to_string(options.threads);
    if (options.threads > machine.processors) {
        const bool all = running == options.threads;
        why += all ? ", more than processors" : ", whose shares they run in turn";
    }
    return why;
}

}  // namespace sme
