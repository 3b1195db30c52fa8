// A ring of 8 in two halves: process 0 reads what process 7 writes, process 4 what 3 does. Rank 0
// sends element 3 and receives element 7.

#include "engine/halo.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace sme {
namespace {

class Crossings {
public:
    Crossings(const Model& model, const Owners& owners) : model_(model), owners_(owners) {}

    void add(const Read& read) {
        const Plane& plane = model_.planes[read.plane];
        if (plane.owner == ~std::uint32_t{0}) return;
        const auto readers = owners_.of(read.cls);
        const std::uint32_t end = read.first + read.count;
        std::size_t number = owners_.stretchOf(read.cls, read.first);
        for (std::uint32_t at = read.first; at < end;) {
            const Owners::Stretch& reader = readers[number++];
            const std::uint32_t last = std::min(end, reader.end);
            addOfReader(read, plane, at - read.first, last - read.first, reader.rank);
            at = last;
        }
    }

    std::vector<Crossing> take() {
        unite(found_);
        return std::move(found_);
    }

private:
    /// Rounds [i, end) of a run, whose readers are all on one rank.
    void addOfReader(const Read& read, const Plane& plane, std::uint32_t i, std::uint32_t end,
                     unsigned rank) {
        const auto writers = owners_.of(plane.owner);
        const auto per = static_cast<std::int64_t>(owners_.perOwner(plane));
        std::size_t number = ~std::size_t{0};
        while (i < end) {
            const std::int64_t element = read.start + std::int64_t{i} * read.stride;
            number = stretchOf(plane, static_cast<std::uint64_t>(element / per), number + 1);
            const std::int64_t begin = number == 0 ? 0 : writers[number - 1].end * per;
            const std::uint32_t same =
                std::min(end - i, roundsIn(element, read.stride, begin, writers[number].end * per));
            if (writers[number].rank != rank) addRun(read, element, same, writers[number], rank);
            i += same;
        }
    }

    /// Of an instance that writes a plane; mostly `likely`.
    std::size_t stretchOf(const Plane& plane, std::uint64_t instance, std::size_t likely) const {
        const auto writers = owners_.of(plane.owner);
        const bool isIt = likely > 0 && likely < writers.size()
                          && writers[likely - 1].end <= instance && instance < writers[likely].end;
        return isIt ? likely : owners_.stretchOf(plane.owner, instance);
    }

    /// So many steps from an element on, itself included, stay within [begin, end).
    static std::uint32_t roundsIn(std::int64_t element, std::int64_t stride, std::int64_t begin,
                                  std::int64_t end) {
        if (stride == 0) return ~std::uint32_t{0};
        const std::int64_t left = stride > 0 ? end - 1 - element : element - begin;
        return static_cast<std::uint32_t>(
            std::min<std::int64_t>(left / std::abs(stride) + 1, ~std::uint32_t{0}));
    }

    void addRun(const Read& read, std::int64_t element, std::uint32_t count,
                const Owners::Stretch& writer, unsigned rank) {
        const auto append = [&](std::int64_t first, std::uint64_t number) {
            found_.push_back({writer.level, writer.rank, rank, read.plane,
                              static_cast<std::uint64_t>(first), number});
        };
        if (read.stride == 0) return append(element, 1);
        if (read.stride == 1) return append(element, count);
        if (read.stride == -1) return append(element - (count - 1), count);
        for (std::uint32_t i = 0; i < count; ++i)
            append(element + std::int64_t{i} * read.stride, 1);
    }

    const Model& model_;
    const Owners& owners_;
    std::vector<Crossing> found_;
};

}  // namespace

void unite(std::vector<Crossing>& crossings) {
    std::ranges::sort(crossings);
    std::vector<Crossing> united;
    for (const Crossing& each : crossings) {
        if (!united.empty()) {
            Crossing& last = united.back();
            const bool isSame = last.level == each.level && last.from == each.from
                                && last.to == each.to && last.plane == each.plane;
            if (isSame && each.first <= last.first + last.count) {
                last.count = std::max(last.count, each.first + each.count - last.first);
                continue;
            }
        }
        united.push_back(each);
    }
    crossings = std::move(united);
}

std::vector<Crossing> crossingsOf(const Model& model, const Owners& owners) {
    Crossings crossings(model, owners);
    for (std::size_t i = 0; i < model.readCount; ++i) {
        Read read;
        std::memcpy(&read, model.reads + i * sizeof read, sizeof read);
        crossings.add(read);
    }
    return crossings.take();
}

std::vector<Halo> halosOf(const Model& model, const std::vector<Crossing>& crossings,
                          unsigned rank) {
    std::vector<Halo> halos(model.levels);
    for (const Crossing& each : crossings) {
        Halo& halo = halos[each.level];
        if (each.from == rank) halo.sends.push_back({each.to, each.plane, each.first, each.count});
        if (each.to == rank)
            halo.receives.push_back({each.from, each.plane, each.first, each.count});
    }
    return halos;
}

}  // namespace sme
