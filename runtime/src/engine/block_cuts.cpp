// A torus of 1,000 × 1,000 among 16 ranks: 16 bands of rows send 2 × 1,000 elements each in one
// piece, 4 × 4 blocks 4 × 250, in 250 pieces each; 8 bands of 2 blocks are between these.

#include "engine/block_cuts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/target.h"

namespace sme {
namespace {

/// What a block comes to, of about the size that all have.
class Blocks {
public:
    Blocks(const Model& model, const IndexSpace& space, unsigned ranks)
        : model_(model), space_(space), ranks_(ranks) {
        const std::vector<std::uint32_t>& pitches = space.pitches;
        double last = space.end - space.first;
        for (auto pitch = pitches.rbegin(); pitch != pitches.rend(); ++pitch) {
            extents_.push_back(last / *pitch);
            last = *pitch;
        }
        extents_.push_back(last);
        for (const std::uint32_t work : space.works) {
            cost_ += model.work[work].cost;
            granularity_ = std::max(granularity_, double(model.work[work].granularity));
        }
        const double past = std::fmod(space.pitches[0], granularity_);
        const double step = std::min(past, granularity_ - past);
        jag_ = 2 * step * (1 - step / granularity_);
        measureMemory();
    }

    std::size_t dimensions() const { return extents_.size(); }

    /// Of the rank with most, in units of static cost; infinite where memory is wasted.
    double costOf(const std::vector<unsigned>& bands, bool mayWaste) const {
        const std::vector<double> parts = partsOf(bands);
        const double instances = extents_[0] * rowsTimes() / ranks_;
        double cost = cost_ * largest(bands, 0, ranks_);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (parts[i] <= 1) continue;
            const double places = instances / (extents_[i] / parts[i]);
            cost += 2 * places * readsAlong(i) * target::kRankByteCost
                    + std::min(2.0, parts[i] - 1) * target::kRankMessageCost;
            const double copy = jag_ > 0 ? target::kRankRangeCost : target::kRankScalarCost;
            if (i + 1 == parts.size()) cost += 4 * places * copy;  // both sides, here and there
        }
        cost += 2 * target::kRankMessageCost * unevenBands(bands);
        const double pieces = piecesOf(parts, instances);
        const double spare = std::max(target::kSpareShare * bytes_ / ranks_, target::kSpareBytes);
        if (!mayWaste && wasted(pieces) > spare) return std::numeric_limits<double>::infinity();
        return cost + pieces * static_cast<double>(space_.works.size()) * target::kRankPieceCost;
    }

private:
    /// Bytes that cross to one place of a block's two faces along a dimension, from the other side.
    /// Borders within rows go up and down where rows do not begin at legal places.
    double readsAlong(std::size_t dimension) const {
        const std::size_t number = extents_.size() - 1 - dimension;
        const double straight = space_.reads[number].bytes;
        return number > 0 ? straight : straight + jag_ * space_.reads[1].bytes;
    }

    /// Dimensions whose bands have not all as many ranks, so that blocks have more neighbours.
    unsigned unevenBands(const std::vector<unsigned>& bands) const {
        unsigned count = 0;
        unsigned rest = ranks_;
        for (const unsigned band : bands) {
            count += rest % band != 0 ? 1 : 0;
            rest = (rest + band - 1) / band;
        }
        return count;
    }

    double rowsTimes() const {
        double product = 1;
        for (std::size_t i = 1; i < extents_.size(); ++i)
            product *= extents_[i];
        return product;
    }

    /// Instances of the largest block of so many ranks, from a dimension on: slices are whole, and in
    /// the last one places of equal rows are rounded in the same way.
    double largest(const std::vector<unsigned>& bands, std::size_t dimension,
                   unsigned ranks) const {
        const double extent = extents_[dimension];
        if (dimension == bands.size()) {
            const bool isEven = std::fmod(extent, granularity_) == 0;
            const double step = isEven ? granularity_ : 1;
            return std::ceil(extent / ranks / step) * step;
        }
        const unsigned own = std::min(bands[dimension], ranks);
        double most = 0;
        for (const unsigned some : {ranks / own, (ranks + own - 1) / own})
            most = std::max(most,
                            std::ceil(extent * some / ranks) * largest(bands, dimension + 1, some));
        return most;
    }

