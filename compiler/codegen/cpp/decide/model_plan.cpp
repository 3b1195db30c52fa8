#include "codegen/cpp/decide/model_plan.h"

#include <algorithm>

#include "codegen/cpp/decide/program.h"
#include "codegen/cpp/target.h"
#include "ir/visit.h"

namespace smec::codegen::cpp {
namespace {

// ---------------------------------------------------------------- planes

bool isZeroBits(const ir::Constant& value, const ir::Scalar& scalar) {
    std::string stored;
    appendStored(stored, value, scalar);
    return stored.find_first_not_of('\0') == std::string::npos;
}

/// A large memory whose elements are all alike needs no copy of its contents in model.bin.
bool isOneElement(const Program& program, std::uint32_t index) {
    const ir::Plane& plane = program.design.planes[index];
    const ir::Constants& values = plane.initial.values;
    const rules::Finding length{rules::Condition::LongList, values.size(), target::kListedElements};
    return plane.kind != ir::PlaneKind::Input && length.holds() && values.isUniform()
           && program.options.ledger.ask(rules::Rule::UniformMemories,
                                         rules::Subject::ofPlane(index), {length});
}

void placeInitial(Program& program, std::uint32_t index, PlaneRow& row) {
    const ir::Plane& plane = program.design.planes[index];
    const bool isZero = plane.initial.values.all(
        [&](const ir::Constant& value) { return isZeroBits(value, plane.type.scalar); });
    if (isZero) return;
    if (isOneElement(program, index)) {
        row.initial = InitialKind::Elements;
        row.initialOffset = program.data.add(
            storedBytes(std::vector<ir::Constant>{plane.initial.values[0]}, plane.type.scalar), 8);
        return;
    }
    row.initial = plane.initial.perInstance ? InitialKind::Column : InitialKind::Uniform;
    row.initialOffset = addInitial(program.data, plane);
}

PlaneRow rowOf(Program& program, std::uint32_t index, TypeTable& types) {
    const ir::Plane& plane = program.design.planes[index];
    PlaneRow row{types.of(plane), program.plan.storage[index].home, InitialKind::Zero, 0};
    placeInitial(program, index, row);
    return row;
}

// ---------------------------------------------------------------- sites

ArgumentKind kindOf(const ir::ArgFormat& format, const Shown& shown) {
    if (format.type == ir::ExprType::Bool) return ArgumentKind::Bool;
    if (format.type == ir::ExprType::F32) return ArgumentKind::F32;
    if (format.type == ir::ExprType::F64) return ArgumentKind::F64;
    if (shown.isTyped) return ArgumentKind::Typed;
    return shown.isSigned ? ArgumentKind::Signed : ArgumentKind::Unsigned;
}

std::vector<ArgumentRow> argumentsOf(const ir::TraceSite& site, const std::vector<Shown>& arguments,
                                     TypeTable& types) {
    std::vector<ArgumentRow> rows;
    for (std::size_t i = 0; i < site.args.size(); ++i) {
        const ir::ArgFormat& format = site.args[i];
        const Shown& shown = arguments.at(i);
        const std::uint32_t type =
            shown.isTyped ? types.ofScalar(shown.scalar, format.enumeration, {}) : 0;
        rows.push_back({kindOf(format, shown), format.bits, type});
    }
    return rows;
}

SiteRows sitesOf(const ir::Body& body, const SiteArguments& arguments, TypeTable& types) {
    SiteRows sites;
    for (std::size_t i = 0; i < body.traces.size(); ++i)
        sites.traces.push_back(argumentsOf(body.traces[i], arguments.traces[i], types));
    for (std::size_t i = 0; i < body.fails.size(); ++i)
        sites.fails.push_back(argumentsOf(body.fails[i].text, arguments.fails[i], types));
    return sites;
}

// ---------------------------------------------------------------- work

/// Whose work a kernel is: instance i of each part, or all of them where it is indivisible.
std::vector<plan::OrderedRow> partsOf(const ir::Design& design, const plan::Kernel& kernel) {
    const auto whole = [&](ir::ClassId cls) {
        return plan::OrderedRow{cls, 0, design.classes[cls.index].instances};
    };
    std::vector<plan::OrderedRow> parts;
    switch (kernel.kind) {
    case plan::KernelKind::Loop: return {whole(kernel.cls)};
    case plan::KernelKind::Ordered: return kernel.rows;
    case plan::KernelKind::Merged:
        for (const ir::ClassId part : kernel.parts)
            parts.push_back(whole(part));
        return parts;
    case plan::KernelKind::Block: break;
    }
    for (const plan::InstanceRef& step : kernel.steps) {
        if (!parts.empty() && parts.back().cls == step.cls && parts.back().end == step.instance)
            ++parts.back().end;
        else
            parts.push_back({step.cls, step.instance, step.instance + 1});
    }
    return parts;
}

/// Into how many parts the plan may split it at most.
std::uint64_t instancesOf(const ir::Design& design, const plan::Kernel& kernel) {
    if (kernel.kind == plan::KernelKind::Loop) return kernel.processes;
    if (kernel.kind == plan::KernelKind::Merged)
        return design.classes[kernel.parts.front().index].instances;
    return 1;
}

/// Process steps of one instance (Loop, Merged) or in all. Delay lines are no processes.
std::uint64_t stepsOf(const ir::Design& design, const plan::Kernel& kernel) {
    const auto isProcess = [&](ir::ClassId cls) { return !design.classes[cls.index].isDelayLine; };
    if (kernel.kind == plan::KernelKind::Loop) return isProcess(kernel.cls) ? 1 : 0;
    if (kernel.kind == plan::KernelKind::Merged)
        return static_cast<std::uint64_t>(
            std::count_if(kernel.parts.begin(), kernel.parts.end(), isProcess));
    if (kernel.kind != plan::KernelKind::Block) return kernel.processes;
    return static_cast<std::uint64_t>(
        std::count_if(kernel.steps.begin(), kernel.steps.end(),
                      [&](const auto& step) { return isProcess(step.cls); }));
}

std::vector<WorkRow> workOf(const Program& program) {
    std::vector<WorkRow> work;
    for (std::uint32_t i = 0; i < program.plan.kernels.size(); ++i) {
        const plan::Kernel& kernel = program.plan.kernels[i];
        if (!kernel.scheduled) continue;
        work.push_back({i, instancesOf(program.design, kernel), stepsOf(program.design, kernel),
                        partsOf(program.design, kernel)});
    }
    return work;
}

/// Rows of sme::Read: what the bodies of a class read of processes.
void appendReads(const Program& program, std::uint32_t index, std::vector<std::uint32_t>& words) {
    const ir::Class& cls = program.design.classes[index];
    const BodyInfo& info = program.classes[index];
    const auto append = [&](const ir::Connection& connection) {
        for (const ir::Run& run : connection.runs) {
            if (program.design.planes[run.plane.index].kind != ir::PlaneKind::Output) continue;
            words.insert(words.end(), {index, run.first, run.count, run.plane.index, run.start,
                                       static_cast<std::uint32_t>(run.stride)});
        }
    };
    for (const auto& [input, element] : info.uses->elements)
        append(cls.inputs[input].elements[element]);
    for (const std::uint32_t input : info.uses->selected)
        for (const ir::Connection& connection : cls.inputs[input].elements)
            append(connection);
}

void placeReads(Program& program, ModelPlan& model) {
    std::vector<std::uint32_t> words;
    for (std::uint32_t i = 0; i < program.design.classes.size(); ++i)
        appendReads(program, i, words);
    if (words.empty()) return;
    model.readsOffset = program.data.add(wordsAsBytes(words), 64);
    model.readCount = words.size() / 6;
}

// ---------------------------------------------------------------- names, effects

NameRow rowOf(const ir::Design& design, const ir::NameRun& run, TypeTable& types) {
    const ir::Plane& plane = design.planes[run.plane.index];
    const bool startsAnew =
        plane.kind == ir::PlaneKind::State && design.classes[plane.owner.index].combinational;
    NameRow row{startsAnew, {}};
    if (run.shape) row.type = types.ofShape(*run.shape);
    return row;
}

Effects effectsOf(const Program& program) {
    Effects effects;
    for (const BodyInfo& info : program.classes) {
        effects.stops = effects.stops || info.needs.stops;
        effects.fails = effects.fails || info.needs.fails;
        effects.prints = effects.prints || !info.body->traces.empty();
    }
    for (const ir::Function& function : program.design.functions) {
        if (ir::isCalledOnce(function)) effects.isOnce = true;
        if (function.external && function.external->isSerial) effects.isSerial = true;
        if (function.external) effects.trustsValues = true;
    }
    return effects;
}

}  // namespace

ModelPlan decideModel(Program& program) {
    const ir::Design& design = program.design;
    TypeTable types(design);
    ModelPlan model;
    for (std::uint32_t i = 0; i < design.planes.size(); ++i)
        model.planes.push_back(rowOf(program, i, types));
    for (std::size_t i = 0; i < design.classes.size(); ++i)
        model.sites.push_back(sitesOf(design.classes[i].body, program.arguments[i], types));
    model.work = workOf(program);
    if (program.options.ledger.ask(rules::Rule::Flows, rules::Subject::design()))
        model.flows = plan::flowsOf(design, program.plan);
    for (const ir::NameRun& run : design.names)
        model.names.push_back(rowOf(design, run, types));
    for (const ir::NameRun& run : design.hiddenNames)
        model.hiddenNames.push_back(rowOf(design, run, types));
    model.effects = effectsOf(program);
    placeReads(program, model);
    model.types = types.take();
    return model;
}

}  // namespace smec::codegen::cpp
