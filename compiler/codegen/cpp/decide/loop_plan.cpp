// A class's loop is up to five walks. Where all segments have the same strides, no check and no
// seam, it is one; a torus whose cells check their sum has five:
//   Segment        cell_instances(count, n_in, …)         what the text says, instance by instance
//   Ahead          cell_checks(count, n_in, …)            would a check fail?
//   Sure           cell_sure(count, n_in, …)              if none does
//   AheadAtSeams   cell_checks_seams(count, seam, …)      the same again, where rows of the torus
//   SureAtSeams    cell_sure_seams(count, seam, …)        meet
// Sure is also for instances that agree in the variables from which spread arrays are indexed; they
// are looked at in front of it.
// Without checks the seams are computed again by Seams, cell_seams(count, seam, …).
//
// Why a failure leaves what it leaves when instances are run one by one, kinds merged or not:
//  * Ahead and AheadAtSeams store nothing (nor do they set elements of spread arrays), and no check
//    depends on what a spread array holds (passes/spread.cpp). So whether they find a failure or not, the
//    cycle begins as it was.
//  * Where a check fails, they find it: each instance's checks are evaluated with its own inputs and
//    variables, and with the conditions around them (passes/flatten.cpp); what is computed behind a
//    failed check may be anything, but cannot take the finding back. At seams the joined rows may find too
//    many, and AheadAtSeams finds those that are there.
//  * Sure runs where none fails; there a body without its checks does what the body does.
//  * Else Segment runs all of these instances in their order, and each leaves its body at its own failed
//    check, with what it has set until then in its places; others are not concerned. For that the passes
//    keep what outlives an activation on its side of each check (passes/sides.cpp); what is not stored,
//    they may move. Instances of merged kinds report by their own sites and orders (passes/kinds.cpp).

#include <algorithm>

#include "codegen/cpp/decide/decide.h"
#include "codegen/cpp/decide/walk_plan.h"
#include "codegen/cpp/decide/wiring.h"
#include "codegen/cpp/target.h"

