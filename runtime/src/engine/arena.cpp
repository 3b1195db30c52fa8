#include "engine/arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "engine/target.h"
#include "schedule/topology.h"

namespace sme {
namespace {

std::size_t roundUp(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

/// Where a region of `bytes` ends and the next one starts. Regions that lie a multiple of 4 KiB
/// apart would map element i of each to the same cache set, and processors that compare the low 12
/// address bits of loads and stores would see conflicts.
std::size_t after(std::size_t start, std::size_t bytes, std::size_t skew) {
    return roundUp(start + bytes, 4096) + skew;
}

/// Fills `count` values of `size` bytes with one value, doubling what is there already.
void replicate(std::byte* target, const std::byte* value, std::size_t size, std::size_t count) {
    const std::size_t total = size * count;
    if (total == 0) return;
    std::memcpy(target, value, size);
    for (std::size_t done = size; done < total; done *= 2) {
        std::memcpy(target + done, target, std::min(done, total - done));
    }
}

std::size_t elementBytes(const Model& model, std::uint32_t type) {
    while (model.types[type].kind == Kind::Array)
        type = model.types[type].element;
    return model.types[type].bytes;
}

void fill(const Model& model, std::byte* region, const Plane& plane, std::size_t begin,
          std::size_t end) {
    const std::size_t size = model.types[plane.type].bytes;
    std::byte* target = region + plane.offset + begin * size;
    switch (plane.initial) {
    case Initial::Zero: std::memset(target, 0, (end - begin) * size); break;
    case Initial::Uniform: replicate(target, plane.initialData, size, end - begin); break;
    case Initial::Column:
        std::memcpy(target, plane.initialData + begin * size, (end - begin) * size);
        break;
    case Initial::Elements: {
        const std::size_t element = elementBytes(model, plane.type);
        replicate(target, plane.initialData, element, (end - begin) * (size / element));
        break;
    }
    }
}

}  // namespace

Arena::Arena(const Model& model, bool isInterleaved) : model_(model) {
    const std::size_t second = after(0, model.clockedBytes, target::kSecondSlotSkew);
    const std::size_t state = after(second, model.clockedBytes, target::kStateSkew);
    bytes_ = roundUp(state + model.stateBytes + target::kLine, 4096);
    const bool huge = bytes_ >= target::kHugePage;
    const std::size_t mapped =
        huge ? roundUp(bytes_, target::kHugePage) + target::kHugePage : bytes_;
    void* memory =
        mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    base_ = static_cast<std::byte*>(memory);
    bytes_ = mapped;
    std::byte* start = base_;
    if (huge) {
        const auto address = reinterpret_cast<std::uintptr_t>(base_);
        start = base_ + (roundUp(address, target::kHugePage) - address);
        madvise(start, mapped - target::kHugePage,
                MADV_HUGEPAGE);  // only advice: without huge pages all works, slower
    }
    if (isInterleaved) interleavePages(base_, bytes_);
    slots_[0] = start;
    slots_[1] = start + second;
    state_ = start + state;
}

Arena::~Arena() {
    releaseObjects();
    munmap(base_, bytes_);
}

void Arena::clear() {
    releaseObjects();
    std::memset(slots_[0], 0, model_.clockedBytes);
    std::memset(slots_[1], 0, model_.clockedBytes);
    std::memset(state_, 0, model_.stateBytes);
}

std::vector<std::byte> Arena::copy(std::vector<std::byte> memory) const {
    memory.clear();
    memory.reserve(2 * model_.clockedBytes + model_.stateBytes);
    for (const std::byte* slot : slots_)
        memory.insert(memory.end(), slot, slot + model_.clockedBytes);
    memory.insert(memory.end(), state_, state_ + model_.stateBytes);
    return memory;
}

void Arena::assign(std::span<const std::byte> memory) {
    releaseObjects();
    const auto take = [&](std::byte* target, std::size_t bytes) {
        std::copy_n(memory.begin(), bytes, target);
        memory = memory.subspan(bytes);
    };
    take(slots_[0], model_.clockedBytes);
    take(slots_[1], model_.clockedBytes);
    take(state_, model_.stateBytes);
}

void Arena::releaseObjects() {
    for (std::uint32_t i = 0; i < model_.objectCount; ++i) {
        const Plane& plane = model_.planes[model_.objects[i].plane];
        const auto* objects = reinterpret_cast<const std::uint64_t*>(state_ + plane.offset);
        for (std::uint32_t instance = 0; instance < plane.instances; ++instance) {
            if (objects[instance] != 0) model_.objects[i].release(objects[instance]);
        }
    }
}

std::span<std::byte* const> Arena::regionsOf(const Plane& plane) const {
    return plane.home == Home::OneSlot ? std::span(&state_, 1) : std::span(slots_);
}

void Arena::initialise(std::uint32_t index, ElementRange range) {
    const Plane& plane = model_.planes[index];
    for (std::byte* region : regionsOf(plane))
        fill(model_, region, plane, range.first, range.end);
}

void Arena::settle(const Residence& residence) {
    if (bytes_ < target::kHugePage) return;
    madvise(base_, bytes_, MADV_NOHUGEPAGE);  // only advice, all of it
    for (std::uint32_t index = 0; index < model_.planeCount; ++index) {
        const Plane& plane = model_.planes[index];
        const std::size_t size = model_.types[plane.type].bytes;
        for (const ElementRange& range : residence.of(index)) {
            for (std::byte* const region : regionsOf(plane)) {
                const auto at = reinterpret_cast<std::uintptr_t>(region + plane.offset);
                const std::uintptr_t first = roundUp(at + range.first * size, target::kHugePage);
                const std::uintptr_t end =
                    (at + range.end * size) / target::kHugePage * target::kHugePage;
                if (first < end)
                    madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
            }
        }
    }
}

void Arena::initialise(unsigned part, unsigned parts, const Residence* residence) {
    for (std::uint32_t index = 0; index < model_.planeCount; ++index) {
        const Plane& plane = model_.planes[index];
        if (plane.initial == Initial::Zero && !isBig()) continue;  // as the system gave it
        const ElementRange all{0, plane.instances};
        const std::span ranges = residence ? residence->of(index) : std::span(&all, 1);
        std::uint64_t count = 0;
        for (const ElementRange& range : ranges)
            count += range.end - range.first;
        // of all of them one after the other, as threads share out the instances
        const std::uint64_t begin = count * part / parts;
        const std::uint64_t end = count * (part + 1) / parts;
        std::uint64_t before = 0;
        for (const ElementRange& range : ranges) {
            const std::uint64_t own = range.end - range.first;
            const std::uint64_t from = std::clamp(begin, before, before + own) - before;
            const std::uint64_t to = std::clamp(end, before, before + own) - before;
            if (from < to) initialise(index, {range.first + from, range.first + to});
            before += own;
        }
    }
}

const std::byte* initialValue(const Model& model, const Plane& plane, std::uint64_t element) {
    switch (plane.initial) {
    case Initial::Zero: return nullptr;
    case Initial::Uniform:
    case Initial::Elements: return plane.initialData;
    case Initial::Column: return plane.initialData + element * model.types[plane.type].bytes;
    }
    return nullptr;
}

}  // namespace sme
