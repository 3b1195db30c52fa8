#include "codegen/cpp/tables/rows.h"

#include <bit>
#include <map>

#include "plan/plan.h"
#include "source/line_names.h"

namespace smec::codegen::cpp {
namespace {

/// The tables of the places at which processes wait; those who wait at the same ones have one.
class WaitRows {
public:
    WaitRows(const Program& program, ImageBuilder& image) : program_(program), image_(image) {}

    const sme::WaitPlaces* of(const ir::WaitPlaces& waits) {
        std::vector<std::string> names = lineNames(program_.sources, waits.statements);
        const auto [known, isNew] =
            known_.try_emplace({waits.plane.index, std::move(names)}, nullptr);
        if (isNew) known->second = add(waits.plane, known->first.second);
        return known->second;
    }

private:
    const sme::WaitPlaces* add(ir::PlaneId plane, const std::vector<std::string>& names) {
        std::vector<sme::EnumMember> members{{image_.text("start"), 0}};
        for (const std::string& name : names)
            members.push_back({image_.text(name), members.size()});
        sme::WaitPlaces places{};
        places.plane = plane.index;
        places.type.kind = sme::Kind::Enum;
        places.type.width = static_cast<std::uint32_t>(std::bit_width(names.size()));
        places.type.bytes = plan::storageBytes(program_.design.planes[plane.index].type.scalar);
        places.type.name = image_.text("wait");
        places.type.count = narrow(members.size());
        places.type.members = image_.add(members);
        return image_.add(std::span<const sme::WaitPlaces>(&places, 1));
    }

    const Program& program_;
    ImageBuilder& image_;
    /// By plane and names.
    std::map<std::pair<std::uint32_t, std::vector<std::string>>, const sme::WaitPlaces*> known_;
};

sme::InstanceRun instanceRow(const Program& program, std::size_t cls, const ir::InstanceRun& run,
                             ImageBuilder& image) {
    sme::InstanceRun row{};
    row.cls = narrow(cls);
    row.first = run.first;
    row.count = run.count;
    row.prefix = image.text(run.prefix);
    row.suffix = textOrNull(run.suffix, image);
    row.index = run.index;
    row.order = run.order;
    row.orderStride = run.orderStride;
    row.location = locationOf(program, run.range, image);
    row.body = run.body;
    return row;
}

const sme::LeafPlace* leavesOf(const ir::NameRun& run, ImageBuilder& image) {
    std::vector<sme::LeafPlace> rows;
    for (const ir::NameRun::Place& leaf : run.leaves) {
        std::vector<std::uint32_t> elements;
        for (const ir::PlaneId plane : leaf.elements)
            elements.push_back(plane.index);
        rows.push_back({leaf.plane.index, leaf.start, leaf.stride, image.add(elements)});
    }
    return image.add(rows);
}

sme::NameRun nameRow(const Program& program, const ir::NameRun& run, const NameRow& decided,
                     ImageBuilder& image) {
    const bool isUndriven = program.design.planes[run.plane.index].kind == ir::PlaneKind::Undriven;
    sme::NameRun row{};
    row.prefix = image.text(run.prefix);
    row.suffix = textOrNull(run.suffix, image);
    row.index = run.index;
    row.count = run.count;
    row.plane = run.plane.index;
    row.start = run.start;
    row.stride = run.stride;
    row.flags = (run.exposed ? sme::kExposed : 0U) | (run.variable ? sme::kVariable : 0U)
                | (decided.startsAnew ? sme::kStartsAnew : 0U) | (isUndriven ? sme::kUndriven : 0U);
    row.location = locationOf(program, run.range, image);
    if (!run.shape) return row;
    row.type = *decided.type;
    row.leaves = leavesOf(run, image);
    return row;
}

const sme::NameRun* addRuns(const Program& program, const std::vector<ir::NameRun>& runs,
                            const std::vector<NameRow>& decided, ImageBuilder& image) {
    std::vector<sme::NameRun> rows;
    for (std::size_t i = 0; i < runs.size(); ++i)
        rows.push_back(nameRow(program, runs[i], decided[i], image));
    return image.add(rows);
}

}  // namespace

void addInstances(const Program& program, ImageBuilder& image, sme::Model& model) {
    const std::vector<ir::Class>& classes = program.design.classes;
    WaitRows waits(program, image);
    std::vector<sme::InstanceRun> rows;
    for (std::size_t i = 0; i < classes.size(); ++i) {
        for (const ir::InstanceRun& run : classes[i].runs) {
            rows.push_back(instanceRow(program, i, run, image));
            // of processes that keep something alone
            if (run.waits && run.body != 0) rows.back().waits = waits.of(*run.waits);
        }
    }
    model.instances = image.add(rows);
    model.instanceRunCount = narrow(rows.size());
}

void addNames(const Program& program, ImageBuilder& image, sme::Model& model) {
    const ir::Design& design = program.design;
    model.names = addRuns(program, design.names, program.model.names, image);
    model.nameRunCount = narrow(design.names.size());
    model.hiddenNames = addRuns(program, design.hiddenNames, program.model.hiddenNames, image);
    model.hiddenNameCount = narrow(design.hiddenNames.size());
    std::vector<sme::Cover> covers;
    for (std::size_t i = 0; i < design.classes.size(); ++i)
        for (const ir::Cover& cover : design.classes[i].covers)
            covers.push_back({image.text(cover.name), narrow(i), cover.counter.index});
    model.covers = image.add(covers);
    model.coverCount = narrow(covers.size());
}

}  // namespace smec::codegen::cpp
