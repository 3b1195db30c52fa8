// Planes of a looped class lie one after the other, each on a cache line of its own. The planes
// that the straight-line blocks of a translation unit write are packed by falling size of their
// elements, in the order in which they are written, with a sixteenth of slack, so that a field more
// or less rewrites no other unit. Steps ordered by minimum cut have those fields first that other
// threads read: the sooner the bisection parts a reader from the writer, the further in front.
//   | loop a.x | loop a.y | unit 0: u64 u64 u32 u32 u8 slack | loop b.x | … | inputs | undriven |

#include "plan/layout.h"

#include <algorithm>
#include <numeric>

#include "ir/analysis.h"
#include "ir/border.h"
#include "ir/target.h"
#include "plan/target.h"

namespace smec::plan {
namespace {

/// Offsets are multiples of the element's size as well, so that a region can be seen as an array of
/// them.
std::uint64_t roundUp(std::uint64_t value, std::uint64_t unit) {
    return (value + unit - 1) / unit * unit;
}

/// An area of packed planes of one region.
using Area = std::vector<ir::PlaneId>;

class Layout {
public:
    Layout(const ir::Design& design, const Facts& facts, const Options& options, Plan& plan)
        : design_(design),
          facts_(facts),
          options_(options),
          ledger_(options.ledger),
          plan_(plan),
          isPlaced_(design.planes.size(), false) {
        plan_.placements.resize(design.planes.size());
        for (std::size_t i = 0; i < design.planes.size(); ++i) {
            const ir::StorageType& type = design.planes[i].type;
            const std::uint32_t bytes = storageBytes(type.scalar);
            plan_.placements[i] = {0, bytes, bytes * type.elements()};
        }
    }

    void run() {
        const std::uint64_t margin = borderMargin();
        plan_.clockedBytes = margin;
        for (std::uint32_t i = 0; i < plan_.units.size(); ++i)
            placeUnit(plan_.units[i], rules::Subject::ofUnit(i));
        placeRest(ir::PlaneKind::Input);
        placeRest(ir::PlaneKind::Undriven);
        for (std::uint32_t i = 0; i < design_.planes.size(); ++i)
            placeAlone({i});
        plan_.clockedBytes += margin;
        for (const ir::Class& cls : design_.classes)
            forEachByElement(cls, [&](auto elements) { measure(elements); });
    }

private:
    /// What loops with a border read in front of a plane or after it.
    std::uint64_t borderMargin() const {
        std::uint64_t margin = 0;
        for (std::uint32_t i = 0; i < design_.classes.size(); ++i)
            margin = std::max(margin, borderMargin(i));
        return roundUp(margin, target::kLine);
    }

    std::uint64_t borderMargin(std::uint32_t index) const {
        const ir::Class& cls = design_.classes[index];
        std::uint64_t margin = 0, refused = 0;
        const auto mayHave = [&](std::uint64_t bytes, std::uint32_t count) {
            return ledger_.ask(rules::Rule::Margins, rules::Subject::ofClass(index),
                               {{rules::Condition::BorderBytes, bytes, target::kMostMargin}},
                               count);
        };
        if (cls.instances < ir::target::kLaneInstances) return 0;
        for (const ir::Input& input : cls.inputs) {
            for (const ir::Connection& connection : input.elements) {
                const std::uint64_t bytes = bytesOutside(cls, input, connection);
                std::uint64_t& most = mayHave(bytes, 0) ? margin : refused;
                most = std::max(most, bytes);
            }
        }
        for (const std::uint64_t most : {margin, refused})
            mayHave(most, most > 0 ? 1 : 0);
        return margin;
    }

    std::uint64_t bytesOutside(const ir::Class& cls, const ir::Input& input,
                               const ir::Connection& connection) const {
        const auto border = ir::borderOf(design_, input, connection);
        if (!border) return 0;
        const std::int64_t last = border->first + (cls.instances - 1) * border->stride;
        const std::int64_t end = design_.planes[border->plane.index].instances;
        const std::int64_t outside = std::max(
            {std::int64_t(0), -border->first, -last, border->first + 1 - end, last + 1 - end});
        return static_cast<std::uint64_t>(outside) * storageBytes(input.type.scalar);
    }

    std::uint64_t sizeOf(ir::PlaneId id) const {
        return plan_.placements[id.index].bytesPerInstance
               * std::max(design_.planes[id.index].instances, 1u);
    }

    bool isInState(ir::PlaneId id) const { return plan_.storage[id.index].home == Home::OneSlot; }

    std::uint64_t& end(ir::PlaneId id) {
        return isInState(id) ? plan_.stateBytes : plan_.clockedBytes;
    }

