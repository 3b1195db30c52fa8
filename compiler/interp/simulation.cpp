// Two slots for every field, exactly as the language defines them: processes read `read`, write
// `write`, and between the cycles the one takes the other. A combinational process's write slots
// are copied as soon as it has run.

#include "interp/simulation.h"

#include <algorithm>
#include <utility>

#include "hir/fields.h"
#include "interp/machine.h"
#include "interp/options.h"
#include "sme/no_calls.h"

namespace smec::interp {

Simulation::Simulation(const hir::Design& design, const SourceManager& sources,
                       const Settings& settings)
    : context_(design, sources, settings), network_(buildNetwork(context_)) {
    startFields(context_, network_);
}

Simulation::~Simulation() { releaseObjects(context_, network_); }

namespace {

void continueBody(Context& context, Process& process) {
    Machine machine({context, process, *process.body, process.vars}, nullptr);
    if (process.cyclesToWait > 1) {
        --process.cyclesToWait;
        return;
    }
    process.cyclesToWait = 0;
    if (process.waitUntil.valid() && !machine.holds(process.waitUntil)) return;
    process.waitUntil = {};
    if (process.frames.empty())
        process.frames.emplace_back().block = &process.spec->body.statements;
    machine.run(process.frames);
}

/// After a failure a process that is made to go on does so where this activation began.
void activate(Context& context, Process& process) {
    context.rounds = 0;
    context.operators.clear();
    const std::vector<Frame> frames = process.frames;
    const hir::ExprId waitUntil = process.waitUntil;
    try {
        continueBody(context, process);
    } catch (const Failure& failure) {
        context.report(process, failure);
        process.frames = frames;
        process.waitUntil = waitUntil;
    }
}

}  // namespace

void Simulation::runCombinational() {
    isEvaluated_ = false;
    for (const std::uint32_t index : network_.combinationalOrder) {
        Process& process = network_.processes[index];
        for (const std::uint32_t field : process.outputs)
            context_.write[field] = *network_.fieldDefaults[field];
        startVariables(context_, process);
        activate(context_, process);
        for (const std::uint32_t field : process.outputs)
            context_.read[field] = context_.write[field];
    }
}

void Simulation::runClocked() {
    for (const std::uint32_t index : network_.clocked)
        activate(context_, network_.processes[index]);
}

void Simulation::propagate() {
    for (Register& reg : network_.registers) {
        Value& written = context_.write[reg.field];
        Value& read = context_.read[reg.field];
        if (reg.underway.empty()) {
            read = written;
        } else {
            read = std::move(reg.underway.front());
            reg.underway.erase(reg.underway.begin());
            reg.underway.push_back(written);
        }
        if (!reg.hold) written = *network_.fieldDefaults[reg.field];
    }
    ++context_.cycle;
    isEvaluated_ = false;
    if (foreignLog_) foreignLog_->reach(context_.cycle);
}

const StateForm& Simulation::stateForm() const {
    static const StateForm none;
    return context_.settings.states ? context_.settings.states->get() : none;
}

std::uint32_t Simulation::waitOf(std::uint32_t number) const {
    const Process& process = network_.processes[number];
    if (process.frames.empty()) return 0;
    const Frame& frame = process.frames.back();
    const std::vector<const hir::Stmt*>& waits = process.body->waits;
    const auto at = std::find(waits.begin(), waits.end(), &(*frame.block)[frame.next - 1]);
    return static_cast<std::uint32_t>(at - waits.begin()) + 1;
}

namespace {

void setPart(Value& whole, std::span<const std::uint32_t> path, const Value& value) {
    Value* target = &whole;
    for (const std::uint32_t step : path)
        target = &target->list().edit(step);
    *target = value;
}

}  // namespace

void Simulation::setField(std::uint32_t field, std::span<const std::uint32_t> path,
                          const Value& value) {
    isEvaluated_ = false;
    setPart(context_.read[field], path, value);
    const auto isOf = [&](const Register& each) { return each.field == field; };
    const auto found = std::find_if(network_.registers.begin(), network_.registers.end(), isOf);
    if (found != network_.registers.end() && found->hold && found->underway.empty())
        setPart(context_.write[field], path, value);
}

void Simulation::setVariable(std::uint32_t process, std::uint32_t variable,
                             std::span<const std::uint32_t> path, const Value& value) {
    isEvaluated_ = false;
    setPart(network_.processes[process].vars[variable], path, value);
}

void Simulation::restore(const State& state) {
    const bool isNew = state.cycle == 0 && (!foreignLog_ || foreignLog_->known() == 0);
    interp::restore(state, context_, network_, isNew ? Outside::EndsToo : Outside::Stays);
    isEvaluated_ = false;
    context_.messages.clear();
    goOn();
}

void Simulation::rememberForeign(std::size_t bytes) {
    context_.outside = &foreignLog_.emplace(bytes);
}

namespace {

/// What an activation of a combinational process changes.
struct KeptProcess {
    std::vector<Value> variables;
    std::vector<Frame> frames;
    hir::ExprId waitUntil;
    std::uint64_t cyclesToWait;
    std::uint64_t randomState;
    std::vector<CoverCount> covers;
    struct Field {
        std::uint32_t field;
        Value read, written;
    };
    std::vector<Field> fields;  ///< that it drives, behind a `delay`, too

