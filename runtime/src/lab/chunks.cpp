// Every scheme is an object that tells the size of chunk number i, of `left` instances not handed
// out yet; a batch is as many successive chunks as there are threads. With 100 instances and 4
// threads:
//
//   gss   25 19 14 11 8 6 5 3 3 2 1 1 1 1
//   fac2  13 13 13 13   6 6 6 6   3 3 3 3   2 2 2 2   1 1 1 1
//   fiss  5 5 5 5   9 9 9 9   13 13 13 5

#include "lab/chunks.h"
#include "lab/target.h"

#include <algorithm>
#include <cmath>

namespace sme {
namespace {

using Size = std::uint64_t;

Size roundedUp(Size dividend, Size divisor) { return (dividend + divisor - 1) / divisor; }

/// N/parts each, the first ones one larger.
Size equalPart(Size total, Size parts, Size index) {
    return total / parts + (index < total % parts ? 1 : 0);
}

/// tss: sizes fall by a constant step from half of a static share to about 1.
struct TrapezoidSizes {
    TrapezoidSizes(Size total, Size threads)
        : first(std::max<Size>(1, roundedUp(total, 2 * threads))) {
        const Size steps = roundedUp(2 * total, first + 1);
        if (steps > 1) step = (first - 1) / (steps - 1);
    }
    Size at(Size index) const {
        const Size fall = index * step;
        return fall < first ? first - fall : 1;
    }
    Size first;
    Size step = 0;
};

/// The first size of fiss and viss: of B batches whose sizes grow.
Size firstOfIncreasing(Size total, Size threads, double batches) {
    const double size = static_cast<double>(total) / ((2 + batches) * static_cast<double>(threads));
    return std::max<Size>(1, static_cast<Size>(size));
}

Size fixedIncrease(Size total, Size threads, double batches) {
    const double rest = 2 * static_cast<double>(total) * (1 - batches / (2 + batches));
    return static_cast<Size>(
        std::ceil(rest / (static_cast<double>(threads) * batches * (batches - 1))));
}

/// viss: the increase halves from batch to batch.
Size variableIncrease(Size first, Size batch) {
    Size size = first;
    Size increase = first / 2;
    for (Size i = 0; i < batch && increase > 0; ++i, increase /= 2)
        size += increase;
    return size;
}

/// mfsc: the one size that gives about as many chunks as factoring. Factoring halves what is left
/// with each batch of P chunks, until about one instance a thread is left: P log2((N + P - 1) / P)
/// chunks; N + P - 1 instances by that number, log2 x being ln x / ln 2.
Size fixedSizeLikeFactoring(Size total, Size threads) {
    const double p = static_cast<double>(threads);
    const double padded = static_cast<double>(total) + p - 1;
    const double halvings = std::log(padded / p);
    if (halvings <= 0) return 1;
    return std::max<Size>(1, static_cast<Size>(std::ceil(std::log(2.0) * padded / (p * halvings))));
}

class Sizes {
public:
    Sizes(const ChunkRule& rule, Size total, Size threads)
        : rule_(rule), total_(total), threads_(threads), trapezoid_(total, threads) {
        const bool increases = rule.scheme == ChunkScheme::FixedIncrease
                               || rule.scheme == ChunkScheme::VariableIncrease;
        if (increases) {
            batches_ = rule.parameter >= 2 ? rule.parameter : target::kBatches;
            first_ = firstOfIncreasing(total, threads, batches_);
            increase_ = fixedIncrease(total, threads, batches_);
        }
        if (rule.scheme == ChunkScheme::PerformanceLoop) {
            const double share = std::clamp(rule.parameter, 0.0, 1.0);
            dealt_ = static_cast<Size>(std::floor(static_cast<double>(total) * share));
        }
        if (rule.scheme == ChunkScheme::ModifiedFixedSize)
            first_ = fixedSizeLikeFactoring(total, threads);
    }

    Size at(Size index, Size left) {
        const Size batch = index / threads_;
        switch (rule_.scheme) {
        case ChunkScheme::Static: return equalPart(total_, threads_, index);
        case ChunkScheme::SelfScheduling: return 1;
        case ChunkScheme::Guided: return roundedUp(left, threads_);
        case ChunkScheme::Trapezoid: return trapezoid_.at(index);
        case ChunkScheme::Factoring:
            if (index % threads_ == 0) inBatch_ = roundedUp(left, 2 * threads_);
            return inBatch_;
        case ChunkScheme::TrapezoidFactoring: return meanOfTrapezoids(batch);
        case ChunkScheme::FixedIncrease:
            return first_ + std::min(batch, static_cast<Size>(batches_) - 1) * increase_;
        case ChunkScheme::VariableIncrease: return variableIncrease(first_, batch);
        case ChunkScheme::PerformanceLoop:
            if (dealt_ >= threads_ && index < threads_) return equalPart(dealt_, threads_, index);
            return roundedUp(left, threads_);
        case ChunkScheme::Probabilistic:
            return probabilisticSize(left, static_cast<double>(threads_));
        case ChunkScheme::ModifiedFixedSize: return first_;
        case ChunkScheme::ModifiedStatic: return equalPart(total_, 4 * threads_, index);
        }
        return 1;
    }

private:
    Size meanOfTrapezoids(Size batch) const {
        Size sum = 0;
        for (Size i = 0; i < threads_; ++i)
            sum += trapezoid_.at(batch * threads_ + i);
        return sum / threads_;
    }

    const ChunkRule& rule_;
    const Size total_, threads_;
    const TrapezoidSizes trapezoid_;
    double batches_ = target::kBatches;
    Size first_ = 1;     ///< fiss, viss: of the first batch; mfsc: of all
    Size increase_ = 0;  ///< fiss
    Size dealt_ = 0;     ///< pls: instances dealt statically
    Size inBatch_ = 0;   ///< fac2
};

}  // namespace

std::uint64_t probabilisticSize(std::uint64_t left, double idle) {
    return std::max<Size>(1,
                          static_cast<Size>(std::ceil(static_cast<double>(left) / (1.5 * idle))));
}

std::vector<std::uint64_t> chunkSizes(const ChunkRule& rule, std::uint64_t total,
                                      unsigned threads) {
    std::vector<std::uint64_t> result;
    Sizes sizes(rule, total, threads);
    const Size smallest = std::max<Size>(1, rule.smallest);
    for (Size left = total; left > 0; left -= result.back())
        result.push_back(std::min(left, std::max(smallest, sizes.at(result.size(), left))));
    return result;
}

}  // namespace sme
