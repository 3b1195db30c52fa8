// Hidden parts, as the interpreter has them:
//
//   fields that are delayed:  path, shape, how many values, what is under way
//   processes:                path, mark of the body, length of what follows: where it is in its
//                             body, variables without a name, random numbers, counts of covers

#include <string>
#include <unordered_map>

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

class HiddenWriter {
public:
    HiddenWriter(const Simulation& simulation, const State& state, StateWriter& out)
        : design_(simulation.design()), network_(simulation.network()), state_(state), out_(out) {}

    void write(const std::vector<Root>& roots) {
        std::vector<std::size_t> delayed, hiding;
        for (std::size_t i = 0; i < state_.underway.size(); ++i)
            if (!state_.underway[i].empty()) delayed.push_back(i);
        for (std::size_t i = 0; i < state_.activities.size(); ++i)
            if (hidesState(i)) hiding.push_back(i);
        if (delayed.empty() && hiding.empty()) return out_.text("");
        out_.text(sme::kHiddenBodies);
        std::unordered_map<std::uint32_t, const Root*> fields;
        for (const Root& root : roots)
            if (!root.isVariable) fields.emplace(root.field, &root);
        out_.number(static_cast<std::uint32_t>(delayed.size()));
        for (const std::size_t i : delayed)
            writeDelayed(fields.at(network_.registers[i].field)->name, i);
        out_.number(static_cast<std::uint32_t>(hiding.size()));
        for (const std::size_t i : hiding)
            writeProcess(network_.processes[i], state_.activities[i]);
    }

private:
    bool hidesState(std::size_t process) const {
        const hir::Body& body = network_.processes[process].spec->body;
        return body.canWait || body.usesRandom || !state_.activities[process].covers.empty();
    }

    void writeDelayed(const std::string& path, std::size_t number) {
        const TypeId type = network_.registers[number].type;
        out_.text(path);
        out_.text(shapeOf(design_.types, type));
        out_.number(static_cast<std::uint32_t>(state_.underway[number].size()));
        StateWriter values;
        for (const Value& value : state_.underway[number])
            writeValue(values, type, value);
        const std::vector<std::byte> bytes = values.take();
        out_.number<std::uint64_t>(bytes.size());
        out_.raw(bytes.data(), bytes.size());
    }

    void writeProcess(const Process& process, const State::Activity& activity) {
        StateWriter parts;
        writeActivity(parts, process, activity);
        const std::vector<std::byte> bytes = parts.take();
        const auto [mark, isNew] = marks_.try_emplace(process.spec, 0);
        if (isNew) mark->second = markOf(design_, *process.spec);
        out_.text(hir::pathOf(design_, process.id));
        out_.number(mark->second);
        out_.number<std::uint64_t>(bytes.size());
        out_.raw(bytes.data(), bytes.size());
    }

    void writeValue(StateWriter& out, TypeId type, const Value& value) {
        bytes_.clear();
        appendBytes(design_.types, type, value, bytes_);
        out.raw(bytes_.data(), bytes_.size());
    }

    void writeActivity(StateWriter& out, const Process& process, const State::Activity& activity) {
        out.number(activity.cyclesToWait);
        out.number(activity.waitUntil.index);
        out.number(activity.randomState);
        out.number(static_cast<std::uint32_t>(activity.covers.size()));
        for (const CoverCount& cover : activity.covers) {
            out.number(cover.cycles);
            out.number(cover.lastCycle);
        }
        if (!process.spec->body.canWait) return;
        const Value* vars = &state_.variables[network_.firstVariable(process)];
        const std::vector<hir::Variable>& declared = process.spec->body.vars;
        for (std::size_t i = 0; i < declared.size(); ++i) {
            if (declared[i].kind == hir::VarKind::Process) continue;
            const bool isSet = isOfType(vars[i], declared[i].type);
            out.number<std::uint8_t>(isSet);
            if (isSet) writeValue(out, declared[i].type, vars[i]);
        }
        const Blocks blocks(process.spec->body.statements);
        out.number(static_cast<std::uint32_t>(activity.frames.size()));
        for (const Frame& frame : activity.frames) {
            out.number(blocks.numbers.at(frame.block));
            out.number(static_cast<std::uint32_t>(frame.next));
            out.number<std::uint8_t>(frame.started);
            out.number<std::uint8_t>(frame.down);
            out.text(frame.countLoop ? toInteger(frame.last).str() : "");
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
    std::unordered_map<const hir::Specialisation*, std::uint64_t> marks_;
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
    HiddenWriter(simulation, state, out).write(roots);
    return out.take();
}

}  // namespace smec::interp
