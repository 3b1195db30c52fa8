#include "engine/state_bytes.h"

#include "engine/state_layout.h"
#include "output/error.h"
#include "sme/state_format.h"
#include "values/instances.h"

namespace sme {
namespace {

void writeRun(StateWriter& out, const Model& model, const NameRun& run, StateImage& image) {
    out.text(run.prefix);
    out.number<std::uint8_t>(run.suffix != nullptr);
    out.text(run.suffix ? run.suffix : "");
    out.number(run.index);
    out.number(run.count);
    const std::uint32_t type = typeOf(model, run);
    out.text(shapeOf(model, type));
    out.number<std::uint64_t>(bytesOfValue(model, type));
    for (std::uint32_t i = 0; i < run.count; ++i)
        forEachPiece(model, refOf(model, run, i), [&](const Ref& ref, std::size_t bytes) {
            out.raw(image.at(ref.plane, ref.element) + ref.offset, bytes);
        });
}

/// Whose a group is: paths of the owner's instances.
void writeOwner(StateWriter& out, const Model& model, std::uint32_t owner) {
    std::uint32_t runs = 0;
    for (std::uint32_t i = 0; i < model.instanceRunCount; ++i)
        runs += model.instances[i].cls == owner;
    out.number(owner < model.classCount ? model.classes[owner].body : 0);
    out.number(runs);
    for (std::uint32_t i = 0; i < model.instanceRunCount; ++i) {
        const InstanceRun& run = model.instances[i];
        if (run.cls != owner) continue;
        out.text(run.prefix);
        out.number<std::uint8_t>(run.suffix != nullptr);
        out.text(run.suffix ? run.suffix : "");
        out.number(run.index);
        out.number(run.first);
        out.number(run.count);
    }
}

[[noreturn]] void refuseToWrite(const Objects& list) {
    throw Error(ErrorKind::Usage, std::string("the state has objects of the extern process '")
                                      + list.process + "', whose class has no save() and load()");
}

void writeObjects(StateWriter& out, const Model& model, const Snapshot& snapshot) {
    const InstanceIndex instances(model);
    for (const Objects& list : std::span(model.objects, model.objectCount))
        if (ForeignObject::areOutside(functionsOf(list))) refuseToWrite(list);
    out.number(static_cast<std::uint32_t>(snapshot.objects.size()));
    for (const Snapshot::Object& kept : snapshot.objects) {
        const Objects& list = model.objects[kept.list];
        const std::uint32_t owner = model.planes[list.plane].owner;
        const InstanceRun* run =
            owner < model.classCount ? instances.find(owner, kept.instance) : nullptr;
        out.text(pathOf(run, kept.instance));
        const bool isSaved = kept.object.visitSaved([&](std::string_view bytes) {
            out.number<std::uint64_t>(bytes.size());
            out.raw(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size());
        });
        if (!isSaved) refuseToWrite(list);
    }
}

void writeHidden(StateWriter& out, const Model& model, StateImage& image) {
    const std::vector<HiddenGroup> groups = hiddenGroups(model);
    out.text(groups.empty() ? "" : kHiddenPlanes);
    if (groups.empty()) return;
    out.number(static_cast<std::uint32_t>(groups.size()));
    for (const HiddenGroup& group : groups) {
        writeOwner(out, model, group.owner);
        out.number(static_cast<std::uint32_t>(group.planes.size()));
        for (const std::uint32_t index : group.planes) {
            const Plane& plane = model.planes[index];
            const std::uint32_t bytes = model.types[plane.type].bytes;
            out.text(shapeOf(model, plane.type));
            out.number<std::uint64_t>(plane.instances);
            out.number(bytes);
            out.raw(image.at(index, 0), std::size_t{plane.instances} * bytes);
        }
    }
}

}  // namespace

std::vector<std::byte> toBytes(const Model& model, const Snapshot& snapshot) {
    StateWriter out;
    out.begin({snapshot.design, model.name, snapshot.cycle, snapshot.seed.value_or(0),
               snapshot.memory.empty()});
    if (snapshot.memory.empty()) return out.take();

    std::vector<std::byte> memory = snapshot.memory;
    StateImage image(model, memory, snapshot.cycle);
    std::uint32_t runs = 0;
    for (std::uint32_t i = 0; i < model.nameRunCount; ++i)
        runs += isKept(model.names[i]);
    out.number(runs);
    for (std::uint32_t i = 0; i < model.nameRunCount; ++i)
        if (isKept(model.names[i])) writeRun(out, model, model.names[i], image);
    writeObjects(out, model, snapshot);
    writeHidden(out, model, image);
    return out.take();
}

}  // namespace sme
