#include <string>
#include <vector>

#include <fmt/format.h>

#include "interp/hidden_values.h"
#include "interp/names.h"
#include "interp/options.h"
#include "interp/state_bytes.h"
#include "interp/value_bytes.h"
#include "sme/state_format.h"
#include "source/internal_error.h"

namespace smec::interp {
namespace {

using sme::StateWriter;

void writePaths(StateWriter& out, const PathRun& run) {
    out.text(run.prefix);
    out.number<std::uint8_t>(run.suffix.has_value());
    out.text(run.suffix.value_or(""));
    out.number(run.index);
    out.number(run.count);
}

void writeHidden(StateWriter& out, const Simulation& simulation, const State& state,
                 const StateForm& form) {
    out.number(static_cast<std::uint32_t>(form.bodies.size()));
    for (const StateForm::Body& body : form.bodies) {
        writePaths(out, body.processes);
        out.number(body.hash);
    }
    out.number(static_cast<std::uint32_t>(form.hidden.size()));
    if (form.hidden.empty()) return;
    const HiddenWriter hidden(simulation, state);
    std::vector<std::byte> bytes;
    for (const StateForm::Hidden& run : form.hidden) {
        writePaths(out, run.names);
        out.text("");
        out.number(run.bytes);
        for (std::uint32_t i = 0; i < run.names.count; ++i) {
            bytes.clear();
            hidden.append(run.names.path(i), run.bytes, bytes);
            require(bytes.size() == run.bytes, "a hidden value of another size");
            out.raw(bytes.data(), bytes.size());
        }
    }
}

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
    const StateForm& form = simulation.stateForm();
    if (form.design == 0)
        throw RunError{kUsage,
                       "this design has no states that can be kept: a simulator of it would have "
                       "more elements in one array than there can be"};
    StateWriter out;
    out.begin({form.design, design.topName, state.cycle, {state.cycle}, state.seed, false});
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
    writeHidden(out, simulation, state, form);
    return out.take();
}

}  // namespace smec::interp
