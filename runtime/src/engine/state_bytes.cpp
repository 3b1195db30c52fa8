#include "engine/state_bytes.h"

#include "engine/state_layout.h"
#include "engine/state_objects.h"
#include "engine/state_skeleton.h"
#include "sme/state_format.h"

namespace sme {
namespace {

void writeValues(StateWriter& out, const Model& model, const ValueRun& run, StateImage& image) {
    if (!run.names) {
        const HiddenValue& value = run.hidden;
        const Plane& plane = model.planes[value.plane];
        const std::size_t bytes = model.types[value.type].bytes;
        if (value.type == plane.type)
            return out.raw(image.at(value.plane, 0), plane.instances * bytes);
        for (std::uint32_t i = 0; i < plane.instances; ++i)
            out.raw(image.at(value.plane, i) + value.offset, bytes);
        return;
    }
    for (std::uint32_t i = 0; i < run.names->count; ++i)
        forEachPiece(model, refOf(model, *run.names, i), [&](const Ref& ref, std::size_t bytes) {
            out.raw(image.at(ref.plane, ref.element) + ref.offset, bytes);
        });
}

}  // namespace

std::vector<std::byte> headOfState(const Model& model, const Snapshot& snapshot) {
    StateWriter out;
    out.begin({snapshot.design, model.name, snapshot.cycle, snapshot.seed.value_or(0),
               snapshot.memory.empty()});
    return out.take();
}

std::vector<std::byte> toBytes(const Model& model, const Snapshot& snapshot) {
    StateWriter out;
    const std::vector<std::byte> head = headOfState(model, snapshot);
    out.raw(head.data(), head.size());
    if (snapshot.memory.empty()) return out.take();

    std::vector<std::byte> memory = snapshot.memory;
    StateImage image(model, memory, snapshot.cycle);
    const PlannedState plan = planState(model);
    const auto write = [&](const std::vector<StatePiece>& pieces,
                           const std::vector<ValueRun>& runs) {
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            out.raw(pieces[i].text.data(), pieces[i].text.size());
            if (i < runs.size()) writeValues(out, model, runs[i], image);
        }
    };
    write(plan.skeleton.named, plan.named);
    out.number(static_cast<std::uint32_t>(snapshot.objects.size()));
    writeObjects(out, model, snapshot.objects);
    write(plan.skeleton.hidden, plan.hidden);
    return out.take();
}

}  // namespace sme
