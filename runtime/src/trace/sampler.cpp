#include "trace/sampler.h"

#include <cstring>

namespace sme {

Sampler::Sampler(const Engine& engine, std::vector<Ref> columns)
    : engine_(engine), columns_(std::move(columns)) {
    const Model& model = engine.model();
    std::size_t bytes = 0;
    for (const Ref& ref : columns_) {
        const Plane& plane = model.planes[ref.plane];
        const bool changesInPlace = plane.home == Home::OneSlot;
        const bool variable = changesInPlace && isReadBefore(plane, ref.flags);
        kept_.push_back(variable ? bytes : kLive);
        if (variable) bytes += model.types[ref.type].bytes;
        needsPause_ |= changesInPlace || plane.home == Home::WrittenSlot;
    }
    snapshot_.resize(bytes);
}

void Sampler::snapshot() {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (kept_[i] == kLive) continue;
        const Ref& ref = columns_[i];
        // State has one slot; the cycle does not matter
        std::memcpy(snapshot_.data() + kept_[i],
                    engine_.read(ref.plane, ref.element, 0) + ref.offset,
                    model().types[ref.type].bytes);
    }
}

const std::byte* Sampler::at(std::size_t index, std::uint64_t cycle) const {
    if (kept_[index] != kLive) return snapshot_.data() + kept_[index];
    const Ref& ref = columns_[index];
    return engine_.read(ref.plane, ref.element, cycle) + ref.offset;
}

}  // namespace sme