    void placeAlone(ir::PlaneId id) {
        if (isPlaced_[id.index]) return;
        isPlaced_[id.index] = true;
        placeOnLines(id, end(id));
    }

    void placeOnLines(ir::PlaneId id, std::uint64_t& region) {
        const std::uint64_t element = plan_.placements[id.index].bytesPerElement;
        plan_.placements[id.index].offset = roundUp(region, std::lcm(target::kLine, element));
        region = roundUp(plan_.placements[id.index].offset + sizeOf(id), target::kLine);
    }

    template <typename F>
    void forWritten(ir::ClassId id, F&& f) const {
        const ir::Class& cls = design_.classes[id.index];
        for (const ir::Output& output : cls.outputs)
            f(output.plane);
        for (const ir::PlaneId plane : cls.state)
            f(plane);
    }

    /// Planes of an array by element are placed one behind the other, since they are as long, and stand as one
    /// where planes are sorted (first()): all are equally far apart.
    void measure(std::span<const ir::PlaneId> elements) {
        if (elements.size() < 2) return;
        const std::uint64_t bytes =
            plan_.placements[elements[1].index].offset - plan_.placements[elements[0].index].offset;
        for (const ir::PlaneId element : elements)
            plan_.placements[element.index].bytesToNext = bytes;
    }

    ir::PlaneId first(ir::PlaneId id) const {
        const ir::PlaneId first = design_.planes[id.index].firstElement;
        return first.valid() ? first : id;
    }

    enum class Code : std::uint8_t { Scalar, Vector, VectorInRounds };

    Code codeOf(ir::ClassId id) const {
        const BodyFacts& body = facts_.classes[id.index];
        if (!options_.lanes) return Code::Scalar;
        if (body.fillsLanes || body.fillsLanesInStages) return Code::Vector;
        return body.fillsLanesInRounds ? Code::VectorInRounds : Code::Scalar;
    }

    /// Splits fall on cache lines of every plane written, unless an instance is so much work that
    /// this does not matter.
    void placeLoop(Kernel& kernel) {
        std::uint64_t granularity = 1, narrowest = target::kVector, widest = 1;
        forWritten(kernel.cls, [&](ir::PlaneId plane) {
            placeAlone(plane);
            const std::uint64_t element = plan_.placements[plane.index].bytesPerElement;
            narrowest = std::min(narrowest, element);
            widest = std::max(widest, std::min(element, target::kVector));
            const std::uint64_t bytes = plan_.placements[plane.index].bytesPerInstance
                                        * design_.planes[plane.index].perOwner;
            granularity = std::lcm(granularity, target::kLine / std::gcd(target::kLine, bytes));
        });
        const Code code = codeOf(kernel.cls);
        if (code == Code::VectorInRounds) {
            for (const ir::Input& input : design_.classes[kernel.cls.index].inputs)
                narrowest = std::min<std::uint64_t>(narrowest, storageBytes(input.type.scalar));
            granularity = std::lcm(granularity, 2 * target::kVector / narrowest);
        }
        if (code != Code::Scalar) {
            kernel.lanes = static_cast<std::uint32_t>(target::kVector / widest);
            ledger_.ask(rules::Rule::Lanes, rules::Subject::ofClass(kernel.cls.index),
                        {{rules::Condition::Instances, design_.classes[kernel.cls.index].instances,
                          ir::target::kLaneInstances}});
        }
        // vector code of fewer instances than two vectors hold may run one by one
        const std::uint64_t least = kernel.lanes > 1 ? 2 * target::kVector / narrowest : 1;
        const double cost = kernel.cost / kernel.lanes;
        ledger_.ask(rules::Rule::LineSplits, rules::Subject::ofClass(kernel.cls.index),
                    {{rules::Condition::WorkOfLine, cost * double(granularity) / 2,
                      target::kSharedLineCost}},
                    granularity > least ? 1 : 0);
        if (!ledger_.allows(rules::Rule::LineSplits)) granularity = std::min(granularity, least);
        while (granularity > least && cost * double(granularity) / 2 >= target::kSharedLineCost)
            granularity /= 2;
        kernel.granularity = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(granularity, design_.classes[kernel.cls.index].instances));
    }

    void joinGranularity(std::size_t index) {
        Kernel& kernel = plan_.kernels[index];
        std::uint64_t granularity = 1;
        kernel.lanes = plan_.kernels[index - 1].lanes;
        for (std::size_t part = 1; part <= kernel.parts.size(); ++part) {
            const Kernel& loop = plan_.kernels[index - part];
            granularity = std::lcm(granularity, std::uint64_t{loop.granularity});
            kernel.lanes = std::min(kernel.lanes, loop.lanes);
        }
        kernel.granularity = static_cast<std::uint32_t>(std::min<std::uint64_t>(
            granularity, design_.classes[kernel.parts.front().index].instances));
    }