    KeptProcess(const Context& context, const Process& process)
        : variables(process.vars, process.vars + process.body->body->vars.size()),
          frames(process.frames),
          waitUntil(process.waitUntil),
          cyclesToWait(process.cyclesToWait),
          randomState(process.randomState),
          covers(process.covers) {
        hir::forEachField(context.design, process.id, true,
                          [&](const hir::Port&, std::uint32_t, hir::BusId, std::uint32_t field) {
                              fields.push_back({field, context.read[field], context.write[field]});
                          });
    }
    void putBack(Context& context, Process& process) const {
        std::copy(variables.begin(), variables.end(), process.vars);
        process.frames = frames;
        process.waitUntil = waitUntil;
        process.cyclesToWait = cyclesToWait;
        process.randomState = randomState;
        process.covers = covers;
        for (const Field& each : fields) {
            context.read[each.field] = each.read;
            context.write[each.field] = each.written;
        }
    }
};

}  // namespace

const Value& Simulation::evaluated(std::uint32_t field) {
    evaluate();
    return evaluated_.at(field);
}

void Simulation::evaluate() {
    if (isEvaluated_) return;
    const std::vector<std::uint32_t>& order = network_.combinationalOrder;
    std::vector<KeptProcess> before;
    for (const std::uint32_t index : order)
        before.emplace_back(context_, network_.processes[index]);
    const std::optional<StopRequest> stop = context_.stop;
    const bool failed = context_.failed;
    sme::NoCalls noCalls({true});
    sme::OutsideWorld* const outside = std::exchange(context_.outside, &noCalls);
    runCombinational();
    context_.outside = outside;
    for (const std::uint32_t index : order)
        for (const std::uint32_t field : network_.processes[index].outputs)
            evaluated_.insert_or_assign(field, context_.read[field]);
    for (std::size_t i = 0; i < order.size(); ++i)
        before[i].putBack(context_, network_.processes[order[i]]);
    context_.messages.clear();
    context_.stop = stop;
    context_.failed = failed;
    if (const std::string why = noCalls.whyUnknown(); !why.empty()) throw RunError{kUsage, why};
    isEvaluated_ = true;
}

std::vector<Message> Simulation::takeMessages() {
    std::vector<Message> messages = std::move(context_.messages);
    context_.messages.clear();
    std::stable_sort(messages.begin(), messages.end(),
                     [](const Message& a, const Message& b) { return a.instance < b.instance; });
    return messages;
}

}  // namespace smec::interp
