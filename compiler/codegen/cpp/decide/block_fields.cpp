// Cycles may go unobserved where they can be run once more: not where C++ is called.

#include "codegen/cpp/decide/block_fields.h"

#include <algorithm>

#include "codegen/cpp/decide/published.h"
#include "codegen/cpp/decide/touched.h"

namespace smec::codegen::cpp {
namespace {

bool mayGoUnobserved(const Program& program) {
    using enum rules::Condition;
    const bool isForeign = std::ranges::any_of(program.design.functions, ir::isForeign);
    return program.options.ledger.ask(
        rules::Rule::UnobservedCycles, rules::Subject::design(),
        {{OneBlock, program.plan.kernels.size() == 1}, {NoForeignCode, !isForeign}});
}

/// Whether it is a scalar that begins each cycle anew.
bool isScalar(const ir::Plane& plane) { return !plane.ownType().isArray() && !plane.hold; }

}  // namespace

BlockFields::BlockFields(const Program& program, const plan::Kernel& kernel)
    : program_(program), isUnobserved_(mayGoUnobserved(program)) {
    if (!isUnobserved_) return;
    uses_.resize(program.design.planes.size());
    variables_.resize(program.design.planes.size());
    writers_.resize(program.design.planes.size());
    for (std::size_t i = 0; i < uses_.size(); ++i) {
        uses_[i].resize(program.design.planes[i].instances, 0);
        writers_[i].resize(program.design.planes[i].instances, 0);
    }
    forEachStep(kernel, &BlockFields::noteWrites);
    forEachStep(kernel, &BlockFields::noteReads);
    for (std::size_t i = 0; i < program.classes.size(); ++i)
        notePublished(program.design.classes[i], program.classes[i]);
}

void BlockFields::forEachStep(const plan::Kernel& kernel,
                              void (BlockFields::*note)(const plan::InstanceRef& step,
                                                        std::uint32_t function)) {
    std::uint32_t function = 0;
    for (std::uint32_t i = 0; i < kernel.steps.size(); ++i) {
        if (function < kernel.cuts.size() && kernel.cuts[function] == i) ++function;
        (this->*note)(kernel.steps[i], function);
    }
}

void BlockFields::notePublished(const ir::Class& cls, const BodyInfo& info) {
    if (cls.combinational || !program_.options.ledger.allows(rules::Rule::Mirrors)) return;
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

void BlockFields::noteWrites(const plan::InstanceRef& step, std::uint32_t function) {
    const ir::Class& cls = program_.design.classes[step.cls.index];
    const BodyInfo& info = program_.classes[step.cls.index];
    const Touched touched = touchedBy(cls, info);
    for (std::uint32_t slot = 0; slot < cls.outputs.size(); ++slot) {
        const ir::PlaneId plane = cls.outputs[slot].plane;
        if (touched.outputs[slot] == UINT32_MAX || !isScalar(program_.design.planes[plane.index]))
            continue;
        uses_[plane.index][step.instance] |= kWritten;
        writers_[plane.index][step.instance] = function;
    }
}

void BlockFields::noteReads(const plan::InstanceRef& step, std::uint32_t function) {
    const ir::Class& cls = program_.design.classes[step.cls.index];
    const BodyInfo& info = program_.classes[step.cls.index];
    const Place reader{step.instance, function};
    for (const auto& [input, element] : info.elements)
        note(cls.inputs[input].elements[element], reader, kReadByStep);
    for (const std::uint32_t input : info.selected)
        for (const ir::Connection& connection : cls.inputs[input].elements)
            note(connection, reader, kReadInMemory);
}

void BlockFields::note(const ir::Connection& connection, Place reader, Use use) {
    for (const ir::Run& run : connection.runs) {
        if (reader.instance < run.first || reader.instance - run.first >= run.count) continue;
        const auto element =
            static_cast<std::size_t>(run.start + (reader.instance - run.first) * run.stride);
        const std::uint32_t writer = writers_[run.plane.index][element];
        uses_[run.plane.index][element] |=
            useOf(program_.design.planes[run.plane.index], writer, reader.function, use);
    }
}

/// A later function finds a kept field's variable changed.
BlockFields::Use BlockFields::useOf(const ir::Plane& plane, std::uint32_t writer,
                                    std::uint32_t reader, Use use) const {
    if (use != kReadByStep) return kReadInMemory;
    if (plane.combinational) return writer == reader ? kReadByStep : kReadInMemory;
    return reader <= writer ? kReadLater : kReadInMemory;
}

bool BlockFields::isForLookers(ir::PlaneId plane, std::uint32_t element) const {
    if (!isUnobserved_) return false;
    const std::uint8_t uses = uses_[plane.index][element];
    const bool isInMemory = (uses & kReadLater) != 0 && !variables_[plane.index];
    return (uses & kWritten) != 0 && (uses & kReadInMemory) == 0 && !isInMemory;
}

bool BlockFields::isOfBlock(ir::PlaneId plane, std::uint32_t element) const {
    return isForLookers(plane, element) && (uses_[plane.index][element] & kReadByStep) != 0;
}

}  // namespace smec::codegen::cpp
