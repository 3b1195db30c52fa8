// The values of a state stand in one order for all, as if one process had written them. A rank has
// stretches of them:
//
//   state    a[0] a[1] a[2] a[3] b[0] b[1] b[2] b[3]
//   rank 0   ---------           ---------
//   rank 1             ---------           ---------

#include "engine/state_part.h"

#include <algorithm>
#include <cstring>

#include "engine/state_layout.h"
#include "engine/state_objects.h"
#include "sme/state_format.h"
#include "values/value.h"

namespace sme {
namespace {

constexpr std::size_t kBuffer = std::size_t{64} << 10;

/// Numbers of those of `count` elements, from `start` on, `stride` apart, that lie in a range.
struct Numbers {
    std::uint64_t first, end;
};
Numbers numbersIn(ElementRange range, const StateStretch& all) {
    const auto within = [&](std::int64_t number) {
        return static_cast<std::uint64_t>(
            std::clamp<std::int64_t>(number, 0, static_cast<std::int64_t>(all.count)));
    };
    const auto up = [](std::int64_t a, std::int64_t b) { return a <= 0 ? 0 : (a + b - 1) / b; };
    const auto start = static_cast<std::int64_t>(all.element);
    const auto first = static_cast<std::int64_t>(range.first);
    const auto end = static_cast<std::int64_t>(range.end);
    if (all.stride == 0)
        return start >= first && start < end ? Numbers{0, all.count} : Numbers{0, 0};
    if (all.stride > 0)
        return {within(up(first - start, all.stride)), within(up(end - start, all.stride))};
    return {within(up(start - end + 1, -all.stride)), within(up(start - first + 1, -all.stride))};
}

}  // namespace

StatePart::StatePart(const Model& model, const Residence& residence, unsigned rank)
    : model_(model), residence_(residence), rank_(rank) {
    PlannedState plan = planState(model);
    std::uint64_t at = 0;
    const auto addAll = [&](const std::vector<StatePiece>& pieces,
                            const std::vector<const NameRun*>& runs) {
        for (std::size_t i = 0; i < runs.size(); ++i) {
            add(*runs[i], at);
            at += pieces[i].values;
        }
    };
    addAll(plan.skeleton.named, plan.named);
    addAll(plan.skeleton.hidden, plan.hidden);
    std::ranges::sort(stretches_, {}, &StateStretch::at);
    skeleton_ = std::move(plan.skeleton);
}

void StatePart::add(const NameRun& run, std::uint64_t at) {
    if (run.leaves) return addPieces(run, at);
    const std::uint32_t type = model_.planes[run.plane].type;
    addRun({at, run.plane, type, run.start, run.stride, run.count, 0, model_.types[type].bytes});
}

/// Values whose parts lie in several places.
void StatePart::addPieces(const NameRun& run, std::uint64_t at) {
    for (std::uint32_t i = 0; i < run.count; ++i)
        forEachPiece(model_, refOf(model_, run, i), [&](const Ref& ref, std::size_t bytes) {
            addRun({at, ref.plane, ref.type, ref.element, 0, 1, ref.offset,
                    static_cast<std::uint32_t>(bytes)});
            at += bytes;
        });
}

/// Of a stretch, what is this rank's.
void StatePart::addRun(const StateStretch& all) {
    if (all.bytes == 0 || all.count == 0) return;
    const auto last = static_cast<std::int64_t>(all.element)
                      + all.stride * (static_cast<std::int64_t>(all.count) - 1);
    const std::uint64_t lowest = std::min(all.element, static_cast<std::uint64_t>(last));
    const std::uint64_t highest = std::max(all.element, static_cast<std::uint64_t>(last));
    const std::span<const ElementRange> ranges = residence_.of(all.plane);
    auto range = std::ranges::upper_bound(ranges, lowest, {}, &ElementRange::end);
    for (; range != ranges.end() && range->first <= highest; ++range) {
        const Numbers numbers = numbersIn(*range, all);
        if (numbers.first >= numbers.end) continue;
        StateStretch own = all;
        own.at += numbers.first * all.bytes;
        own.element += numbers.first * static_cast<std::uint64_t>(all.stride);
        own.count = numbers.end - numbers.first;
        stretches_.push_back(own);
    }
}

bool StatePart::isHere(std::uint32_t plane, std::uint64_t element) const {
    const std::span<const ElementRange> ranges = residence_.of(plane);
    const auto range = std::ranges::upper_bound(ranges, element, {}, &ElementRange::end);
    return range != ranges.end() && range->first <= element;
}

// ---------------------------------------------------------------- writing

ShardMark StatePart::write(ShardWriter& shard, const Arena& arena, std::uint64_t cycle) const {
    for (const StateStretch& stretch : stretches_) {
        const Plane& plane = model_.planes[stretch.plane];
        if (plane.owner == ~std::uint32_t{0} && rank_ != 0) continue;
        const Slots slots = arena.slots(cycle, plane.group);
        writeStretch(shard, stretch, valueOf(model_, plane, 0, slots, Moment::Before));
    }
    const std::vector<Snapshot::Object> kept = objects(arena);
    StateWriter out;
    writeObjects(out, model_, kept);
    return shard.finish(static_cast<std::uint32_t>(kept.size()), out.take());
}

void StatePart::writeStretch(ShardWriter& shard, const StateStretch& stretch,
                             const std::byte* plane) const {
    const std::uint64_t size = model_.types[model_.planes[stretch.plane].type].bytes;
    const std::byte* from = plane + stretch.element * size + stretch.offset;
    const std::int64_t step = stretch.stride * static_cast<std::int64_t>(size);
    if (stretch.count == 1 || step == stretch.bytes)
        return shard.add(stretch.at, {from, stretch.count * stretch.bytes});
    for (std::uint64_t i = 0; i < stretch.count; ++i)
        shard.add(stretch.at + i * stretch.bytes,
                  {from + static_cast<std::int64_t>(i) * step, stretch.bytes});
}

/// Those that this rank's processes have made.
std::vector<Snapshot::Object> StatePart::objects(const Arena& arena) const {
    std::vector<Snapshot::Object> kept;
    for (std::uint32_t list = 0; list < model_.objectCount; ++list) {
        const Objects& objects = model_.objects[list];
        const std::uint64_t* places = placesOf(model_, objects, arena.state());
        const ForeignObject::Functions functions = functionsOf(objects);
        if (ForeignObject::areOutside(functions)) continue;
        for (const ElementRange& range : residence_.of(objects.plane))
            for (std::uint64_t i = range.first; i < range.end; ++i)
                if (places[i] != 0)
                    kept.push_back({list, static_cast<std::uint32_t>(i),
                                    ForeignObject::copyOf(places[i], functions)});
    }
    return kept;
}

// ---------------------------------------------------------------- reading

void StatePart::read(const ShardManifest& manifest, const std::string& folder, Arena& arena) const {
    std::vector<ShardStretch> all;
    for (unsigned rank = 0; rank < manifest.shards.size(); ++rank) {
        ShardReader shard(folder, manifest.shards[rank], manifest.checkpoint, rank);
        readShard(shard, arena);
        readObjectsOf(shard, arena);
        all.insert(all.end(), shard.stretches().begin(), shard.stretches().end());
    }
    checkCover(std::move(all), manifest.skeleton.values());
}

/// Both lists ascend.
void StatePart::readShard(ShardReader& shard, Arena& arena) const {
    std::uint64_t place = 0;  // in the shard
    auto own = stretches_.begin();
    for (std::size_t number = 0; number < shard.stretches().size(); ++number) {
        const ShardStretch& theirs = shard.stretches()[number];
        while (own != stretches_.end() && own->end() <= theirs.first)
            ++own;
        for (auto each = own; each != stretches_.end() && each->at < theirs.end(); ++each) {
            const std::uint64_t first = std::max(each->at, theirs.first);
            const ShardStretch both{first, std::min(each->end(), theirs.end()) - first};
            if ((both.first - each->at) % each->bytes != 0 || both.bytes % each->bytes != 0)
                shard.refuse("is damaged", shard.byteOfStretch(number));
            take(shard, place + (first - theirs.first), *each, both, arena);
        }
        place += theirs.bytes;
    }
}

/// `both` starts and ends where values do.
void StatePart::take(ShardReader& shard, std::uint64_t place, const StateStretch& stretch,
                     ShardStretch both, Arena& arena) const {
    const Plane& plane = model_.planes[stretch.plane];
    const std::uint64_t size = model_.types[plane.type].bytes;
    const std::uint64_t first = (both.first - stretch.at) / stretch.bytes;
    const std::uint64_t atOnce = std::max<std::uint64_t>(1, kBuffer / stretch.bytes);
    std::vector<std::byte> values(std::min(both.bytes, atOnce * stretch.bytes));
    for (std::uint64_t done = 0; done < both.bytes / stretch.bytes; done += atOnce) {
        const std::uint64_t count = std::min(atOnce, both.bytes / stretch.bytes - done);
        shard.read(place + done * stretch.bytes, std::span(values).first(count * stretch.bytes));
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::byte* const value = values.data() + i * stretch.bytes;
            if (!areValues(model_, stretch.type, value))
                shard.refuse(std::string("has a value that is none of ")
                                 + model_.types[stretch.type].name,
                             shard.byteOfValues(place + (done + i) * stretch.bytes));
            const std::uint64_t element =
                stretch.element + (first + done + i) * static_cast<std::uint64_t>(stretch.stride);
            for (std::byte* const region : arena.regionsOf(plane))
                std::memcpy(region + plane.offset + element * size + stretch.offset, value,
                            stretch.bytes);
        }
    }
}

void StatePart::readObjectsOf(const ShardReader& shard, Arena& arena) const {
    StateReader in(shard.bytesOfObjects(), shard.byteOfObjects());
    std::vector<Snapshot::Object> all;
    if (!readObjects(in, model_, shard.objects(), all).empty() || !in.isAtEnd())
        shard.refuse("is damaged", in.offset());
    for (const Snapshot::Object& each : all) {
        const Objects& list = model_.objects[each.list];
        if (isHere(list.plane, each.instance))
            placesOf(model_, list, arena.state())[each.instance] = each.object.copy();
    }
}

}  // namespace sme
