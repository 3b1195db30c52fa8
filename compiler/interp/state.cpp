#include "interp/state.h"

#include <algorithm>
#include <utility>

#include "interp/foreign.h"
#include "interp/options.h"

namespace smec::interp {
namespace {

/// visit(process, code, object) for the objects of extern processes.
template <typename Visit>
void forEachObject(const Context& context, const Network& network, const Visit& visit) {
    for (const Process& process : network.processes) {
        if (!process.spec->foreign.valid() || !context.settings.foreign) continue;
        const auto& code = context.settings.foreign->functions[process.spec->foreign.index];
        const auto object = toUnsigned(process.vars[0]);
        if (code.objects.release && object && *object != 0) visit(process, code, *object);
    }
}

void copyObjects(const Context& context, const Network& network, State& state) {
    forEachObject(
        context, network,
        [&](const Process& process, const ForeignCode::Entry& code, std::uint64_t object) {
            state.variables[network.firstVariable(process)] = number(Integer(0));
            if (sme::ForeignObject::areOutside(code.objects)) return;
            state.objects.push_back(
                {static_cast<std::uint32_t>(&process - network.processes.data()),
                 sme::ForeignObject::copyOf(object, code.objects)});
        });
}

}  // namespace

void releaseObjects(const Context& context, const Network& network) {
    forEachObject(context, network,
                  [](const Process&, const ForeignCode::Entry& code, std::uint64_t object) {
                      code.objects.release(object);
                  });
}

State stateOf(const Context& context, const Network& network) {
    State state;
    state.cycle = context.cycle;
    state.seed = context.settings.seed;
    state.read = context.read;
    state.write = context.write;
    state.variables = network.variables;
    for (const Register& reg : network.registers)
        state.underway.push_back(reg.underway);
    for (const Process& process : network.processes)
        state.activities.push_back({process.frames, process.cyclesToWait, process.waitUntil,
                                    process.randomState, process.covers});
    copyObjects(context, network, state);
    return state;
}

void restore(const State& state, Context& context, Network& network, Outside outside) {
    std::vector<std::pair<std::uint32_t, Value>> staying;  // by first variable
    forEachObject(
        context, network,
        [&](const Process& process, const ForeignCode::Entry& code, std::uint64_t object) {
            if (outside == Outside::Stays && sme::ForeignObject::areOutside(code.objects))
                staying.emplace_back(network.firstVariable(process), process.vars[0]);
            else
                code.objects.release(object);
        });
    context.cycle = state.cycle;
    context.settings.seed = state.seed;
    context.read = state.read;
    context.write = state.write;
    std::copy(state.variables.begin(), state.variables.end(), network.variables.begin());
    for (auto& [variable, object] : staying)
        network.variables[variable] = std::move(object);
    for (const State::Object& kept : state.objects)
        network.processes[kept.process].vars[0] = number(Integer(kept.object.copy()));
    for (std::size_t i = 0; i < network.registers.size(); ++i)
        network.registers[i].underway = state.underway[i];
    for (std::size_t i = 0; i < network.processes.size(); ++i) {
        Process& process = network.processes[i];
        const State::Activity& activity = state.activities[i];
        process.frames = activity.frames;
        process.cyclesToWait = activity.cyclesToWait;
        process.waitUntil = activity.waitUntil;
        process.randomState = activity.randomState;
        process.covers = activity.covers;
    }
}

State initialState(const Context& context, std::uint64_t seed) {
    Settings settings = context.settings;
    settings.seed = seed;
    Context own(context.design, context.sources, settings);
    const Network network = buildNetwork(own);
    startFields(own, network);
    return stateOf(own, network);
}

bool isStateOf(const State& state, const Context& context, const Network& network) {
    return state.read.size() == context.read.size()
           && state.variables.size() == network.variables.size()
           && state.activities.size() == network.processes.size()
           && state.underway.size() == network.registers.size();
}

}  // namespace smec::interp