    void placeUnit(const TranslationUnit& unit, rules::Subject subject) {
        Area clocked, state;
        for (const std::uint32_t index : unit.kernels) {
            Kernel& kernel = plan_.kernels[index];
            if (kernel.kind == KernelKind::Loop) placeLoop(kernel);
            if (kernel.kind == KernelKind::Block) collect(kernel, clocked, state);
            if (kernel.kind == KernelKind::Merged) joinGranularity(index);
        }
        placeArea(clocked, subject);
        placeArea(state, subject);
    }

    void collect(const Kernel& kernel, Area& clocked, Area& state) {
        for (const InstanceRef& step : kernel.steps) {
            forWritten(step.cls, [&](ir::PlaneId plane) {
                if (isPlaced_[plane.index]) return;
                isPlaced_[plane.index] = true;
                (isInState(plane) ? state : clocked).push_back(plane);
            });
        }
    }

    void placeRest(ir::PlaneKind kind) {
        Area area;
        for (std::uint32_t i = 0; i < design_.planes.size(); ++i) {
            if (design_.planes[i].kind != kind || isPlaced_[i]) continue;
            isPlaced_[i] = true;
            area.push_back({i});
        }
        placeArea(area, rules::Subject::design());
    }

    /// Whether planes of an area with so many bytes are packed.
    bool packs(rules::Subject subject, std::uint64_t bytes, std::ptrdiff_t count) const {
        return ledger_.ask(rules::Rule::PackedFields, subject,
                           {{rules::Condition::Bytes, bytes, target::kPackedBytes}},
                           static_cast<std::uint32_t>(count));
    }

    void placeArea(Area& area, rules::Subject subject) {
        if (area.empty()) return;
        const auto isLarge = [&](ir::PlaneId id) { return !packs(subject, sizeOf(id), 0); };
        std::stable_partition(area.begin(), area.end(),
                              [&](ir::PlaneId id) { return !isLarge(id); });
        const auto firstLarge = std::find_if(area.begin(), area.end(), isLarge);
        packs(subject, largestOf(area.begin(), firstLarge), firstLarge - area.begin());
        packs(subject, largestOf(firstLarge, area.end()), area.end() - firstLarge);
        std::stable_sort(area.begin(), firstLarge, [&](ir::PlaneId a, ir::PlaneId b) {
            return cutDepth(a) != cutDepth(b) ? cutDepth(a) < cutDepth(b)
                                              : alignment(a) > alignment(b);
        });

        std::uint64_t& region = end(area.front());
        const std::uint64_t begin = region;
        for (auto it = area.begin(); it != firstLarge; ++it) {
            region = roundUp(region, alignment(*it));
            plan_.placements[it->index].offset = region;
            region += sizeOf(*it);
        }
        region = roundUp(region + (region - begin) / 16, target::kLine);
        for (auto it = firstLarge; it != area.end(); ++it)
            placeOnLines(*it, region);
    }

    std::uint64_t largestOf(Area::const_iterator begin, Area::const_iterator end) const {
        std::uint64_t bytes = 0;
        for (auto it = begin; it != end; ++it)
            bytes = std::max(bytes, sizeOf(*it));
        return bytes;
    }

    std::uint64_t alignment(ir::PlaneId id) const {
        return plan_.placements[id.index].bytesPerElement;
    }

    std::uint8_t cutDepth(ir::PlaneId id) const {
        const std::uint32_t index = first(id).index;
        // logs were put in behind the cut
        return index < plan_.cutDepths.size() ? plan_.cutDepths[index] : std::uint8_t{0};
    }

    const ir::Design& design_;
    const Facts& facts_;
    const Options& options_;
    const rules::Asker& ledger_;
    Plan& plan_;
    std::vector<bool> isPlaced_;
};

}  // namespace

void layOut(const ir::Design& design, const Facts& facts, const Options& options, Plan& plan) {
    Layout(design, facts, options, plan).run();
}

std::uint32_t storageBytes(const ir::Scalar& scalar) {
    if (scalar.kind == ir::ScalarKind::F32) return 4;
    if (scalar.kind == ir::ScalarKind::F64) return 8;
    if (scalar.kind == ir::ScalarKind::Bool || scalar.width <= 8) return 1;
    if (scalar.width <= 16) return 2;
    if (scalar.width <= 32) return 4;
    return (scalar.width + 63) / 64 * 8;
}

}  // namespace smec::plan