namespace smec::codegen::cpp {
namespace {

std::vector<UsualStride> usualStrides(const Wiring& wiring) {
    std::vector<UsualStride> usual;
    for (const Port& port : wiring.ports) {
        if (port.tellsStride()) usual.push_back({port.column + 1, port.stride});
    }
    return usual;
}

/// LoopPlan::common.
std::vector<std::uint32_t> commonVariables(const Program& program, ir::ClassId id) {
    const ir::Class& cls = program.design.classes[id.index];
    const BodyInfo& info = program.classes[id.index];
    std::vector<std::uint32_t> slots;
    if (!program.options.lanes || !program.facts.classes[id.index].fillsLanes) return slots;
    for (std::size_t i = 0; i < cls.body.locals.size(); ++i) {
        const ir::Local& local = cls.body.locals[i];
        if (local.form == ir::LocalForm::Common && info.locals[i].isUsed)
            slots.push_back(local.slot);
    }
    return slots;
}

std::vector<WalkKind> walksOf(const Program& program, ir::ClassId cls, const Wiring& wiring) {
    std::vector<WalkKind> kinds{WalkKind::Segment};
    if (!usualStrides(wiring).empty()) kinds.push_back(WalkKind::Strided);
    const bool hasSeams = !wiring.seams.empty();
    if (looksAhead(program, cls)) {
        kinds.insert(kinds.end(), {WalkKind::Ahead, WalkKind::Sure});
        if (hasSeams) kinds.insert(kinds.end(), {WalkKind::AheadAtSeams, WalkKind::SureAtSeams});
    } else {
        if (!commonVariables(program, cls).empty()) kinds.push_back(WalkKind::Sure);
        if (hasSeams) kinds.push_back(WalkKind::Seams);
    }
    return kinds;
}

std::optional<Seams> seamsOf(Program& program, const Wiring& wiring) {
    if (wiring.seams.empty()) return std::nullopt;
    Seams seams;
    seams.count = static_cast<std::uint32_t>(wiring.seamCount());
    seams.offset = program.data.add(wordsAsBytes(wiring.seams), 64);
    seams.saved = wiring.saved;
    seams.span = target::kSeamSpan;
    seams.seamsInSpan = wiring.seamsInSpan;
    return seams;
}

Segments segmentsOf(Program& program, ir::ClassId cls, const Wiring& wiring,
                    std::vector<std::uint32_t> rows) {
    Segments segments{wiring.rowWidth, std::move(rows), OneRow{}};
    if (program.options.ledger.ask(
            rules::Rule::DataTables, rules::Subject::ofClass(cls.index),
            {{rules::Condition::ManyRuns, segments.count(), target::kRowsInCode}},
            segments.count() > 1 ? 1 : 0))
        segments.place = RowsInData{program.data.add(wordsAsBytes(segments.rows), 64)};
    else if (segments.count() > 1)
        segments.place = RowsInCode{};
    return segments;
}

/// What a parameter goes on by with the instance, if that is not told while running.
std::optional<std::int64_t> strideOf(const Parameter& parameter) {
    if (const auto* region = std::get_if<InRegion>(&parameter.argument)) return region->perInstance;
    const auto* row = std::get_if<InRow>(&parameter.argument);
    if (row == nullptr || row->slot == Slot::Either) return std::nullopt;
    return row->stride;
}

/// LoopPlan::filledWord.
std::uint32_t filledWord(const Program& program, ir::ClassId cls, const LoopPlan& loop) {
    const Walk& walk = *loop.find(WalkKind::Segment);
    if (!program.options.lanes || !program.facts.classes[cls.index].fillsLanesInRounds) return 0;
    bool isAsIs = !loop.seams && !walk.told.context && !walk.told.instance;
    std::uint32_t narrowest = 8;
    for (const Parameter& parameter : walk.parameters) {
        const std::optional<std::int64_t> stride = strideOf(parameter);
        isAsIs = isAsIs && stride && *stride >= 0 && *stride <= 1;
        narrowest = std::min(narrowest, plan::storageBytes(parameter.type));
    }
    return program.options.ledger.ask(rules::Rule::FilledVectors,
                                      rules::Subject::ofClass(cls.index),
                                      {{rules::Condition::AsIsInRounds, isAsIs}})
               ? narrowest
               : 0;
}

}  // namespace

std::int64_t instanceStride(const Parameter& parameter) { return strideOf(parameter).value_or(0); }

Checks checksOf(WalkKind kind) {
    switch (kind) {
    case WalkKind::Segment:
    case WalkKind::Strided:
    case WalkKind::Seams: return Checks::Test;
    case WalkKind::Ahead:
    case WalkKind::AheadAtSeams: return Checks::Collect;
    case WalkKind::Sure:
    case WalkKind::SureAtSeams: return Checks::Skip;
    }
    return Checks::Test;
}

bool isAtSeams(WalkKind kind) {
    return kind == WalkKind::Seams || kind == WalkKind::AheadAtSeams
           || kind == WalkKind::SureAtSeams;
}

const Walk* LoopPlan::find(WalkKind kind) const {
    const auto walk =
        std::find_if(walks.begin(), walks.end(), [&](const Walk& w) { return w.kind == kind; });
    return walk == walks.end() ? nullptr : &*walk;
}

LoopPlan decideLoop(Program& program, std::uint32_t kernel) {
    LoopPlan loop;
    loop.cls = program.plan.kernels[kernel].cls;
    const Wiring wiring = wire(program, loop.cls);
    for (const WalkKind kind : walksOf(program, loop.cls, wiring)) {
        loop.walks.push_back(WalkPlanner(program, loop.cls, wiring, kind).plan());
        loop.walks.back().function = {kernel, static_cast<std::uint32_t>(loop.walks.size() - 1)};
    }
    loop.usualStrides = usualStrides(wiring);
    loop.common = commonVariables(program, loop.cls);
    loop.seams = seamsOf(program, wiring);
    const bool isChecked = !wiring.exactRows.empty();
    loop.segments =
        segmentsOf(program, loop.cls, wiring, isChecked ? wiring.exactRows : wiring.rows);
    if (isChecked) {
        const std::uint64_t offset = program.data.add(wordsAsBytes(wiring.rows), 64);
        loop.joined = Segments{wiring.rowWidth, wiring.rows, RowsInData{offset}};
    }
    loop.filledWord = filledWord(program, loop.cls, loop);
    loop.filledInstances = target::kFilledInstances;
    return loop;
}

}  // namespace smec::codegen::cpp
