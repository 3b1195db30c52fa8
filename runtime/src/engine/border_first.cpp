// A rank has instances 0-100 of a ring; its neighbours read 0 and 99. Granularity 8:
//
//   level 0: 0-100        level 0: 0-8 96-100   level 1: 8-96
//                         sends 0 and 99        receives

#include "engine/border_first.h"

#include <algorithm>

#include "engine/target.h"

namespace sme {
namespace {

using Ranges = std::vector<InstanceRange>;

/// Sorts, and makes one of those with less than `gap` between them.
void uniteRanges(Ranges& ranges, std::uint32_t gap) {
    std::ranges::sort(ranges, {}, &InstanceRange::begin);
    Ranges united;
    for (const InstanceRange& each : ranges) {
        if (!united.empty() && each.begin <= united.back().end + std::uint64_t{gap})
            united.back().end = std::max(united.back().end, each.end);
        else
            united.push_back(each);
    }
    ranges = std::move(united);
}

/// What is left of `whole`.
Ranges without(InstanceRange whole, const Ranges& taken) {
    Ranges rest;
    for (const InstanceRange& each : taken) {
        if (whole.begin < each.begin) rest.push_back({whole.begin, each.begin});
        whole.begin = each.end;
    }
    if (whole.begin < whole.end) rest.push_back(whole);
    return rest;
}

void append(const Work& work, const Ranges& ranges, std::uint32_t level, std::vector<Work>& to) {
    for (const InstanceRange& range : ranges) {
        Work& piece = to.emplace_back(work);
        piece.first = range.begin;
        piece.count = range.end - range.begin;
        piece.level = level;
    }
}

double costOf(const std::vector<Work>& works) {
    double cost = 0;
    for (const Work& work : works)
        cost += work.cost * work.count;
    return cost;
}

/// `pieces`: more of them than before.
bool pays(const std::vector<Work>& rest, std::size_t pieces) {
    const double cuts = target::kRankCutCost * static_cast<double>(pieces);
    return costOf(rest) >= target::kRankMessageCost
           && cuts <= target::kRankMessageCost * target::kRankCutShare;
}

}  // namespace

BorderFirst::BorderFirst(const Model& model, const Owners& owners,
                         std::span<const Crossing> crossings, unsigned rank, Overlap overlap)
    : overlap_(overlap), border_(model.classCount), isCut_(model.levels), model_(model) {
    findBorder(owners, crossings, rank);
    model_.levels = 0;
    for (const Stage& stage : std::span(model.stages, model.stageCount)) {
        const std::uint32_t first = model_.levels;
        for (std::uint32_t level = stage.first; level <= stage.clocked; ++level)
            order(model, level);
        stages_.push_back({stage.group, first, model_.levels - 1});
    }
    model_.stages = stages_.data();
    model_.work = work_.data();
    model_.workCount = static_cast<std::uint32_t>(work_.size());
}

void BorderFirst::findBorder(const Owners& owners, std::span<const Crossing> crossings,
                             unsigned rank) {
    for (std::uint32_t plane = 0; plane < model_.planeCount; ++plane) {
        const bool isOwned = model_.planes[plane].owner != ~std::uint32_t{0};
        perOwner_.push_back(isOwned ? owners.perOwner(model_.planes[plane]) : 1);
    }
    for (const Crossing& each : crossings) {
        if (each.from != rank) continue;
        border_[model_.planes[each.plane].owner].push_back(
            writersOf(each.plane, each.first, each.count));
    }
    for (Ranges& ranges : border_)
        uniteRanges(ranges, 0);
}

/// Instances of the class that writes these elements.
InstanceRange BorderFirst::writersOf(std::uint32_t plane, std::uint64_t first,
                                     std::uint64_t count) const {
    const std::uint64_t per = perOwner_[plane];
    return {static_cast<std::uint32_t>(first / per),
            static_cast<std::uint32_t>((first + count - 1) / per + 1)};
}

bool BorderFirst::isBorder(const PlaneRange& range) const {
    const std::uint32_t owner = model_.planes[range.plane].owner;
    const InstanceRange writers = writersOf(range.plane, range.first, range.count);
    const auto each =
        std::ranges::upper_bound(border_[owner], writers.begin, {}, &InstanceRange::end);
    return each != border_[owner].end() && each->begin <= writers.begin && writers.end <= each->end;
}

/// Of the instances of a work, where it may be cut.
Ranges BorderFirst::borderOf(const Work& work) const {
    const InstanceRange all{work.first, work.first + work.count};
    const std::uint32_t granularity = std::max(1u, work.granularity);
    Ranges found;
    const bool isOne = work.entry.block != nullptr;
    for (const WorkPart& part : std::span(work.parts, work.partCount)) {
        const Ranges& border = border_[part.cls];
        const auto [least, most] = instancesIn(work, part, all);
        auto next = std::ranges::upper_bound(border, least, {}, &InstanceRange::end);
        for (; next != border.end() && next->begin < most; ++next) {
            const InstanceRange& each = *next;
            const std::uint32_t begin = std::max(each.begin, part.first);
            const std::uint32_t end = std::min(each.end, part.first + part.count);
            if (begin >= end) continue;
            // its only instance may run all of a part
            if (isOne) return {all};
            const std::uint32_t from = (begin - part.first) / granularity * granularity;
            const std::uint32_t to = ((end - part.first - 1) / granularity + 1) * granularity;
            const InstanceRange its{std::max(from, all.begin), std::min(to, all.end)};
            if (its.begin < its.end) found.push_back(its);
        }
    }
    const double gap = target::kRankCutCost / std::max(work.cost, 1e-9);
    uniteRanges(found, static_cast<std::uint32_t>(std::min(gap, 1e9)));
    return found;
}

/// Appends the works of a level of the design, as one level or two.
void BorderFirst::order(const Model& model, std::uint32_t level) {
    std::vector<Work> whole;
    std::vector<Work> border;
    std::vector<Work> rest;
    for (const Work& work : std::span(model.work, model.workCount)) {
        if (work.level != level) continue;
        whole.push_back(work);
        whole.back().level = model_.levels;
        if (work.count == 0) continue;
        const Ranges first = borderOf(work);
        append(work, first, model_.levels, border);
        append(work, without({work.first, work.first + work.count}, first), model_.levels + 1,
               rest);
    }
    const std::size_t pieces = border.size() + rest.size();
    const bool isThere = overlap_ != Overlap::Never && !border.empty() && !rest.empty();
    isCut_[level] =
        isThere
        && (overlap_ == Overlap::Always || pays(rest, pieces - std::min(pieces, whole.size())));
    const auto put = [&](const std::vector<Work>& works) {
        work_.insert(work_.end(), works.begin(), works.end());
        ++model_.levels;
    };
    if (!isCut_[level]) return put(whole);
    put(border);
    put(rest);
}

std::vector<Halo> BorderFirst::halos(std::vector<Halo> halos) const {
    std::vector<Halo> all;
    for (std::size_t level = 0; level < halos.size(); ++level) {
        Halo& whole = halos[level];
        if (!isCut_[level]) {
            all.push_back(std::move(whole));
            continue;
        }
        std::vector<unsigned> late;  // one parcel a rank: all of it is there, or none
        for (const PlaneRange& range : whole.sends)
            if (!isBorder(range)) late.push_back(range.rank);
        Halo border;
        Halo rest;
        border.isOpen = true;
        border.receives = std::move(whole.receives);
        for (const PlaneRange& range : whole.sends)
            (std::ranges::find(late, range.rank) == late.end() ? border : rest)
                .sends.push_back(range);
        all.push_back(std::move(border));
        all.push_back(std::move(rest));
    }
    return all;
}

}  // namespace sme
