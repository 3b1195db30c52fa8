// A cycle may go unseen where nothing can end the run in it: a design that traces, fails, stops or
// calls foreign code always stores everything.

#include "codegen/cpp/decide/block_fields.h"

#include <algorithm>

#include "codegen/cpp/decide/published.h"
#include "codegen/cpp/decide/touched.h"

namespace smec::codegen::cpp {
namespace {

bool mayGoUnseen(const Program& program) {
    return std::ranges::none_of(program.classes,
                                [](const BodyInfo& info) {
                                    // whoever traces, fails or stops says which instance does
                                    return info.needs.instance || info.needs.rounds;
                                })
           && std::ranges::none_of(program.design.functions, [](const ir::Function& function) {
                  return function.callsForeign;
              });
}

/// Whether it is a scalar that begins each cycle anew.
bool isScalar(const ir::Plane& plane) { return !plane.ownType().isArray() && !plane.hold; }

}  // namespace

BlockFields::BlockFields(const Program& program, const plan::Kernel& kernel)
    : program_(program), isQuiet_(kernel.isWhole && mayGoUnseen(program)) {
    if (!isQuiet_) return;
    uses_.resize(program.design.planes.size());
    variables_.resize(program.design.planes.size());
    for (std::size_t i = 0; i < uses_.size(); ++i)
        uses_[i].resize(program.design.planes[i].instances, 0);
    for (const plan::InstanceRef& step : kernel.steps)
        note(step);
    for (std::size_t i = 0; i < program.classes.size(); ++i)
        notePublished(program.design.classes[i], program.classes[i]);
}

void BlockFields::notePublished(const ir::Class& cls, const BodyInfo& info) {
    if (cls.combinational) return;
    for (const auto& [output, variable] : publishedVariables(cls.body, info)) {
        const ir::PlaneId plane = cls.outputs[cls.body.locals[output].slot].plane;
        if (isScalar(program_.design.planes[plane.index]))
            variables_[plane.index] = cls.state[cls.body.locals[variable].slot];
    }
}

std::optional<AtElement> BlockFields::variableOf(ir::PlaneId plane, std::uint32_t element) const {
    if (!isForLookers(plane, element) || !variables_[plane.index]) return std::nullopt;
    return AtElement{Base::State, elementIndex(program_, *variables_[plane.index], element)};
}

void BlockFields::note(const plan::InstanceRef& step) {
    const ir::Class& cls = program_.design.classes[step.cls.index];
    const BodyInfo& info = program_.classes[step.cls.index];
    const Touched touched = touchedBy(cls, info);
    for (std::uint32_t slot = 0; slot < cls.outputs.size(); ++slot) {
        const ir::PlaneId plane = cls.outputs[slot].plane;
        if (touched.outputs[slot] == UINT32_MAX || !isScalar(program_.design.planes[plane.index]))
            continue;
        uses_[plane.index][step.instance] |= kWritten;
    }
    for (const auto& [input, element] : info.elements)
        note(cls.inputs[input].elements[element], step.instance, kReadByStep);
    for (const std::uint32_t input : info.selected)
        for (const ir::Connection& connection : cls.inputs[input].elements)
            note(connection, step.instance, kReadInMemory);
}

void BlockFields::note(const ir::Connection& connection, std::uint32_t instance, Use use) {
    for (const ir::Run& run : connection.runs) {
        if (instance < run.first || instance - run.first >= run.count) continue;
        const std::int64_t element = run.start + (instance - run.first) * run.stride;
        const bool isInCycle = program_.design.planes[run.plane.index].combinational;
        uses_[run.plane.index][static_cast<std::size_t>(element)] |= isInCycle ? use
                                                                     : use == kReadByStep
                                                                         ? kReadLater
                                                                         : kReadInMemory;
    }
}

bool BlockFields::isForLookers(ir::PlaneId plane, std::uint32_t element) const {
    if (!isQuiet_) return false;
    const std::uint8_t uses = uses_[plane.index][element];
    const bool isInMemory = (uses & kReadLater) != 0 && !variables_[plane.index];
    return (uses & kWritten) != 0 && (uses & kReadInMemory) == 0 && !isInMemory;
}

bool BlockFields::isOfBlock(ir::PlaneId plane, std::uint32_t element) const {
    return isForLookers(plane, element) && (uses_[plane.index][element] & kReadByStep) != 0;
}

}  // namespace smec::codegen::cpp
