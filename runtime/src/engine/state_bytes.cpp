#include "engine/state_bytes.h"

#include "engine/state_layout.h"
#include "engine/state_objects.h"
#include "engine/state_skeleton.h"
#include "sme/state_format.h"

namespace sme {
namespace {

void writeValues(StateWriter& out, const Model& model, const NameRun& run, StateImage& image) {
    for (std::uint32_t i = 0; i < run.count; ++i)
        forEachPiece(model, refOf(model, run, i), [&](const Ref& ref, std::size_t bytes) {
            out.raw(image.at(ref.plane, ref.element) + ref.offset, bytes);
        });
}

}  // namespace

std::vector<std::byte> headOfState(const Model& model, const Snapshot& snapshot) {
    StateWriter out;
    out.begin({snapshot.design, model.name, snapshot.cycle, snapshot.activations,
               snapshot.seed.value_or(0), snapshot.memory.empty()});
    return out.take();
}

std::vector<std::byte> toBytes(const Model& model, const Snapshot& snapshot) {
    StateWriter out;
    const std::vector<std::byte> head = headOfState(model, snapshot);
    out.raw(head.data(), head.size());
    if (snapshot.memory.empty()) return out.take();

    Snapshot copy{snapshot.design, snapshot.cycle, snapshot.activations, snapshot.memory};
    StateImage image(model, copy);
    const PlannedState plan = planState(model);
    const auto write = [&](const std::vector<StatePiece>& pieces,
                           const std::vector<const NameRun*>& runs) {
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            out.raw(pieces[i].text.data(), pieces[i].text.size());
            if (i < runs.size()) writeValues(out, model, *runs[i], image);
        }
    };
    write(plan.skeleton.named, plan.named);
    out.number(static_cast<std::uint32_t>(snapshot.objects.size()));
    writeObjects(out, model, snapshot.objects);
    write(plan.skeleton.hidden, plan.hidden);
    return out.take();
}

}  // namespace sme
