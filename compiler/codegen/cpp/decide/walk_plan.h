#pragma once

#include <map>

#include "codegen/cpp/decide/kernel_plan.h"
#include "codegen/cpp/decide/program.h"
#include "codegen/cpp/decide/slot_locals.h"
#include "codegen/cpp/decide/wiring.h"

namespace smec::codegen::cpp {

/// Plans one walk over a loop's instances: its parameters, what is passed for them, and how an
/// activation reaches its values through them. Columns and defaults go to model.bin.
class WalkPlanner {
public:
    WalkPlanner(Program& program, ir::ClassId cls, const Wiring& wiring, WalkKind kind);
    Walk plan();

private:
    bool isAtSeams() const { return cpp::isAtSeams(walk_.kind); }
    /// Without checks a body needs nothing: suitsLanes() lets no other statement pass that does.
    bool tests(bool whole) const { return whole && checksOf(walk_.kind) == Checks::Test; }
    /// At seams pointers to planes and columns start at instance 0.
    std::int64_t fromBegin(std::uint64_t length) const;
    ParameterId add(ParameterUse use, std::uint32_t of, const ir::Scalar& type, Argument argument,
                    std::optional<std::uint32_t> element = {});

    void addPort(const Port& port);
    Access gathered(const Port& port, const ir::Scalar& type);
    Access strided(const Port& port, const ir::Scalar& type);
    Access withStep(const Port& port, const ir::Scalar& type);
    Undriven afterBorder(const Port& port);
    void addSelection(std::uint32_t input);
    void addColumn(std::uint32_t column);
    bool usesReferences() const;
    bool isInBranches(ir::LocalId local) const;
    void addState();
    Access commonValue(std::uint32_t slot);
    void addSaved();
    void addOutputs();
    Access planeAccess(ParameterUse use, std::uint32_t slot, ir::PlaneId plane, Base base);
    Access defaultOf(std::uint32_t slot, const ir::Plane& plane);
    Selects selects() const;
    bool isForLanes() const;
    bool hasStages() const;
    void addStages();
    WalkFunction compiled() const;

    Program& program_;
    const ir::ClassId id_;
    const ir::Class& cls_;
    const BodyInfo& info_;
    const plan::BodyFacts& facts_;
    const Wiring& wiring_;
    const SlotLocals slotLocals_;
    Walk walk_;
    std::map<std::uint64_t, ParameterId> borders_;  ///< columns of flags, by their place
};

}  // namespace smec::codegen::cpp