    /// By dimension. Where ranks and bands do not go into each other, of a band that has one more;
    /// its blocks are as large as all, so that they are higher.
    std::vector<double> partsOf(const std::vector<unsigned>& bands) const {
        std::vector<double> parts(bands.begin(), bands.end());
        unsigned rest = ranks_;
        for (const unsigned band : bands)
            rest = (rest + band - 1) / band;
        parts.push_back(rest);
        double others = 1;
        for (std::size_t i = 1; i < parts.size(); ++i)
            others *= parts[i];
        parts[0] = std::max(1.0, ranks_ / others);
        return parts;
    }

    /// Stretches of instances in a block.
    double piecesOf(const std::vector<double>& parts, double instances) const {
        double length = 1;
        for (std::size_t i = parts.size(); i-- > 0;) {
            length *= extents_[i] / parts[i];
            if (parts[i] > 1) break;
        }
        return instances / length;
    }

    /// Bytes of pages of which a rank needs a part only: one more for each stretch of each plane.
    double wasted(double pieces) const {
        return std::min(pieces * planes_ * target::kPage, bytes_);
    }

    void measureMemory() {
        for (std::uint32_t i = 0; i < model_.planeCount; ++i) {
            const Plane& plane = model_.planes[i];
            const bool isOwn = std::ranges::any_of(space_.works, [&](std::uint32_t work) {
                const std::span parts(model_.work[work].parts, model_.work[work].partCount);
                return std::ranges::find(parts, plane.owner, &WorkPart::cls) != parts.end();
            });
            if (!isOwn) continue;
            const double slots = plane.home == Home::OneSlot ? 1 : 2;
            planes_ += slots;
            bytes_ += slots * plane.instances * model_.types[plane.type].bytes;
        }
    }

    const Model& model_;
    const IndexSpace& space_;
    const unsigned ranks_;
    std::vector<double> extents_;  ///< places along each dimension, the slowest first
    double cost_ = 0;              ///< of a place
    double granularity_ = 1;
    double jag_ = 0;     ///< mean step of a border within rows, from row to row
    double planes_ = 0;  ///< each slot of one by itself
    double bytes_ = 0;
};

/// Tries all numbers of bands.
class Search {
public:
    Search(const Model& model, const IndexSpace& space, unsigned ranks, bool areCut)
        : blocks_(model, space, ranks), ranks_(ranks), areCut_(areCut), best_{space, {}} {
        best_.bands.assign(blocks_.dimensions() - 1, 1);
        best_.bands[0] = ranks;
        if (!areCut) cost_ = blocks_.costOf(best_.bands, false);
        std::vector<unsigned> bands;
        visit(bands, ranks);
    }

    const BlockCut& best() const { return best_; }

private:
    void visit(std::vector<unsigned>& bands, unsigned rest) {
        if (bands.size() + 1 == blocks_.dimensions()) return consider(bands);
        for (unsigned band = 1; band <= rest; ++band) {
            bands.push_back(band);
            visit(bands, rest / band);
            bands.pop_back();
        }
    }

    void consider(const std::vector<unsigned>& bands) {
        if (areCut_ && !areBlocks({best_.space, bands}, ranks_)) return;
        const double cost = blocks_.costOf(bands, areCut_);
        if (cost >= cost_) return;
        cost_ = cost;
        best_.bands = bands;
    }

    const Blocks blocks_;
    const unsigned ranks_;
    const bool areCut_;
    BlockCut best_;
    double cost_ = std::numeric_limits<double>::infinity();
};

}  // namespace

std::vector<BlockCut> blockCutsOf(const Model& model, unsigned ranks, bool areCut) {
    std::vector<BlockCut> cuts;
    for (const IndexSpace& space : indexSpacesOf(model))
        cuts.push_back(Search(model, space, ranks, areCut).best());
    return cuts;
}

bool areBlocks(const BlockCut& cut, unsigned ranks) { return cut.bands[0] < ranks; }

}  // namespace sme
