#include "codegen/cpp/decide/program.h"

#include <algorithm>
#include <map>
#include <utility>

#include "codegen/cpp/decide/decide.h"
#include "codegen/cpp/decide/shared_walks.h"
#include "codegen/cpp/decide/unit_uses.h"
#include "codegen/cpp/target.h"
#include "source/internal_error.h"

namespace smec::codegen::cpp {
namespace {

Returns returnsOf(const ir::Function& function, const Needs& needs) {
    if (needs.fails) return Returns::Status;
    const bool isScalar = function.results.size() == 1 && !function.results[0].isArray();
    return isScalar ? Returns::Value : Returns::Nothing;
}

void analyseBodies(Program& program) {
    const ir::Design& design = program.design;
    const rules::Asker& ledger = program.options.ledger;
    for (std::size_t i = 0; i < design.functions.size(); ++i) {
        const ir::Function& function = design.functions[i];
        program.functions.push_back(analyse(BodyOf::Function, function.body,
                                            program.facts.functions[i], program.functionNeeds,
                                            ledger, rules::Subject::ofFunction(std::uint32_t(i))));
        Needs needs = program.functions.back().needs;
        needs.fails = needs.fails || function.mayFail;
        if (isCalledOnce(function)) needs.context = needs.instance = true;
        program.functionNeeds.push_back(needs);
        program.returns.push_back(returnsOf(function, needs));
    }
    for (std::size_t i = 0; i < design.classes.size(); ++i) {
        program.classes.push_back(analyse(BodyOf::Process, design.classes[i].body,
                                          program.facts.classes[i], program.functionNeeds, ledger,
                                          rules::Subject::ofClass(std::uint32_t(i))));
    }
}

/// Whether tables of so many bytes lie in tables.bin; noted for `count` of them.
bool liesInData(const Program& program, std::size_t bytes, std::uint32_t count) {
    return program.options.ledger.ask(rules::Rule::DataTables, rules::Subject::design(),
                                      {{rules::Condition::ManyBytes, bytes, target::kTableBytes}},
                                      count);
}

/// Constant arrays up to some size are C++; larger ones lie in tables.bin.
void placeTables(Program& program) {
    std::map<bool, std::pair<std::size_t, std::uint32_t>> largest;  // by place: bytes, how many
    for (const ir::Table& table : program.design.tables) {
        const std::size_t bytes = table.values.size() * plan::storageBytes(table.type.scalar);
        const bool isInData = liesInData(program, bytes, 0);
        auto& [most, count] = largest[isInData];
        most = std::max(most, bytes);
        ++count;
        program.tableOffsets.emplace_back();
        if (isInData)
            program.tableOffsets.back() =
                program.tables.add(storedBytes(table.values, table.type.scalar), 64);
    }
    for (const auto& [isInData, found] : largest)
        liesInData(program, found.first, found.second);
}

KernelPlan decideKernel(Program& program, std::uint32_t index) {
    const plan::Kernel& kernel = program.plan.kernels[index];
    switch (kernel.kind) {
    case plan::KernelKind::Loop: return decideLoop(program, index);
    case plan::KernelKind::Block: return decideBlock(program, kernel);
    case plan::KernelKind::Ordered: return decideOrdered(program, kernel);
    case plan::KernelKind::Merged: return decideMerged(kernel, index);
    }
    throw InternalError("codegen: a kernel of no kind");
}

/// Unit by unit, so that what an edit adds to model.bin moves little of the rest.
void decideKernels(Program& program) {
    program.kernels.resize(program.plan.kernels.size());
    for (std::uint32_t i = 0; i < program.plan.units.size(); ++i) {
        const plan::TranslationUnit& unit = program.plan.units[i];
        for (const std::uint32_t index : unit.kernels)
            program.kernels[index] = decideKernel(program, index);
        shareWalks(program, unit);
        program.units.push_back(usesOf(program, i));
    }
}

}  // namespace

Program decide(const ir::Design& design, const plan::Plan& plan, const plan::Facts& facts,
               const SourceManager& sources, const Options& options) {
    Program program{design, plan, facts, sources, options};
    placeTables(program);
    analyseBodies(program);
    program.arguments = siteArguments(design, program.classes, program.functions);
    decideKernels(program);
    program.model = decideModel(program);
    return program;
}

bool isUniform(const ir::InitialData& initial) { return initial.values.isUniform(); }

const ir::Constant& initialOf(const ir::Plane& plane, std::uint32_t instance,
                              std::uint32_t element) {
    const std::size_t index = plane.initial.perInstance
                                  ? instance * plane.ownType().elements() + element
                                  : element % plane.type.elements();
    require(index < plane.initial.values.size(), "codegen: plane without initial values");
    return plane.initial.values[index];
}

std::uint64_t addInitial(DataFile& data, const ir::Plane& plane) {
    const std::uint32_t one = plan::storageBytes(plane.type.scalar) == 16 ? 16 : 8;
    return data.add(storedBytes(plane.initial.values, plane.type.scalar),
                    plane.initial.values.size() > 1 ? 64 : one);
}

std::uint64_t elementIndex(const Program& program, ir::PlaneId plane, std::int64_t instance) {
    const plan::Placement& place = program.plan.placements[plane.index];
    return place.offset / place.bytesPerElement
           + static_cast<std::uint64_t>(instance)
                 * program.design.planes[plane.index].type.elements();
}

std::uint64_t elementDistance(const Program& program, ir::PlaneId plane) {
    if (program.plan.storage[plane.index].order == plan::Order::ByInstance) return 1;
    const plan::Placement& place = program.plan.placements[plane.index];
    return place.bytesToNext / place.bytesPerElement;
}

}  // namespace smec::codegen::cpp
