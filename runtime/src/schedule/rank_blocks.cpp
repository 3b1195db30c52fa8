// A grid of 4 × 6 among 5 ranks in two bands, granularity 1; the bands have 2 and 3 of the ranks:
//
//   0 0 0 1 1 1
//   0 0 0 1 1 1
//   2 2 3 3 4 4
//   2 2 3 3 4 4

#include "schedule/rank_blocks.h"

#include <algorithm>

namespace sme {
namespace {

/// Ranks [first, first + count).
struct Ranks {
    unsigned first;
    unsigned count;
};

/// Cuts a work, from its first instance on.
class Cutter {
public:
    Cutter(const Work& work, std::uint32_t number, RankShares& shares)
        : work_(work), number_(number), shares_(shares) {}

    /// Up to an instance, the same part for each rank.
    void line(std::uint32_t end) {
        const std::uint32_t first = at_;
        if (first >= end) return;
        row(first, end - first, end, {0, shares_.ranks()});
    }

    void grid(const BlockCut& cut) {
        at_ = cut.space.first;
        dimension(cut, 0, cut.space.first, cut.space.end, {0, shares_.ranks()});
    }

private:
    /// Instances [first, end), which are slices of a dimension.
    void dimension(const BlockCut& cut, std::size_t number, std::uint32_t first, std::uint32_t end,
                   Ranks ranks) {
        const std::vector<std::uint32_t>& pitches = cut.space.pitches;
        if (number == pitches.size()) return row(first, pitches[0], end, ranks);
        const std::uint32_t pitch = pitches[pitches.size() - 1 - number];
        const std::uint64_t slices = (std::uint64_t{end} - first + pitch - 1) / pitch;
        const unsigned bands = std::min(cut.bands[number], ranks.count);
        std::uint64_t slice = 0;
        for (unsigned band = 0; band < bands; ++band) {
            const unsigned from = part(ranks.count, band, bands);
            const unsigned to = part(ranks.count, band + 1, bands);
            for (const std::uint64_t last = part(slices, to, ranks.count); slice < last; ++slice) {
                const std::uint64_t start = first + slice * pitch;
                const auto stop =
                    static_cast<std::uint32_t>(std::min<std::uint64_t>(start + pitch, end));
                dimension(cut, number + 1, static_cast<std::uint32_t>(start), stop,
                          {ranks.first + from, to - from});
            }
        }
    }

    /// `width` instances, of which those up to `end` are there.
    void row(std::uint32_t first, std::uint32_t width, std::uint32_t end, Ranks ranks) {
        for (unsigned i = 0; i < ranks.count; ++i) {
            const std::uint64_t border = first + part(std::uint64_t{width}, i + 1, ranks.count);
            at_ = legal(std::min<std::uint64_t>(border, end));
            shares_.give(number_, at_, ranks.first + i);
        }
    }

    template <typename Whole>
    static Whole part(Whole whole, unsigned number, unsigned parts) {
        return static_cast<Whole>(std::uint64_t{whole} * number / parts);
    }

    std::uint32_t legal(std::uint64_t instance) const {
        const std::uint64_t granularity = std::max(1u, work_.granularity);
        const std::uint64_t place = (instance + granularity / 2) / granularity * granularity;
        const bool isEnd = instance >= work_.count || place > work_.count;
        return isEnd ? work_.count : static_cast<std::uint32_t>(place);
    }

    const Work& work_;
    const std::uint32_t number_;
    RankShares& shares_;
    std::uint32_t at_ = 0;
};

}  // namespace

RankShares sharesOfBlocks(const Model& model, unsigned ranks, const std::vector<BlockCut>& cuts) {
    RankShares shares(model, ranks);
    dealWhole(model, shares);
    std::vector<std::vector<const BlockCut*>> ofWork(model.workCount);
    for (const BlockCut& cut : cuts)
        for (const std::uint32_t work : cut.space.works)
            ofWork[work].push_back(&cut);
    for (std::uint32_t i = 0; i < model.workCount; ++i) {
        if (isWhole(model.work[i])) continue;
        Cutter cutter(model.work[i], i, shares);
        std::ranges::sort(ofWork[i], {}, [](const BlockCut* cut) { return cut->space.first; });
        for (const BlockCut* cut : ofWork[i]) {
            cutter.line(cut->space.first);
            cutter.grid(*cut);
        }
        cutter.line(model.work[i].count);
    }
    return shares;
}

}  // namespace sme
