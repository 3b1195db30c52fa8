// A copy of a variable stays in a register while the body runs, and is stored behind it. Of a long body,
// whose parts take copies of what they share, a variable that one of them uses alone is worked on where
// it lies. What looks at checks alone stores nothing.

#include "codegen/cpp/decide/stores.h"

namespace smec::codegen::cpp {
namespace {

bool isScalar(const ir::Local& local) { return !local.type.isArray(); }

/// A bool in memory is a number, of which C++ has no `bool&`.
bool isDirect(const StateAccess& state, const BodyInfo& info) {
    const auto* from = std::get_if<From>(&state.begin);
    return info.locals[state.local.index].isOfOneBlock && from != nullptr
           && from->place == state.place
           && info.body->locals[state.local.index].type.scalar.kind != ir::ScalarKind::Bool;
}

WorksOn worksOn(const StateAccess& state, const BodyInfo& info, Checks checks, bool allows) {
    const ir::Local& local = info.body->locals[state.local.index];
    switch (checks) {
    case Checks::Test: return allows && isDirect(state, info) ? WorksOn::Direct : state.worksOn;
    case Checks::Collect:
        return local.form == ir::LocalForm::Spread ? WorksOn::Bounded : WorksOn::Copy;
    case Checks::Skip: return WorksOn::Copy;
    }
    return WorksOn::Copy;
}

void decideStore(OutputAccess& output) {
    if (!output.isForLookers) {
        output.stored = output.place;
        return;
    }
    AtElement inMemory = std::get<AtElement>(output.place);
    if (inMemory.isOfBlock) output.stored = output.place;
    inMemory.isOfBlock = inMemory.isKept = false;
    output.observed = inMemory;
}

}  // namespace

void decideStores(Activation& activation, const BodyInfo& info, ActivationOf where,
                  const rules::Asker& ledger) {
    const bool isStoring = where.checks != Checks::Collect;
    const bool allows = ledger.allows(rules::Rule::StateReferences);
    for (StateAccess& state : activation.state) {
        state.worksOn = worksOn(state, info, where.checks, allows);
        state.isStored = state.isStored && isStoring && state.worksOn == WorksOn::Copy;
    }
    for (OutputAccess& output : activation.outputs)
        if (isStoring && isScalar(info.body->locals[output.local.index])) decideStore(output);
    const bool says = where.mayBeUnobserved && (info.needs.traces || info.needs.stops);
    activation.mayLeave = where.checks == Checks::Test && (info.needs.leave || says);
}

}  // namespace smec::codegen::cpp
