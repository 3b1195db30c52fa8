// Hidden parts, as the interpreter has them: a mark of the bodies, then for each field that is
// delayed what is under way, for each process where it is in its body, its variables without a
// name, its random numbers and the counts of its covers.

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "interp/names.h"
#include "interp/options.h"
#include "interp/state_bodies.h"
#include "interp/state_bytes.h"
#include "interp/value_bytes.h"
#include "sme/state_format.h"

namespace smec::interp {
namespace {

using sme::StateWriter;

bool hidesState(const hir::Specialisation& spec) {
    return spec.body.canWait || spec.body.usesRandom;
}

class HiddenWriter {
public:
    HiddenWriter(const Simulation& simulation, const State& state, StateWriter& out)
        : design_(simulation.design()), network_(simulation.network()), state_(state), out_(out) {}

    void write() {
        const bool isDelayed = std::any_of(state_.underway.begin(), state_.underway.end(),
                                           [](const auto& values) { return !values.empty(); });
        const bool isCounted =
            std::any_of(state_.activities.begin(), state_.activities.end(),
                        [](const State::Activity& each) { return !each.covers.empty(); });
        const std::vector<hir::Specialisation>& specs = design_.specs;
        if (!isDelayed && !isCounted && std::none_of(specs.begin(), specs.end(), hidesState)) {
            out_.text("");
            return;
        }
        out_.text(sme::kHiddenBodies);
        out_.number(markOf(design_));
        for (std::size_t i = 0; i < state_.underway.size(); ++i)
            for (const Value& value : state_.underway[i])
                writeValue(network_.registers[i].type, value);
        for (std::size_t i = 0; i < state_.activities.size(); ++i)
            writeActivity(network_.processes[i], state_.activities[i]);
    }

private:
    void writeValue(TypeId type, const Value& value) {
        bytes_.clear();
        appendBytes(design_.types, type, value, bytes_);
        out_.raw(bytes_.data(), bytes_.size());
    }

    void writeActivity(const Process& process, const State::Activity& activity) {
        out_.number(activity.cyclesToWait);
        out_.number(activity.waitUntil.index);
        out_.number(activity.randomState);
        out_.number(static_cast<std::uint32_t>(activity.covers.size()));
        for (const CoverCount& cover : activity.covers) {
            out_.number(cover.cycles);
            out_.number(cover.lastCycle);
        }
        if (!process.spec->body.canWait) return;
        const Value* vars = &state_.variables[network_.firstVariable(process)];
        const std::vector<hir::Variable>& declared = process.spec->body.vars;
        for (std::size_t i = 0; i < declared.size(); ++i) {
            if (declared[i].kind == hir::VarKind::Process) continue;
            const bool isSet = isOfType(vars[i], declared[i].type);
            out_.number<std::uint8_t>(isSet);
            if (isSet) writeValue(declared[i].type, vars[i]);
        }
        const Blocks blocks(process.spec->body.statements);
        out_.number(static_cast<std::uint32_t>(activity.frames.size()));
        for (const Frame& frame : activity.frames) {
            out_.number(blocks.numbers.at(frame.block));
            out_.number(static_cast<std::uint32_t>(frame.next));
            out_.number<std::uint8_t>(frame.started);
            out_.number<std::uint8_t>(frame.down);
            out_.text(frame.countLoop ? toInteger(frame.last).str() : "");
        }
    }

    /// A variable of a block that was not entered has no value yet.
    bool isOfType(const Value& value, TypeId type) const {
        const bool isList =
            design_.types.as<hir::ArrayType>(type) || design_.types.as<hir::StructType>(type);
        return value.isList() == isList && value.isFloat() == design_.types.isFloat(type);
    }

    const hir::Design& design_;
    const Network& network_;
    const State& state_;
    StateWriter& out_;
    std::vector<std::byte> bytes_;
};

void writeObjects(StateWriter& out, const Simulation& simulation, const State& state) {
    const hir::Design& design = simulation.design();
    out.number(static_cast<std::uint32_t>(state.objects.size()));
    for (const State::Object& kept : state.objects) {
        const Process& process = simulation.network().processes[kept.process];
        out.text(hir::pathOf(design, process.id));
        const bool isSaved = kept.object.visitSaved([&](std::string_view bytes) {
            out.number<std::uint64_t>(bytes.size());
            out.raw(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size());
        });
        if (!isSaved)
            throw RunError{kUsage, fmt::format("the state has objects of the extern process '{}', "
                                               "whose class has no save() and load()",
                                               classOf(design, process))};
    }
}

}  // namespace

std::vector<std::byte> toBytes(const Simulation& simulation, const State& state) {
    const hir::Design& design = simulation.design();
    StateWriter out;
    out.begin({0, design.topName, state.cycle, state.seed, false});
    const std::vector<Root> roots = allRoots(design);
    out.number(static_cast<std::uint32_t>(roots.size()));
    std::vector<std::byte> bytes;
    for (const Root& root : roots) {
        out.text(root.name);
        out.number<std::uint8_t>(0);
        out.text("");
        out.number<std::uint64_t>(0);
        out.number<std::uint32_t>(1);
        out.text(shapeOf(design.types, root.type));
        bytes.clear();
        const std::size_t variable =
            root.isVariable
                ? simulation.network().firstVariable(simulation.network().processes[root.process])
                      + root.variable
                : 0;
        appendBytes(design.types, root.type,
                    root.isVariable ? state.variables[variable] : state.read[root.field], bytes);
        out.number<std::uint64_t>(bytes.size());
        out.raw(bytes.data(), bytes.size());
    }
    writeObjects(out, simulation, state);
    HiddenWriter(simulation, state, out).write();
    return out.take();
}

}  // namespace smec::interp
