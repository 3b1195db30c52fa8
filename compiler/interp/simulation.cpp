// Two slots for every field, exactly as the language defines them: processes read `read`, write
// `write`, and between the cycles the one takes the other. A combinational process's write slots
// are copied as soon as it has run.

#include "interp/simulation.h"

#include <algorithm>
#include <queue>

#include "hir/fields.h"
#include "interp/foreign.h"
#include "interp/hash.h"
#include "interp/machine.h"
#include "interp/options.h"
#include "source/internal_error.h"

namespace smec::interp {

Simulation::Simulation(const hir::Design& design, const SourceManager& sources,
                       const Settings& settings)
    : context_(design, sources, settings) {
    placeFields();
    placeProcesses();
    orderCombinational();
}

const std::string& classOf(const hir::Design& design, const Process& process) {
    return design.functions[process.spec->foreign.index].external->name;
}

template <typename Visit>
void Simulation::forEachObject(const Visit& visit) const {
    for (const Process& process : processes_) {
        if (!process.spec->foreign.valid() || !context_.settings.foreign) continue;
        const auto& code = context_.settings.foreign->functions[process.spec->foreign.index];
        const auto object = toUnsigned(process.vars[0]);
        if (code.release && object && *object != 0) visit(process, code, *object);
    }
}

Simulation::~Simulation() { releaseObjects(); }

void Simulation::releaseObjects() {
    forEachObject([](const Process&, const ForeignCode::Entry& code, std::uint64_t object) {
        code.release(object);
    });
}

bool Simulation::isCombinational(std::uint32_t field) const {
    return design().fields[field].kind == hir::FieldDriver::Combinational;
}

void Simulation::placeFields() {
    const std::size_t count = design().fields.size();
    fieldDefaults_.resize(count);
    context_.read.resize(count);
    context_.write.resize(count);
    for (const hir::Bus& bus : design().buses) {
        const hir::BusShape& shape = design().shapes[bus.shape.index];
        const std::vector<Value>& defaults =
            context_.defaults[design().busGroups[bus.group].defaults];
        for (std::uint32_t i = 0; i < shape.fields.size(); ++i) {
            const std::uint32_t field = bus.firstField + i;
            fieldDefaults_[field] = &defaults[i];
            context_.read[field] = defaults[i];
            context_.write[field] = defaults[i];
            if (!design().fields[field].driver.valid() || isCombinational(field)) continue;
            registers_.push_back({field, shape.fields[i].type, shape.fields[i].hold,
                                  std::vector<Value>(shape.delay - 1, defaults[i])});
        }
    }
}

void Simulation::placeProcesses() {
    std::size_t variableCount = 0;
    processOf_.resize(design().instances.size(), UINT32_MAX);
    for (std::uint32_t i = 0; i < design().instances.size(); ++i) {
        const hir::Instance& instance = design().instances[i];
        if (instance.kind != hir::InstanceKind::Process) continue;
        const hir::Specialisation& spec = design().specs[instance.spec.index];
        processOf_[i] = static_cast<std::uint32_t>(processes_.size());
        Process& process = processes_.emplace_back();
        process.id = {i};
        process.instance = &instance;
        process.spec = &spec;
        process.body = &context_.bodies[instance.spec.index];
        if (spec.kind == hir::ProcKind::Simulation)
            process.randomState =
                context_.settings.seed ^ fnv1a64(hir::pathOf(design(), process.id));
        variableCount += spec.body.vars.size();
    }
    variables_.resize(variableCount);
    Value* vars = variables_.data();
    for (Process& process : processes_) {
        process.vars = vars;
        vars += process.spec->body.vars.size();
        startVariables(process);
    }
}

/// Process variables take their initial values. The others get theirs where they are declared.
void Simulation::startVariables(Process& process) {
    const std::vector<hir::Variable>& vars = process.spec->body.vars;
    for (std::uint32_t i = 0; i < vars.size() && vars[i].kind == hir::VarKind::Process; ++i) {
        process.vars[i] = context_.values[design().initials[process.instance->firstInit + i]];
    }
}

std::vector<std::uint32_t> Simulation::combinationalInputs(const Process& process) const {
    std::vector<std::uint32_t> fields;
    hir::forEachField(design(), process.id, false,
                      [&](const hir::Port&, std::uint32_t, hir::BusId, std::uint32_t field) {
                          if (isCombinational(field)) fields.push_back(field);
                      });
    return fields;
}

/// Drivers before readers; among those that are free, in source order (Kahn 1962).
void Simulation::orderCombinational() {
    for (std::uint32_t field = 0; field < design().fields.size(); ++field) {
        if (isCombinational(field))
            processes_[processOf_[design().fields[field].driver.index]].outputs.push_back(field);
    }
    std::vector<std::uint32_t> waitingFor(processes_.size());
    std::vector<std::vector<std::uint32_t>> readers(processes_.size());
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < processes_.size(); ++i) {
        if (processes_[i].spec->kind != hir::ProcKind::Combinational) {
            clocked_.push_back(i);
            continue;
        }
        ++count;
        for (const std::uint32_t field : combinationalInputs(processes_[i])) {
            readers[processOf_[design().fields[field].driver.index]].push_back(i);
            ++waitingFor[i];
        }
        if (waitingFor[i] == 0) ready.push(i);
    }
    while (!ready.empty()) {
        const std::uint32_t driver = ready.top();
        ready.pop();
        combinationalOrder_.push_back(driver);
        for (const std::uint32_t reader : readers[driver]) {
            if (--waitingFor[reader] == 0) ready.push(reader);
        }
    }
    require(combinationalOrder_.size() == count, "a combinational cycle was not reported");
}

