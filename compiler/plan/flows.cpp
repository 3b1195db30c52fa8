// A ring of 128 processes in one loop, 64 parts of 2: part k reads what part k writes (one value)
// and what part k - 1 writes (the other one).

#include "plan/flows.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

#include "ir/reader_graph.h"
#include "plan/target.h"

namespace smec::plan {

using namespace ir;

namespace {

constexpr std::uint32_t kNone = ~0u;

class Flows {
public:
    Flows(const Design& design, const Plan& plan)
        : design_(design), plan_(plan), workOf_(design.classes.size()) {
        placeKernels();
    }

    std::vector<Flow> run() {
        for (std::uint32_t cls = 0; cls < design_.classes.size(); ++cls) {
            forEachRead(design_, cls, [&](const Read& read) { add(read); });
        }
        std::vector<Flow> flows;
        for (const auto& [cell, bytes] : cells_) {
            const auto [reader, readerPart, writer, writerPart] = cell;
            const auto [readerFirst, readerCount] = rangeOf(reader, readerPart);
            const auto [writerFirst, writerCount] = rangeOf(writer, writerPart);
            flows.push_back({reader, readerFirst, readerCount, writer, writerFirst, writerCount,
                             static_cast<std::uint64_t>(bytes + 0.5)});
        }
        return flows;
    }

private:
    /// Where an instance runs.
    struct Place {
        std::uint32_t work;
        std::uint32_t instance;
    };
    using Cell = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;

    /// Works of all instances: of a class that is looped over as a whole, or one by one.
    void placeKernels() {
        std::vector<std::uint32_t> counts;
        for (const Kernel& kernel : plan_.kernels) {
            if (!kernel.scheduled) continue;
            const auto work = static_cast<std::uint32_t>(counts.size());
            counts.push_back(1);
            switch (kernel.kind) {
            case KernelKind::Loop: counts.back() = placeClass(kernel.cls, work); break;
            case KernelKind::Merged:
                for (const ClassId part : kernel.parts)
                    counts.back() = placeClass(part, work);
                break;
            case KernelKind::Block:
                for (const InstanceRef& step : kernel.steps)
                    placeOne(step, work);
                break;
            case KernelKind::Ordered:
                for (const OrderedRow& row : kernel.rows) {
                    for (std::uint32_t i = row.begin; i < row.end; ++i)
                        placeOne({row.cls, i}, work);
                }
                break;
            }
        }
        const std::uint32_t most = std::clamp<std::uint32_t>(
            target::kPartsInAll
                / static_cast<std::uint32_t>(std::max<std::size_t>(1, counts.size())),
            1, target::kMostParts);
        for (const std::uint32_t count : counts)
            parts_.push_back({count, std::min(most, std::max(1u, count))});
    }

    std::uint32_t placeClass(ClassId cls, std::uint32_t work) {
        workOf_[cls.index] = {work};
        return design_.classes[cls.index].instances;
    }
    void placeOne(const InstanceRef& step, std::uint32_t work) {
        auto& works = workOf_[step.cls.index];
        works.resize(design_.classes[step.cls.index].instances, kNone);
        works[step.instance] = work;
    }

    bool isLooped(std::uint32_t cls) const {
        return workOf_[cls].size() == 1
               && (design_.classes[cls].instances > 1 || parts_[workOf_[cls][0]].count > 1);
    }
    Place placeOf(std::uint32_t cls, std::uint32_t instance) const {
        if (workOf_[cls].empty()) return {kNone, 0};
        if (isLooped(cls)) return {workOf_[cls][0], instance};
        return {workOf_[cls].at(instance), 0};
    }

    std::uint32_t partOf(Place place) const {
        const Parts& it = parts_[place.work];
        return static_cast<std::uint32_t>(std::uint64_t{place.instance} * it.parts
                                          / std::max(1u, it.count));
    }
    /// First instance and number of instances.
    std::pair<std::uint32_t, std::uint32_t> rangeOf(std::uint32_t work, std::uint32_t part) const {
        const Parts& it = parts_[work];
        const auto start = [&](std::uint64_t number) {
            return static_cast<std::uint32_t>((number * it.count + it.parts - 1) / it.parts);
        };
        return {start(part), start(part + 1) - start(part)};
    }

    void add(const Read& read) {
        const Run& run = *read.run;
        const std::uint32_t perOwner = read.plane->perOwner;
        const double bytes =
            static_cast<double>(plan_.placements[run.plane.index].bytesPerInstance);
        for (std::uint32_t i = 0; i < run.count;) {
            const Place to = placeOf(read.reader, run.first + i);
            const Place from = placeOf(read.writer, read.source(i));
            if (to.work == kNone || from.work == kNone) return;
            const std::uint32_t sameWriter =
                perOwner == 1 ? restOfPart(read.writer, from, run.stride) : 1;
            const std::uint32_t same =
                std::min({run.count - i, restOfPart(read.reader, to, 1), sameWriter});
            cells_[{to.work, partOf(to), from.work, partOf(from)}] += bytes * same;
            i += same;
        }
    }

    /// So many steps of `stride` instances from a place on, itself included, stay in its part.
    std::uint32_t restOfPart(std::uint32_t cls, Place place, std::int32_t stride) const {
        if (stride == 0) return kNone;
        if (!isLooped(cls)) return 1;
        const auto [first, count] = rangeOf(place.work, partOf(place));
        const auto step = static_cast<std::uint32_t>(std::abs(stride));
        const std::uint32_t left =
            stride > 0 ? first + count - place.instance : place.instance - first + 1;
        return (left + step - 1) / step;
    }

    struct Parts {
        std::uint32_t count;  ///< instances
        std::uint32_t parts;
    };

    const Design& design_;
    const Plan& plan_;
    std::vector<std::vector<std::uint32_t>> workOf_;  ///< per class: one work, or one per instance
    std::vector<Parts> parts_;                        ///< per work
    std::map<Cell, double> cells_;
};

}  // namespace

std::vector<Flow> flowsOf(const Design& design, const Plan& plan) {
    return Flows(design, plan).run();
}

}  // namespace smec::plan
