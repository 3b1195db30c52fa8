#pragma once

#include <numeric>
#include <vector>

#include "test_models.h"

namespace sme::test {

/// Closed grids, one after the other, of processes that read `limbs` words of those before and after
/// them in each dimension; of several kinds, instance i of each reads the kind after its own.
class GridModel : public ModelBuilder {
public:
    /// `shapes`: of each grid its extents, the slowest dimension first.
    explicit GridModel(const std::vector<std::vector<std::uint32_t>>& shapes,
                       std::uint32_t kinds = 1, std::uint32_t granularity = 16,
                       std::uint32_t limbs = 1)
        : limbs_(limbs) {
        for (const auto& shape : shapes)
            count_ += sizeOf(shape);
        const std::uint32_t u32 = integer(false, 32);
        const Instances nothing = [](const Thread&, const Slots&, std::uint32_t, std::uint32_t) {};
        for (std::uint32_t kind = 0; kind < kinds; ++kind) {
            const std::uint32_t cls =
                process("cell", nothing, count_, granularity, 2, 0, kind, kinds);
            planes_.push_back(plane(Home::TwoSlots, u32, count_ * limbs));
            writes(cls, planes_.back());
        }
        for (std::uint32_t kind = 0; kind < kinds; ++kind) {
            std::uint32_t first = 0;
            for (const auto& shape : shapes) {
                wire(kind, planes_[(kind + 1) % kinds], shape, first);
                first += sizeOf(shape);
            }
        }
    }

    std::uint32_t count() const { return count_; }

private:
    static std::uint32_t sizeOf(const std::vector<std::uint32_t>& shape) {
        return std::accumulate(shape.begin(), shape.end(), 1u, std::multiplies<>());
    }

    /// In each dimension a run for all but the last slice, and one that closes it.
    void wire(std::uint32_t cls, std::uint32_t plane, const std::vector<std::uint32_t>& shape,
              std::uint32_t first) {
        std::uint32_t pitch = 1;
        for (std::size_t dimension = shape.size(); dimension-- > 0;) {
            const std::uint32_t extent = shape[dimension];
            const std::uint32_t all = pitch * extent;
            for (std::uint32_t at = first; at < first + sizeOf(shape); at += all) {
                read(cls, at, all - pitch, plane, at + pitch);
                read(cls, at + all - pitch, pitch, plane, at);
                read(cls, at + pitch, all - pitch, plane, at);
                read(cls, at, pitch, plane, at + all - pitch);
            }
            pitch = all;
        }
    }

    void read(std::uint32_t cls, std::uint32_t first, std::uint32_t count, std::uint32_t plane,
              std::uint32_t from) {
        for (std::uint32_t limb = 0; limb < limbs_; ++limb)
            reads({cls, first, count, plane, from * limbs_ + limb,
                   static_cast<std::int32_t>(limbs_)});
    }

    const std::uint32_t limbs_;
    std::uint32_t count_ = 0;
    std::vector<std::uint32_t> planes_;
};

}  // namespace sme::test
