#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sme/model.h"
#include "values/work_parts.h"

namespace sme {

/// What each rank runs: the instances of each work in pieces, cut where the planner may cut.
class RankShares {
public:
    /// Instances of a work up to, not including, `end`, from the end of the piece before on.
    struct Piece {
        std::uint32_t end;
        unsigned rank;
        bool operator==(const Piece&) const = default;
    };

    RankShares(const Model& model, unsigned ranks) : ranks_(ranks), pieces_(model.workCount) {}

    unsigned ranks() const { return ranks_; }
    std::span<const Piece> of(std::uint32_t work) const { return pieces_[work]; }
    /// A rank gets the instances of a work up to `end` that nobody has yet.
    void give(std::uint32_t work, std::uint32_t end, unsigned rank);

    /// use(range, rank) for the pieces of a work, in order.
    template <typename Use>
    void forEach(std::uint32_t work, const Use& use) const {
        std::uint32_t begin = 0;
        for (const Piece& piece : pieces_[work]) {
            use(InstanceRange{begin, piece.end}, piece.rank);
            begin = piece.end;
        }
    }

private:
    unsigned ranks_;
    std::vector<std::vector<Piece>> pieces_;  ///< by work
};

/// A number that other shares of the same model hardly have.
std::uint64_t numberOf(const Model& model, const RankShares& shares);

/// The list of each level in so many stretches of about equal cost, as model m2 gives it to
/// threads.
RankShares sharesOfLists(const Model& model, unsigned ranks);

/// The same part of the instances of each work; indivisible ones whole, in order of the list. For
/// kinds of processes that read one another instance by instance.
RankShares sharesOfEach(const Model& model, unsigned ranks);

/// Whether a work cannot be cut.
bool isWhole(const Work& work);

/// Deals works that cannot be cut, those of each level in order, in stretches of about equal cost.
void dealWhole(const Model& model, RankShares& shares);

/// By rank, the static cost of a cycle.
std::vector<double> costsOf(const Model& model, const RankShares& shares);

}  // namespace sme
