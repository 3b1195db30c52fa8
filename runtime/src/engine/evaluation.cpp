// A kernel that runs combinational processes among clocked ones is run as a whole: what the clocked
// ones write goes into memory that nobody reads.

#include "engine/evaluation.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <span>
#include <utility>

#include "output/error.h"

namespace sme {
namespace {

constexpr std::uint32_t kNoClass = ~std::uint32_t{0};

std::uint64_t bytesOf(const Model& model, const Plane& plane) {
    return std::uint64_t{plane.instances} * model.types[plane.type].bytes;
}

}  // namespace

Evaluation::Evaluation(const Model& model)
    : model_(model),
      stages_(model),
      scratch_(model),
      instances_(model),
      log_(model, instances_),
      isCombinational_(combinationalClasses()),
      outside_(isCombinational_) {
    scratch_.initialise(0, 1);
    std::vector<bool> runs(model.classCount);
    findWork(runs);
    findVariables(runs);
}

std::vector<bool> Evaluation::combinationalClasses() const {
    std::vector<bool> result(model_.classCount);
    for (std::uint32_t i = 0; i < model_.planeCount; ++i) {
        const Plane& plane = model_.planes[i];
        if (plane.home == Home::WrittenSlot && plane.owner != kNoClass) result[plane.owner] = true;
    }
    return result;
}

/// `runs`: by class, whether it stands in a kernel that has to run.
void Evaluation::findWork(std::vector<bool>& runs) {
    for (const Work& work : std::span(model_.work, model_.workCount)) {
        const std::span parts(work.parts, work.partCount);
        const bool isNeeded = !stages_.isClocked(work.level)
                              || std::any_of(parts.begin(), parts.end(), [&](const WorkPart& part) {
                                     return isCombinational_[part.cls];
                                 });
        if (!isNeeded) continue;
        works_.push_back(&work);
        for (const WorkPart& part : parts)
            runs[part.cls] = true;
    }
}

/// Neighbours are copied at once, with the gap between them.
void Evaluation::findVariables(const std::vector<bool>& runs) {
    const auto belongs = [&](const Plane& plane) {
        return plane.owner == kNoClass || runs[plane.owner];
    };
    std::vector<const Plane*> planes;
    for (const Plane& plane : std::span(model_.planes, model_.planeCount))
        if (plane.home == Home::OneSlot) planes.push_back(&plane);
    std::sort(planes.begin(), planes.end(),
              [](const Plane* a, const Plane* b) { return a->offset < b->offset; });
    bool isNeighbour = false;
    for (const Plane* plane : planes) {
        if (belongs(*plane) && isNeighbour)
            variables_.back().bytes =
                plane->offset + bytesOf(model_, *plane) - variables_.back().offset;
        else if (belongs(*plane))
            variables_.push_back({plane->offset, bytesOf(model_, *plane)});
        isNeighbour = belongs(*plane);
    }
    for (const Objects& list : std::span(model_.objects, model_.objectCount)) {
        const Plane& plane = model_.planes[list.plane];
        if (belongs(plane)) objects_.push_back({plane.offset, bytesOf(model_, plane)});
    }
}

void Evaluation::run(const Setup& setup, const Arena& arena, std::uint64_t cycle) {
    for (const Range& range : variables_)
        std::memcpy(scratch_.state() + range.offset, arena.state() + range.offset, range.bytes);
    for (const Range& range : objects_)  // those are the run's
        std::memset(scratch_.state() + range.offset, 0, range.bytes);
    const Thread thread{&setup, setup.model->constants, &log_, &outside_};
    log_.flags = 0;
    for (const Work* work : works_) {
        const ClockGroup group = stages_.of(work->level).group;
        Slots slots = arena.slots(cycle, group);
        slots.state = scratch_.state();
        slots.write = scratch_.slots(0, group).write;
        work->entry.run(thread, slots, 0, work->count);
    }
    log_.at(cycle).clear();
    const std::string why = outside_.whyUnknown();
    if (!why.empty()) throw Error(ErrorKind::Usage, why);
    if ((log_.flags & kNoMemory) != 0) throw std::bad_alloc();
}

}  // namespace sme
