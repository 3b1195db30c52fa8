#include "run/run.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <system_error>

#include "run/translated.h"
#include "values/value.h"

namespace sme {
namespace {

constexpr std::uint64_t kBigModel = std::uint64_t{32} << 20;

}  // namespace

Run::Run(const Model& model, RunOptions options, RunSinks sinks)
    : model_(model),
      options_(std::move(options)),
      sinks_(std::move(sinks)),
      machine_(inspectMachine()) {
    if (const char* why = whyNotRunnable(model)) throw Error(ErrorKind::Internal, why);
    checkOptions(model, options_);
    EngineConfig config = this->config();
    chooseApart(config);
    engine_ = translated([&] {
        return std::make_unique<Engine>(model_, config, options_.seed, options_.loopLimit,
                                        sinks_.out, sinks_.err);
    });
    warnOfThreads();
}

/// Spinning is for those who give each thread a processor; that there are fewer would not show.
void Run::warnOfThreads() const {
    const bool isAsked = options_.oversubscribe || options_.scheduling.wait != WaitMode::Spin;
    const unsigned processors = machine_.processors;
    if (!sinks_.warn || isAsked || options_.threads <= processors) return;
    sinks_.warn("--wait spin: the shares of " + std::to_string(options_.threads)
                + " threads run on " + std::to_string(processors)
                + (processors == 1 ? " processor" : " processors")
                + "; --oversubscribe starts all threads");
}

EngineConfig Run::config() const {
    EngineConfig config;
    const bool big = 2 * model_.clockedBytes + model_.stateBytes >= kBigModel;
    // With auto the run starts on one thread; big memory is first touched by all that may run
    // later.
    config.threads = options_.threads > 0 ? options_.threads : big ? machine_.processors : 1;
    config.scheduling = scheduling();
    // More threads than processors only wait for each other (docs/scheduling.md: spinning then
    // collapses, sleeping costs): the shares of all N are dealt to as many threads as can run.
    // --oversubscribe is for those who want to see it.
    config.processors = options_.oversubscribe ? 0 : machine_.processors;
    config.oversubscribed = config.running() > machine_.processors;
    return config;
}

// ---------------------------------------------------------------- what comes in and goes out

void Run::drive(Rows rows) {
    inputRows_ = std::move(rows);
    input_ = std::make_unique<InputDriver>(*engine_, inputRows_);
}

void Run::expect(Rows rows) {
    expectRows_ = std::move(rows);
    expectation_ = std::make_unique<Expectation>(*engine_, expectRows_, sinks_.err);
}

void Run::trace(const std::vector<std::string>& paths, TraceColumns columns,
                const TraceSelection& selection) {
    auto traces = std::make_unique<Traces>(*engine_, std::move(columns), selection);
    for (const std::string& path : paths)
        throwIfAny(traces->open(path, sinks_.out));
    traces_ = std::move(traces);
}

std::optional<std::uint64_t> Run::cyclesOfRows() const {
    if (!input_ && !expectation_) return std::nullopt;
    return std::max(inputRows_.count(), expectRows_.count());
}

FileProblem Run::finish() {
    if (!traces_) return {};
    const std::unique_ptr<Traces> done = std::move(traces_);
    return done->finish();
}

// ---------------------------------------------------------------- thread 0, every cycle

std::uint32_t Run::during(std::uint64_t cycle) {
    // relaxed: only shown
    if (shown_) shown_->store(cycle, std::memory_order_relaxed);
    if (input_) input_->drive(cycle + 1);
    return wantsBetween ? 0 : rows(cycle);
}

std::uint32_t Run::between(std::uint64_t cycle) {
    const std::uint32_t ends = rows(cycle);
    if (traces_) traces_->sampler().snapshot();
    if (expectation_) expectation_->sampler().snapshot();
    return ends;
}

std::uint32_t Run::rows(std::uint64_t cycle) {
    if (expectation_) expectation_->check(cycle);
    return !traces_ || traces_->row(cycle) ? 0 : std::uint32_t{kNoOutput};
}

// ---------------------------------------------------------------- cycles

std::uint32_t Run::advance(std::uint64_t until) {
    isFresh_ = false;
    wantsDuring = input_ || expectation_ || traces_ || shown_;
    wantsBetween = (traces_ && traces_->sampler().needsPause())
                   || (expectation_ && expectation_->sampler().needsPause());
    if (input_) input_->drive(cycle());
    if (traces_) traces_->sampler().snapshot();
    if (expectation_) expectation_->sampler().snapshot();

    const std::int64_t start = nowNs();
    const std::uint32_t ended = translated([&] { return runTo(until); });
    seconds_ += static_cast<double>(nowNs() - start) * 1e-9;
    if (input_) input_->release();
    return ended;
}

// ---------------------------------------------------------------- state

Snapshot Run::snapshot() const {
    return isFresh_ ? initialState(model_) : translated([&] { return engine_->snapshot(); });
}

void Run::restore(const Snapshot& snapshot) {
    translated([&] { engine_->restore(snapshot); });
    isFresh_ = snapshot.memory.empty();
}

std::string whyNotSettable(const Model& model, const Ref& ref) {
    const Plane& plane = model.planes[ref.plane];
    if ((ref.flags & kUndriven) != 0 || plane.region == Region::Constant)
        return "nobody drives it; it keeps its default";
    const bool isVariable = (ref.flags & kVariable) != 0;
    if ((isVariable && (ref.flags & kCombinational) != 0)
        || (plane.region == Region::Clocked && plane.lag == 0))
        return "it is combinational: its process computes it anew in each cycle";
    return {};
}

void Run::set(const Ref& ref, const std::byte* value) {
    if (const std::string why = whyNotSettable(model_, ref); !why.empty())
        throw Error(ErrorKind::Usage, "cannot be set: " + why);
    const Type& type = model_.types[ref.type];
    if (!areValues(model_, ref.type, value))
        throw Error(ErrorKind::State, std::string("no value of ") + type.name);
    isFresh_ = false;
    put(ref, value);
}

void Run::put(const Ref& ref, const std::byte* value) {
    const Type& type = model_.types[ref.type];
    if (!isInOnePiece(model_, ref)) {
        for (std::uint32_t i = 0; i < type.count; ++i) {
            const bool isStruct = type.kind == Kind::Struct;
            const Ref part = isStruct ? memberOf(model_, ref, i) : elementOf(model_, ref, i);
            put(part, value);
            value += model_.types[part.type].bytes;
        }
        return;
    }
    const Plane& plane = model_.planes[ref.plane];
    const std::uint64_t offset =
        plane.offset + ref.element * model_.types[plane.type].bytes + ref.offset;
    Arena& arena = engine_->arena();
    if (plane.region == Region::State) {
        std::memcpy(arena.state() + offset, value, type.bytes);
        return;
    }
    // both slots: nobody writes an input but for a row, and the older slot of a field is written
    // before it is read
    for (const std::uint64_t cycle : {0, 1})
        std::memcpy(arena.slot(cycle) + offset, value, type.bytes);
}

// ---------------------------------------------------------------- results

std::string Run::whyThreads() const {
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

Summary Run::summary() const {
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
    return summary;
}

}  // namespace sme
