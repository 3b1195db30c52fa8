#include "cli/session.h"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "output/output_file.h"
#include "report/cover.h"
#include "trace/checksum.h"
#include "trace/listing.h"
#include "values/words.h"

namespace sme {
namespace {

constexpr int kGood = 0;
constexpr int kFailure = 1;
constexpr int kUsage = 2;
constexpr int kFiles = 3;
constexpr int kLimit = 4;
constexpr int kNobodyReads = 128 + SIGPIPE;  // as of a program that does not ignore it

constexpr std::uint64_t kForever = ~std::uint64_t{0};
constexpr std::uint64_t kBigModel = std::uint64_t{32} << 20;

}  // namespace

Session::Session(const Model& model, Options options, const char* program, TextSink& out,
                 TextSink& err)
    : model_(model),
      options_(std::move(options)),
      program_(program),
      out_(out),
      err_(err),
      machine_(inspectMachine()) {}

int Session::run() {
    if (options_.list) {
        out_.write(listNames(NameTable(model_)));
        return finish();
    }
    if (const auto status = prepare()) {
        err_.flush();
        return *status;
    }
    startWatchdog();
    if (options_.reportFactored > 0) measureSpeedup();
    if (const auto status = prepareTimes()) {
        err_.flush();
        return *status;
    }
    simulate();
    printResults();
    return finish();
}

// ---------------------------------------------------------------- before the run

std::optional<int> Session::prepare() {
    if (const auto status = checkEnd()) return status;
    if (const auto status = checkFiles()) return status;
    if (const auto status = checkLoopLimit()) return status;
    if (const auto status = checkScheduling()) return status;
    const bool needsNames = !options_.input.empty() || !options_.expect.empty()
                            || !options_.prints.empty() || !options_.traces.empty();
    if (needsNames) names_ = std::make_unique<NameTable>(model_);
    if (const auto status = resolvePrints()) return status;
    if (const auto status = loadFiles()) return status;
    if (const auto status = makeEngine()) return status;
    return openTrace();
}

std::optional<int> Session::checkEnd() {
    const bool ends = options_.cycles || options_.timeout > 0 || !options_.input.empty()
                      || !options_.expect.empty() || (model_.flags & (kHasStop | kHasFailure)) != 0;
    if (ends) return std::nullopt;
    return wrongUsage("this design never ends by itself (it has no stop, assertion or run-time "
                      "check, and there is no --input); "
                      "say how long to run with --cycles N");
}

std::optional<int> Session::checkFiles() {
    RunFiles files;
    for (const std::string* input : {&options_.input, &options_.expect})
        files.addInput(*input);
    std::vector<std::pair<const char*, const std::string*>> outputs{
        {"--costs", &options_.costs}, {"--schedule-trace", &options_.scheduleTrace}};
    for (const std::string& trace : options_.traces)
        outputs.emplace_back("--trace", &trace);
    for (const auto& [option, path] : outputs) {
        if (path->empty() || *path == "-") continue;
        if (const FileProblem problem = files.addOutput(option, *path)) return complain(problem);
    }
    return std::nullopt;
}

std::optional<int> Session::checkLoopLimit() {
    if (options_.loopLimit >= model_.uncountedRounds) return std::nullopt;
    const std::string rounds = std::to_string(model_.uncountedRounds);
    return wrongUsage("--loop-limit: this simulator takes up to " + rounds
                      + " rounds in an activation without counting them; give " + rounds
                      + " or more, or compile with --no-simd");
}

std::optional<int> Session::resolvePrints() {
    for (const std::string& path : options_.prints) {
        const auto ref = names_->find(path);
        if (!ref)
            return wrongUsage("--print: no field or variable '" + path + "'"
                              + didYouMean(names_->suggest(path)));
        prints_.push_back(*ref);
    }
    return std::nullopt;
}

std::optional<int> Session::loadFiles() {
    if (!options_.input.empty()) {
        if (const FileProblem problem = inputRows_.load(options_.input, *names_, Rows::Use::Input))
            return complain(problem);
    }
    if (!options_.expect.empty()) {
        if (const FileProblem problem =
                expectRows_.load(options_.expect, *names_, Rows::Use::Expectation))
            return complain(problem);
    }
    return std::nullopt;
}

EngineConfig Session::config() const {
    EngineConfig config;
    const bool big = 2 * model_.clockedBytes + model_.stateBytes >= kBigModel;
    // With auto the run starts on one thread; big memory is first touched by all that may run
    // later.
    config.threads = options_.threads > 0 ? options_.threads : big ? machine_.processors : 1;
    config.scheduling = scheduling();
    // More threads than processors only wait for each other (SCHEDULING.md: spinning then
    // collapses, sleeping costs): the shares of all N are dealt to as many threads as can run.
    // --wait spin and --oversubscribe are for those who want to see it.
    const bool all = options_.oversubscribe || options_.scheduling.wait == WaitMode::Spin;
    config.processors = all ? 0 : machine_.processors;
    config.oversubscribed = config.running() > machine_.processors;
    return config;
}

std::optional<int> Session::makeEngine() {
    EngineConfig config = this->config();
    if (const auto status = chooseApart(config)) return status;
    engine_ =
        std::make_unique<Engine>(model_, config, options_.seed, options_.loopLimit, out_, err_);
    engine_->watch(&signals_.request());
    if (!options_.input.empty()) input_ = std::make_unique<InputDriver>(*engine_, inputRows_);
    if (!options_.expect.empty())
        expectation_ = std::make_unique<Expectation>(*engine_, expectRows_, err_);
    return std::nullopt;
}

std::optional<int> Session::openTrace() {
    if (options_.traces.empty()) return std::nullopt;
    TraceColumns columns = selectColumns(*names_, options_.selection);
    if (columns.names.empty() && !options_.selection.filters.empty()) {
        return wrongUsage("--trace-filter " + options_.selection.filters.front()
                          + " matches no field or variable; --list shows them");
    }
    if (columns.names.empty())
        say("warning: no field of this design is exposed, so that the trace is empty; see "
            "--trace-all");
    trace_ = std::make_unique<Traces>(*engine_, std::move(columns), options_.selection);
    for (const std::string& path : options_.traces)
        if (const FileProblem problem = trace_->open(path, out_)) return complain(problem);
    return std::nullopt;
}

std::uint64_t Session::lastCycle() const {
    if (options_.cycles) return *options_.cycles;
    if (!input_ && !expectation_) return kForever;
    return std::max(inputRows_.count(), expectRows_.count());
}

// ---------------------------------------------------------------- thread 0, every cycle

std::uint32_t Session::during(std::uint64_t cycle) {
    if (watchdog_) watchdog_->atCycle(cycle);
    if (input_) input_->drive(cycle + 1);
    return wantsBetween ? 0 : rows(cycle);
}

std::uint32_t Session::between(std::uint64_t cycle) {
    const std::uint32_t ends = rows(cycle);
    if (trace_) trace_->sampler().snapshot();
    if (expectation_) expectation_->sampler().snapshot();
    return ends;
}

std::uint32_t Session::rows(std::uint64_t cycle) {
    if (expectation_) expectation_->check(cycle);
    return !trace_ || trace_->row(cycle) ? 0 : std::uint32_t{kNoOutput};
}

// ---------------------------------------------------------------- the run and its end

void Session::startWatchdog() {
    if (options_.timeout <= 0 && !options_.progress) return;
    watchdog_ = std::make_unique<Watchdog>(signals_.request(), options_.timeout, options_.progress,
                                           lastCycle());
}

void Session::simulate() {
    const std::uint64_t until = lastCycle();
    wantsDuring = input_ || expectation_ || trace_ || options_.progress;
    wantsBetween = (trace_ && trace_->sampler().needsPause())
                   || (expectation_ && expectation_->sampler().needsPause());
    if (input_) input_->drive(0);
    if (trace_) trace_->sampler().snapshot();
    if (expectation_) expectation_->sampler().snapshot();

    const std::int64_t start = nowNs();
    ended_ = runTo(until);
    seconds_ = static_cast<double>(nowNs() - start) * 1e-9;
    watchdog_.reset();
    if (input_) input_->release();
}

void Session::printResults() {
    for (std::size_t i = 0; i < prints_.size(); ++i)
        out_.write(printLine(*engine_, options_.prints[i], prints_[i]));
    if (!options_.checksum) return;
    char line[20];
    std::snprintf(line, sizeof line, "%016" PRIx64 "\n", checksum(*engine_));
    out_.write(line);
}

std::string Session::whyThreads() const {
    if (!governed_.empty()) return governed_;
    if (options_.threads == 0)
        return machine_.processors == 1 ? "auto: one processor"
                                        : "auto: the design is in one piece";
    std::string why = "--threads " + std::to_string(options_.threads);
    if (options_.threads > machine_.processors) {
        const bool all = engine_->config().running() == options_.threads;
        why += all ? ", more than processors" : ", whose shares they run in turn";
    }
    return why;
}

Summary Session::summary() const {
    Summary summary;
    const EngineConfig& config = engine_->config();
    summary.design = model_.name;
    summary.cycles = engine_->cycle();
    summary.stepsPerCycle = engine_->stepsPerCycle();
    summary.seconds = seconds_;
    summary.running = config.running();
    summary.processors = machine_.processors;
    summary.threads = std::to_string(config.running()) + " of "
                      + std::to_string(machine_.processors) + " processor"
                      + (machine_.processors == 1 ? "" : "s") + " (" + whyThreads() + ")";
    if (config.running() > 1) summary.plan = describe(config.scheduling) + adapted_;
    summary.peakMemory = peakMemory();
    if (options_.reportJson) summary.cover = coverCounts(*engine_);
    return summary;
}

void Session::writeReports() {
    if (options_.reportText && window_) out_.write(profileText(*engine_, *window_));
    if (options_.reportText && factored_) out_.write("\n");
    if (factored_ && !options_.reportJson) out_.write(toText(*factored_));
    if (options_.reportJson) out_.write(toJson(summary(), factored_ ? toJson(*factored_) : ""));
}

int Session::finish() {
    FileProblem problem;
    if (trace_) problem = trace_->finish();
    if (!problem && engine_ && window_ && !options_.scheduleTrace.empty())
        problem = writeScheduleTrace();
    const bool wantsWindow = options_.reportText || !options_.scheduleTrace.empty();
    if (engine_ && wantsWindow && !window_)
        say("warning: no cycle of --schedule-window was run, so that nothing was recorded");
    if (engine_) writeReports();
    out_.flush();
    if (out_.problem() == EPIPE) return kNobodyReads;
    if (const int why = out_.problem())
        problem = {kFiles, std::string("cannot write standard output: ") + std::strerror(why)};
    int status = engine_ ? statusOfRun() : kGood;
    if (problem) {
        say("error: " + problem.message);
        status = kFiles;
    }
    if (engine_) err_.write(toText(coverCounts(*engine_)));
    if (engine_ && !options_.quiet) err_.write(toText(summary()));
    err_.flush();
    return status;
}

int Session::statusOfRun() {
    const std::uint32_t request =
        signals_.request().load(std::memory_order_relaxed);  // the run is over
    const bool cutOff = (ended_ & kRequested) != 0;
    bool good = (ended_ & kFailed) == 0;
    if (expectation_ && cutOff) good = good && expectation_->good();
    if (expectation_ && !cutOff) good = expectation_->finish(engine_->cycle()) && good;
    if (ended_ & kNoMemory) say("error: out of memory");
    if (!good) return kFailure;
    if (ended_ & kNoMemory) return kLimit;
    if (ended_ & kStopped) return engine_->output().stopStatus();
    if (!cutOff) return kGood;
    if (request == kTimeLimit) {
        say("error: time limit reached behind cycle " + std::to_string(engine_->cycle() - 1));
        return kLimit;
    }
    say("interrupted behind cycle " + std::to_string(engine_->cycle() - 1));
    return 128 + static_cast<int>(request);
}

int Session::wrongUsage(const std::string& message) {
    say("error: " + message);
    return kUsage;
}

int Session::complain(const FileProblem& problem) {
    // a message with a place in a file stands for itself
    if (problem.status == kFailure) {
        err_.write(onOneLine(problem.message) + "\n");
    } else {
        say("error: " + problem.message);
    }
    return problem.status;
}

void Session::say(const std::string& message) {
    err_.write(onOneLine(program_ + ": " + message) + "\n");
}

}  // namespace sme
