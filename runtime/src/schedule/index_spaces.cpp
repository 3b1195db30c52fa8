// Instances of a torus of 8 × 4 read, by their numbers:
//
//   i - 8   from 8 on      i + 8   up to 23       of instances 0 to 31: a row has 8
//   i - 1   of each row    i + 1   of each row    one place beside the other
//   i + 24  up to 7        i + 7   once a row     where it is closed: too few to be a grid

#include "schedule/index_spaces.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <span>
#include <tuple>

#include "schedule/rank_shares.h"
#include "schedule/target.h"

namespace sme {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

/// Instances of a group of works that read one element each, so many instances further on.
struct Step {
    std::uint32_t group;
    std::int64_t distance;
    std::uint32_t plane;
    std::uint32_t cls;
    std::int64_t first;  ///< instances that read or are read
    std::int64_t end;
    std::uint64_t count;
    double bytes;  ///< of all
};

/// All steps of one group and length, to both sides.
struct Length {
    std::int64_t distance;
    std::int64_t first;
    std::int64_t end;
    double bytes;
};

/// Works that may be cut, in groups of those that read one another instance by instance.
class AlignedWorks {
public:
    explicit AlignedWorks(const Model& model)
        : model_(model), workOf_(model.classCount, kNone), leader_(model.workCount) {
        std::iota(leader_.begin(), leader_.end(), 0u);
        for (std::uint32_t i = 0; i < model.workCount; ++i) {
            const Work& work = model.work[i];
            if (isWhole(work)) continue;
            for (const WorkPart& part : std::span(work.parts, work.partCount)) {
                const bool isAlike = part.first == 0 && part.count == work.count
                                     && model.classes[part.cls].instances == work.count;
                if (isAlike) workOf_[part.cls] = i;
            }
        }
    }

    /// The group in which a class reads a plane; kNone: in none.
    std::uint32_t join(std::uint32_t reader, std::uint32_t writer) {
        if (writer == kNone) return kNone;
        const std::uint32_t a = workOf_[reader];
        const std::uint32_t b = workOf_[writer];
        if (a == kNone || b == kNone || model_.work[a].count != model_.work[b].count) return kNone;
        const auto [first, second] = std::minmax({of(a), of(b)});
        leader_[second] = first;
        return first;
    }