void Simulation::runCombinational() {
    for (const std::uint32_t index : combinationalOrder_) {
        Process& process = processes_[index];
        for (const std::uint32_t field : process.outputs)
            context_.write[field] = *fieldDefaults_[field];
        startVariables(process);
        activate(process);
        for (const std::uint32_t field : process.outputs)
            context_.read[field] = context_.write[field];
    }
}

void Simulation::runClocked() {
    for (const std::uint32_t index : clocked_)
        activate(processes_[index]);
}

/// After a failure a process that is made to go on does so where this activation began.
void Simulation::activate(Process& process) {
    context_.rounds = 0;
    context_.operators.clear();
    const std::vector<Frame> frames = process.frames;
    const hir::ExprId waitUntil = process.waitUntil;
    try {
        continueBody(process);
    } catch (const Failure& failure) {
        context_.report(process, failure);
        process.frames = frames;
        process.waitUntil = waitUntil;
    }
}

void Simulation::continueBody(Process& process) {
    Machine machine({context_, process, *process.body, process.vars}, nullptr);
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

void Simulation::propagate() {
    for (Register& reg : registers_) {
        Value& written = context_.write[reg.field];
        Value& read = context_.read[reg.field];
        if (reg.underway.empty()) {
            read = written;
        } else {
            read = std::move(reg.underway.front());
            reg.underway.erase(reg.underway.begin());
            reg.underway.push_back(written);
        }
        if (!reg.hold) written = *fieldDefaults_[reg.field];
    }
    ++context_.cycle;
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
    setPart(context_.read[field], path, value);
    const auto isOf = [&](const Register& each) { return each.field == field; };
    const auto found = std::find_if(registers_.begin(), registers_.end(), isOf);
    if (found != registers_.end() && found->hold && found->underway.empty())
        setPart(context_.write[field], path, value);
}

void Simulation::setVariable(std::uint32_t process, std::uint32_t variable,
                             std::span<const std::uint32_t> path, const Value& value) {
    setPart(processes_[process].vars[variable], path, value);
}

State Simulation::snapshot() const {
    State state;
    state.cycle = context_.cycle;
    state.seed = context_.settings.seed;
    state.read = context_.read;
    state.write = context_.write;
    state.variables = variables_;
    for (const Register& reg : registers_)
        state.underway.push_back(reg.underway);
    for (const Process& process : processes_)
        state.activities.push_back({process.frames, process.cyclesToWait, process.waitUntil,
                                    process.randomState, process.covers});
    forEachObject(
        [&](const Process& process, const ForeignCode::Entry& code, std::uint64_t object) {
            auto copy = sme::ForeignObject::copyOf(object, code.copy, code.release);
            if (!copy)
                throw RunError{kUsage, "the state has objects of the extern process '"
                                           + classOf(design(), process)
                                           + "', whose class has no copy constructor"};
            state.variables[firstVariable(process)] = number(Integer(0));
            state.objects.push_back(
                {static_cast<std::uint32_t>(&process - processes_.data()), std::move(*copy)});
        });
    return state;
}

State Simulation::initialState(std::uint64_t seed) const {
    Settings settings = context_.settings;
    settings.seed = seed;
    return Simulation(design(), context_.sources, settings).snapshot();
}

TypeId Simulation::typeOfRegister(std::size_t number) const { return registers_[number].type; }

void Simulation::restore(const State& state) {
    releaseObjects();
    context_.cycle = state.cycle;
    context_.settings.seed = state.seed;
    context_.read = state.read;
    context_.write = state.write;
    std::copy(state.variables.begin(), state.variables.end(), variables_.begin());
    for (const State::Object& kept : state.objects)
        processes_[kept.process].vars[0] = number(Integer(kept.object.copy()));
    for (std::size_t i = 0; i < registers_.size(); ++i)
        registers_[i].underway = state.underway[i];
    for (std::size_t i = 0; i < processes_.size(); ++i) {
        Process& process = processes_[i];
        const State::Activity& activity = state.activities[i];
        process.frames = activity.frames;
        process.cyclesToWait = activity.cyclesToWait;
        process.waitUntil = activity.waitUntil;
        process.randomState = activity.randomState;
        process.covers = activity.covers;
    }
    context_.messages.clear();
    goOn();
}

std::vector<Message> Simulation::takeMessages() {
    std::vector<Message> messages = std::move(context_.messages);
    context_.messages.clear();
    std::stable_sort(messages.begin(), messages.end(),
                     [](const Message& a, const Message& b) { return a.instance < b.instance; });
    return messages;
}

}  // namespace smec::interp
