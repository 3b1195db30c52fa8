#include "run/run.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <span>
#include <system_error>

#include "run/inputs_only.h"
#include "run/translated.h"
#include "values/instances.h"
#include "values/value.h"

namespace sme {

Run::Run(const Model& model, RunOptions options, RunSinks sinks)
    : model_(model),
      options_(std::move(options)),
      sinks_(std::move(sinks)),
      machine_(inspectMachine()) {
    if (const char* why = whyNotRunnable(model)) throw Error(ErrorKind::Internal, why);
    mostThreads_ = mostPieces(model);
    checkOptions(model, options_);
    const EngineConfig config = configOf(model_, options_, machine_);
    engine_ = translated([&] {
        return std::make_unique<Engine>(model_, config, options_.seed, options_.loopLimit,
                                        sinks_.out, sinks_.err, options_.residence);
    });
    streams_ = std::make_unique<Streams>(*engine_, sinks_.out, sinks_.err);
    const std::string warning = warningOf(options_, machine_);
    if (!warning.empty() && sinks_.warn) sinks_.warn(warning);
}

// ---------------------------------------------------------------- thread 0, every cycle

std::uint32_t Run::during(std::uint64_t cycle) {
    const std::uint32_t ends = streams_->driveNext(cycle);
    return wantsBetween ? ends : ends | streams_->look(cycle);
}

std::uint32_t Run::between(std::uint64_t cycle) {
    const std::uint32_t ends = streams_->look(cycle);
    streams_->keep(cycle + 1);
    return ends;
}

// ---------------------------------------------------------------- cycles

void Run::moveOn() {
    isFresh_ = false;
    isEvaluated_ = false;
    ++epoch_;
}

/// What was evaluated stays where it is, but holds no longer.
void Run::forgetEvaluation() {
    if (isEvaluated_) ++epoch_;
    isEvaluated_ = false;
}

void Run::prepareToLook() {
    wantsDuring = !streams_->isEmpty();
    wantsBetween = streams_->needsPause();
    wantsAfter = streams_->hasLiveRows();
    onlyDrives = streams_->onlyDrives();
    bearsUndo = streams_->bearsUndo();
}

std::uint32_t Run::advance(std::uint64_t until) {
    moveOn();
    prepareToLook();
    const std::uint32_t early = translated([&] { return streams_->begin(cycle(), until); });
    if (early != 0) {
        streams_->release();
        return early;
    }

    const std::int64_t start = nowNs();
    const std::uint32_t ended = translated([&] { return runTo(until); });
    seconds_ += static_cast<double>(nowNs() - start) * 1e-9;
    streams_->release();
    return ended;
}

std::uint32_t Run::advance(std::uint64_t until, const std::vector<BlockColumn>& inputs,
                           const std::vector<BlockColumn>& records) {
    CycleRows block =
        translated([&] { return CycleRows(*engine_, cycle(), until - cycle(), inputs, records); });
    struct Setting {
        explicit Setting(Streams& streams, CycleRows& block) : of(streams) { of.setBlock(&block); }
        ~Setting() { of.setBlock(nullptr); }
        Setting(const Setting&) = delete;
        Setting& operator=(const Setting&) = delete;
        Streams& of;
    } const setting(*streams_, block);
    return advance(until);
}

void Run::rememberForeign(std::size_t bytes) {
    const std::span lists(model_.objects, model_.objectCount);
    const bool hasObjects = std::any_of(lists.begin(), lists.end(), [](const Objects& list) {
        return ForeignObject::areOutside(functionsOf(list));
    });
    if (!hasObjects && (model_.flags & kHasSerial) == 0) return;
    engine_->state().remember(outside_.emplace(bytes));
}

void Run::replay(std::uint64_t until, bool isForth) {
    moveOn();
    prepareToLook();
    InputsOnly inputs(streams_->input());
    const bool isTraced = isForth && streams_->isTraced();
    Observer& observer = isTraced ? static_cast<Observer&>(*this) : inputs;
    engine_->observation().mute(true);
    std::uint32_t ended = 0;
    while (cycle() < until && (ended & kNoMemory) == 0) {
        ended = translated([&] {
            isTraced ? void(streams_->begin(cycle(), until)) : inputs.begin(cycle());
            return engine_->run(until, &observer);
        });
    }
    engine_->observation().mute(false);
    streams_->release();
    if ((ended & kNoMemory) != 0) throw Error(ErrorKind::Limit, "out of memory");
}

std::string Run::whyNotAgain() const {
    if (streams_->hasLiveRows()) return "rows of a pipe come once";
    return outside_ ? outside_->whyNotAgain() : "";
}

// ---------------------------------------------------------------- state

Snapshot Run::snapshot(std::vector<std::byte> memory) const {
    if (isFresh_) return initialState(model_);
    return translated([&] { return engine_->snapshot(std::move(memory)); });
}

void Run::restore(const Snapshot& snapshot) {
    moveOn();
    translated([&] { engine_->restore(snapshot); });
    isFresh_ = snapshot.memory.empty();
}

void Run::restorePart(std::uint64_t cycle, std::uint64_t seed,
                      const std::function<void(Arena&)>& fill) {
    moveOn();
    try {
        fill(engine_->arena());
    } catch (const std::bad_alloc&) {
        throw Error(ErrorKind::Limit, "out of memory");
    }
    translated([&] { engine_->goOnAsPart(cycle, seed); });
}

void Run::reset() {
    Snapshot initial = initialState(model_);
    initial.seed = options_.seed;
    restore(initial);
}

void Run::evaluate() {
    if (isEvaluated_) return;
    translated([&] {
        if (!evaluation_)
            evaluation_ = std::make_unique<Evaluation>(options_.whole ? *options_.whole : model_);
        engine_->state().evaluate(*evaluation_);
        isEvaluated_ = true;
    });
}

const std::byte* Run::shown(const Ref& piece) {
    if (model_.planes[piece.plane].home != Home::WrittenSlot)
        return engine_->final(piece.plane, piece.element) + piece.offset;
    evaluate();
    return evaluation_->at(piece.plane, piece.element) + piece.offset;
}

void Run::value(const Ref& ref, std::byte* bytes) {
    forEachPiece(model_, ref, [&](const Ref& piece, std::size_t size) {
        std::memcpy(bytes, shown(piece), size);
        bytes += size;
    });
}

Run::NextRow::NextRow(Run& run) : run_(run) {
    run_.forgetEvaluation();
    run_.streams_->showNext(run_.cycle());
}

Run::NextRow::~NextRow() {
    run_.forgetEvaluation();
    run_.streams_->release();
}

bool isSettable(const Model& model, const Ref& ref) {
    return (ref.flags & (kUndriven | kStartsAnew)) == 0
           && model.planes[ref.plane].home != Home::WrittenSlot;
}

std::string whyNotSettable(const Model& model, const Ref& ref) {
    if ((ref.flags & kUndriven) != 0) return "nobody drives it; it keeps its default";
    const std::string writer = writerOf(model, ref.plane, ref.element);
    return "it is combinational: " + (writer.empty() ? "its process" : "'" + writer + "'")
           + " computes it anew in each cycle";
}

void Run::set(const Ref& ref, const std::byte* value) {
    if (!isSettable(model_, ref))
        throw Error(ErrorKind::Usage, "cannot be set: " + whyNotSettable(model_, ref));
    const Type& type = model_.types[ref.type];
    if (!areValues(model_, ref.type, value))
        throw Error(ErrorKind::State, std::string("no value of ") + type.name);
    isFresh_ = false;
    forgetEvaluation();
    put(ref, value);
}

void Run::put(const Ref& ref, const std::byte* value) {
    Arena& arena = engine_->arena();
    forEachPiece(model_, ref, [&](const Ref& piece, std::size_t bytes) {
        const Plane& plane = model_.planes[piece.plane];
        if (plane.home != Home::Given) engine_->state().intervene();
        const std::uint64_t offset =
            plane.offset + piece.element * model_.types[plane.type].bytes + piece.offset;
        // both slots: nobody writes an input but for a row, and the older slot of a field is written
        // before it is read
        for (std::byte* const region : arena.regionsOf(plane))
            std::memcpy(region + offset, value, bytes);
        value += bytes;
    });
}

// ---------------------------------------------------------------- results

Summary Run::summary() const {
    Summary summary;
    const EngineConfig& config = engine_->config();
    summary.design = model_.name;
    summary.cycles = engine_->cycle();
    summary.stepsPerCycle = stepsPerCycle(engine_->model());
    summary.seconds = seconds_;
    summary.running = config.running();
    summary.processors = machine_.processors;
    const std::string why =
        governed_.empty() ? whyThreads(options_, machine_, config.running()) : governed_;
    summary.threads = std::to_string(config.running()) + " of "
                      + std::to_string(machine_.processors) + " processor"
                      + (machine_.processors == 1 ? "" : "s") + " (" + why + ")";
    if (config.running() > 1) summary.plan = describe(config.scheduling) + adapted_;
    summary.peakMemory = peakMemory();
    return summary;
}

}  // namespace sme
