#include "lab/factored.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lab/target.h"
#include "schedule/machine.h"
#include "values/parity.h"
#include "values/printf_text.h"

namespace sme {
namespace {

double medianOf(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Factored::Spread spreadOf(const std::vector<double>& values) {
    const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    const double mean = sum / static_cast<double>(values.size());
    return {mean, *lowest, *highest, medianOf(values)};
}

class Measurement {
public:
    Measurement(Engine& engine, Observer* observer, std::uint64_t cycles)
        : engine_(engine), observer_(observer), cycles_(cycles), config_(engine.config()) {}

    Factored run(unsigned repeats) {
        engine_.observation().mute(true);
        const TickRate rate;
        once(alone(Form::Plan), 0);  // to warm up
        const ProcessorTimes before = processorTimes();
        for (unsigned i = 0; i < repeats; ++i)
            measureAll(i, rate);
        engine_.runner().recording().timeIdle(0);
        engine_.configure(config_);
        engine_.restore(initialState(engine_.model()));
        engine_.observation().mute(false);
        const unsigned processors = inspectMachine().processors;
        const double others = usedByOthers(before, processorTimes(), processors);
        return {config_.running(),
                processors,
                others,
                repeats,
                done_,
                spreadOf(sequential_),
                spreadOf(elided_),
                spreadOf(one_),
                spreadOf(parallel_),
                spreadOf(idle_),
                spreadOf(untimed_)};
    }

private:
    /// Each kind of run once.
    void measureAll(unsigned round, const TickRate& rate) {
        sequential_.push_back(once(alone(Form::Plan), 0));
        elided_.push_back(once(withForm(Form::Elided), 0));
        EngineConfig onOne = withForm(Form::Scheduled);
        onOne.processors = 1;
        onOne.oversubscribed = false;
        one_.push_back(once(onOne, 0));
        const double cycleNs =
            sequential_.back() * 1e9 / static_cast<double>(std::max<std::uint64_t>(1, done_));
        const bool isShort = cycleNs / config_.running() < target::kShortCycleNs;
        const std::uint64_t every = isShort && done_ >= target::kManyCycles ? target::kSampled : 1;
        // in turn, so that neither always comes first
        if (parityOf(round) == 0) untimed_.push_back(once(withForm(Form::Scheduled), 0));
        parallel_.push_back(once(withForm(Form::Scheduled), every));
        idle_.push_back(idleSeconds(rate));
        if (parityOf(round) == 1) untimed_.push_back(once(withForm(Form::Scheduled), 0));
    }

    EngineConfig withForm(Form form) const {
        EngineConfig config = config_;
        config.form = form;
        return config;
    }
    EngineConfig alone(Form form) const {
        EngineConfig config = withForm(form);
        config.threads = 1;
        return config;
    }

    /// Seconds of one run from cycle 0.
    double once(const EngineConfig& config, std::uint64_t idleEvery) {
        engine_.configure(config);
        engine_.restore(initialState(engine_.model()));
        if (observer_) observer_->begin(0);
        engine_.runner().recording().timeIdle(idleEvery);
        const std::int64_t start = nowNs();
        engine_.run(cycles_, observer_);
        const double seconds = static_cast<double>(nowNs() - start) * 1e-9;
        done_ = engine_.cycle();
        return seconds;
    }

    double idleSeconds(const TickRate& rate) const {
        const std::vector<std::uint64_t> ticks = engine_.runner().recording().idleTicks();
        const std::uint64_t sum =
            std::accumulate(ticks.begin(), ticks.begin() + config_.running(), std::uint64_t{0});
        return static_cast<double>(sum) * rate.nsPerTick() * 1e-9;
    }

    Engine& engine_;
    Observer* observer_;
    const std::uint64_t cycles_;
    const EngineConfig config_;
    std::uint64_t done_ = 0;  ///< cycles of the last run
    std::vector<double> sequential_, elided_, one_, parallel_, idle_, untimed_;  ///< seconds
};

std::string crowdAdvice(const Factored& times) {
    if (times.threads > times.processors)
        return printfText("%u threads on %u processor%s wait for each other, which says nothing "
                          "about the design: try --threads %u",
                          times.threads, times.processors, times.processors == 1 ? "" : "s",
                          times.processors);
    return printfText("other programs used %.1f of %u processors meanwhile, which says nothing "
                      "about the design: measure again when they are quiet",
                      times.others, times.processors);
}

std::string overheadAdvice(const Factored& times) {
    return printfText("scheduling costs most (%.0f %% of all processor time): try larger chunks "
                      "(--min-chunk, --chunk static) or --model m2",
                      100 * (times.one.median - times.sequential.median)
                          / (times.threads * times.parallel.median));
}

std::string idleAdvice(const Factored& times) {
    const double share = 100 * times.idle.median / (times.threads * times.parallel.median);
    // the work of a cycle, without the waiting itself
    const double cycleNs = times.sequential.median * 1e9
                           / static_cast<double>(std::max<std::uint64_t>(1, times.cycles));
    if (cycleNs / times.threads < target::kBarrierNs) {
        return printfText(
            "waiting costs most (%.0f %% of all processor time), for a cycle is short "
            "(%.2f us on one thread): try fewer threads",
            share, cycleNs / 1000);
    }
    return printfText(
        "waiting costs most (%.0f %% of all processor time): try --orchestrate profile, "
        "--model m3, or smaller chunks; --report text shows who waits for whom",
        share);
}

std::string inflationAdvice(const Factored& times) {
    return printfText(
        "the work itself takes longer in parallel (%.0f %% of all processor time): "
        "memory or lines that move between caches; try fewer threads, --model m2 with "
        "--orchestrate even or optimize, --bind compact, --numa interleave",
        100 * times.inflation() / (times.threads * times.parallel.median));
}

/// JSON has no infinite numbers; a run of no time makes some.
std::string jsonNumber(const char* name, const char* pattern, double value) {
    return printfText("\"%s\": ", name)
           + (std::isfinite(value) ? printfText(pattern, value) : "null");
}

std::string jsonSpread(const char* name, const Factored::Spread& spread) {
    return printfText("\"%s\": {\"mean\": %.9g, \"median\": %.9g, \"min\": %.9g, \"max\": %.9g}, ",
                      name, spread.mean, spread.median, spread.lowest, spread.highest);
}

}  // namespace

Factored measureFactored(Engine& engine, Observer* observer, std::uint64_t cycles,
                         unsigned repeats) {
    return Measurement(engine, observer, cycles).run(std::max(1u, repeats));
}

bool isCrowded(const Factored& times) {
    const double wanted = times.threads + times.others;
    return wanted > times.processors + (times.threads > times.processors ? 0 : target::kQuiet);
}

std::string diagnosis(const Factored& times) {
    if (times.cycles == 0) return "no cycle was run: nothing to compare";
    if (times.threads < 2) return "one thread: nothing to share";
    const double all = times.threads * times.parallel.median;
    const double overhead = times.one.median - times.sequential.median;
    const double idle = times.idle.median;
    const double inflation = times.inflation();
    if (all - times.sequential.median < target::kNearlyIdeal * all)
        return printfText("nearly ideal: %.1f %% of all processor time is lost",
                          100 * std::max(0.0, 1 - times.sequential.median / all));
    if (isCrowded(times)) return crowdAdvice(times);
    if (overhead >= idle && overhead >= inflation) return overheadAdvice(times);
    return idle >= inflation ? idleAdvice(times) : inflationAdvice(times);
}

std::string toText(const Factored& times) {
    const auto line = [](const char* what, const Factored::Spread& spread) {
        return printfText("%-42s %12.6f s  (%.6f .. %.6f)\n", what, spread.median, spread.lowest,
                          spread.highest);
    };
    std::string text = printfText("%u threads, %llu cycles, %u runs each\n", times.threads,
                                  static_cast<unsigned long long>(times.cycles), times.repeats);
    text += line("T_s   sequential", times.sequential);
    text += line("      parallel plan, scheduling elided", times.elided);
    text += line("T_1   parallel program on one thread", times.one);
    text += line("T_P   parallel program", times.parallel);
    text += line("I_P   idle, all threads", times.idle);
    const char* const inflation = "F_P   work inflation, P T_P - I_P - T_1";
    text += times.inflation() < 0 ? printfText("%-42s below the noise\n", inflation)
                                  : printfText("%-42s %12.6f s\n", inflation, times.inflation());
    text += printfText("%-42s %12.4f x\n", "measuring idle time",
                       times.parallel.median / times.untimed.median);
    text += printfText("\nspeedup: linear %.2f, elision %.2f, maximal %.2f, idle-specific %.2f, "
                       "inflation-specific %.2f, actual %.2f\n",
                       times.linear(), times.elision(), times.maximal(), times.idleSpecific(),
                       times.inflationSpecific(), times.actual());
    return text + diagnosis(times) + "\n";
}

std::string toJson(const Factored& times) {
    std::string text =
        printfText("{\"threads\": %u, \"repeats\": %u, \"cycles\": %llu, ", times.threads,
                   times.repeats, static_cast<unsigned long long>(times.cycles));
    text += printfText("\"others\": %.3f, ", times.others);
    text += jsonSpread("sequential", times.sequential) + jsonSpread("elided", times.elided);
    text += jsonSpread("one", times.one) + jsonSpread("parallel", times.parallel);
    text += jsonSpread("idle", times.idle) + jsonSpread("untimed", times.untimed);
    text += jsonNumber("inflation", "%.9g", times.inflation()) + ", \"speedup\": {";
    text += jsonNumber("linear", "%.6g", times.linear()) + ", ";
    text += jsonNumber("elision", "%.6g", times.elision()) + ", ";
    text += jsonNumber("maximal", "%.6g", times.maximal()) + ", ";
    text += jsonNumber("idleSpecific", "%.6g", times.idleSpecific()) + ", ";
    text += jsonNumber("inflationSpecific", "%.6g", times.inflationSpecific()) + ", ";
    text += jsonNumber("actual", "%.6g", times.actual()) + "}, ";
    return text + "\"diagnosis\": \"" + diagnosis(times) + "\"}";
}

}  // namespace sme