    std::uint32_t of(std::uint32_t work) const {
        while (leader_[work] != work)
            work = leader_[work];
        return work;
    }

private:
    const Model& model_;
    std::vector<std::uint32_t> workOf_;  ///< by class
    std::vector<std::uint32_t> leader_;
};

std::uint64_t perOwner(const Model& model, const Plane& plane) {
    return std::max(1u, plane.instances / std::max(1u, model.classes[plane.owner].instances));
}

std::vector<Step> stepsOf(const Model& model, AlignedWorks& groups) {
    std::vector<Step> steps;
    for (std::size_t i = 0; i < model.readCount; ++i) {
        Read read;
        std::memcpy(&read, model.reads + i * sizeof read, sizeof read);
        const Plane& plane = model.planes[read.plane];
        if (plane.owner == kNone || read.count < target::kShortestRow) continue;
        const std::uint64_t per = perOwner(model, plane);
        if (read.stride != static_cast<std::int64_t>(per)) continue;
        const std::uint32_t group = groups.join(read.cls, plane.owner);
        if (group == kNone) continue;
        const std::int64_t from = read.first;
        const auto to = static_cast<std::int64_t>(read.start / per);
        steps.push_back({group, to - from, read.plane, read.cls, std::min(from, to),
                         std::max(from, to) + read.count, read.count,
                         static_cast<double>(model.types[plane.type].bytes) * read.count});
    }
    for (Step& step : steps)
        step.group = groups.of(step.group);
    return steps;
}

/// Makes one of those that differ in instances only.
void joinAlike(std::vector<Step>& steps) {
    const auto key = [](const Step& step) {
        return std::tuple(step.group, std::abs(step.distance), step.distance, step.plane, step.cls,
                          step.first);
    };
    std::ranges::sort(steps, {}, key);
    std::size_t kept = 0;
    for (const Step& step : steps) {
        Step* const last = kept > 0 ? &steps[kept - 1] : nullptr;
        const bool isSame = last && last->group == step.group && last->distance == step.distance
                            && last->plane == step.plane && last->cls == step.cls;
        if (!isSame) {
            steps[kept++] = step;
            continue;
        }
        last->end = std::max(last->end, step.end);
        last->count += step.count;
        last->bytes += step.bytes;
    }
    steps.resize(kept);
}

/// Of one group, ascending. Steps that few instances take, as where a torus is closed, are left out.
std::vector<Length> lengthsOf(std::span<const Step> steps) {
    std::vector<Length> lengths;
    for (const Step& step : steps) {
        const std::int64_t distance = std::abs(step.distance);
        const auto all = static_cast<double>(step.end - step.first);
        if (distance == 0 || static_cast<double>(step.count) < target::kGridDensity * all) continue;
        if (lengths.empty() || lengths.back().distance != distance)
            lengths.push_back({distance, step.first, step.end, 0});
        Length& length = lengths.back();
        length.first = std::min(length.first, step.first);
        length.end = std::max(length.end, step.end);
        length.bytes += step.bytes;
    }
    return lengths;
}

/// Whether a grid could have rows of the one length and planes, or rows, of the other one.
bool isBeyond(std::int64_t distance, std::int64_t before) {
    return distance >= target::kShortestRow * before;
}

/// Of lengths that are about the same, as where neighbours are diagonal ones, too: the one that
/// divides the grid; else the one in the middle.
std::int64_t pitchOf(std::span<const Length> alike, std::int64_t pitch, std::int64_t instances) {
    for (const Length& length : alike)
        if (length.distance % pitch == 0 && instances % length.distance == 0)
            return length.distance;
    return alike[alike.size() / 2].distance;
}

/// Fills pitches and reads of a space by lengths of its group within it.
constexpr std::size_t kMostPitches = 2;  // more is no grid, as in a hypercube

void shape(IndexSpace& space, std::span<const Length> lengths) {
    const std::int64_t instances = space.end - space.first;
    const auto each = [&](double bytes) { return bytes / static_cast<double>(instances); };
    std::int64_t pitch = 1;
    space.reads.push_back({1, 0});
    for (std::size_t i = 0; i < lengths.size();) {
        std::size_t end = i + 1;
        while (end < lengths.size() && 2 * lengths[end].distance < 3 * lengths[end - 1].distance)
            ++end;
        const std::span<const Length> alike = lengths.subspan(i, end - i);
        i = end;
        if (space.pitches.size() < kMostPitches && isBeyond(alike.front().distance, pitch)) {
            pitch = pitchOf(alike, pitch, instances);
            if (2 * pitch > instances) return;
            space.pitches.push_back(static_cast<std::uint32_t>(pitch));
            space.reads.push_back({static_cast<std::uint32_t>(pitch), 0});
        }
        for (const Length& length : alike)
            space.reads.back().bytes += each(length.bytes);
    }
}

/// The grids of one group. Those of two sizes lie one after the other.
void addSpaces(std::vector<Length> lengths, const std::vector<std::uint32_t>& works,
               std::vector<IndexSpace>& spaces) {
    std::vector<Length> rows;
    std::ranges::copy_if(lengths, std::back_inserter(rows),
                         [](const Length& length) { return isBeyond(length.distance, 1); });
    std::ranges::sort(rows, {}, &Length::first);
    std::vector<IndexSpace> found;
    for (const Length& row : rows) {
        const auto first = static_cast<std::uint32_t>(row.first);
        const auto end = static_cast<std::uint32_t>(row.end);
        const std::uint32_t before = found.empty() ? 0 : found.back().end;
        const bool isSame = first < before && 2 * (std::min(end, before) - first) > end - first;
        if (isSame)
            found.back().end = std::max(before, end);
        else if (std::max(first, before) < end)
            found.push_back({works, std::max(first, before), end, {}, {}});
    }
    for (IndexSpace& space : found) {
        std::vector<Length> own;
        std::ranges::copy_if(lengths, std::back_inserter(own), [&](const Length& length) {
            return length.first < space.end && length.end > space.first
                   && (length.distance == 1 || length.end <= space.end);
        });
        shape(space, own);
        if (!space.pitches.empty()) spaces.push_back(std::move(space));
    }
}

}  // namespace

std::vector<IndexSpace> indexSpacesOf(const Model& model) {
    AlignedWorks groups(model);
    std::vector<Step> steps = stepsOf(model, groups);
    joinAlike(steps);
    std::vector<std::vector<std::uint32_t>> works(model.workCount);
    for (std::uint32_t i = 0; i < model.workCount; ++i)
        works[groups.of(i)].push_back(i);
    std::vector<IndexSpace> spaces;
    for (std::size_t i = 0; i < steps.size();) {
        std::size_t end = i;
        while (end < steps.size() && steps[end].group == steps[i].group)
            ++end;
        addSpaces(lengthsOf(std::span(steps).subspan(i, end - i)), works[steps[i].group], spaces);
        i = end;
    }
    return spaces;
}

}  // namespace sme
