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

Evaluation::~Evaluation() { dropObjects(); }

std::vector<bool> Evaluation::combinationalClasses() const {
    std::vector<bool> result(model_.classCount);
    for (std::uint32_t i = 0; i < model_.planeCount; ++i) {
        const Plane& plane = model_.planes[i];
        if (plane.isCombinational && plane.owner != kNoClass) result[plane.owner] = true;
    }
    return result;
}

/// `runs`: by class, whether it stands in a kernel that has to run.
void Evaluation::findWork(std::vector<bool>& runs) {
    for (const Work& work : std::span(model_.work, model_.workCount)) {
        const std::span parts(work.parts, work.partCount);
        const bool isNeeded = work.level + 1 < model_.levels
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
        if (plane.region == Region::State) planes.push_back(&plane);
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
    for (std::uint32_t i = 0; i < model_.objectCount; ++i)
        if (belongs(model_.planes[model_.objects[i].plane])) objects_.push_back(i);
}

/// visit(list, places in the scratch state, how many).
template <typename Visit>
void Evaluation::forEachList(const Visit& visit) {
    for (const std::uint32_t number : objects_) {
        const Objects& list = model_.objects[number];
        visit(list, placesOf(model_, list, scratch_.state()), model_.planes[list.plane].instances);
    }
}

/// Copies of those of the run, whose addresses are there.
void Evaluation::takeObjects() {
    std::vector<std::uint64_t> objects;
    forEachList([&](const Objects&, std::uint64_t* places, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i)
            objects.push_back(std::exchange(places[i], 0));
    });
    auto object = objects.begin();
    forEachList([&](const Objects& list, std::uint64_t* places, std::uint32_t count) {
        const ForeignObject::Functions functions = functionsOf(list);
        const bool areOutside = ForeignObject::areOutside(functions);
        for (std::uint32_t i = 0; i < count; ++i, ++object)
            if (*object != 0 && !areOutside) places[i] = ForeignObject::copied(*object, functions);
    });
}

void Evaluation::dropObjects() {
    forEachList([](const Objects& list, std::uint64_t* places, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i)
            if (const std::uint64_t object = std::exchange(places[i], 0)) list.release(object);
    });
}

void Evaluation::run(Context context) {
    dropObjects();
    for (const Range& range : variables_)
        std::memcpy(scratch_.state() + range.offset, context.state + range.offset, range.bytes);
    takeObjects();
    context.state = scratch_.state();
    context.write = scratch_.slot(0);
    context.log = &log_;
    context.outside = &outside_;
    log_.flags = 0;
    for (const Work* work : works_)
        work->kernel(context, 0, work->count);
    log_.at(context.cycle).clear();
    const std::string why = outside_.whyUnknown();
    if (!why.empty()) throw Error(ErrorKind::Usage, why);
    if ((log_.flags & kNoMemory) != 0) throw std::bad_alloc();
}

}  // namespace sme
