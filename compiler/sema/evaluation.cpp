#include "sema/evaluation.h"

namespace smec::sema {

bool EvaluationSteps::spend(std::uint64_t steps, SourceRange range) {
    steps_ += steps;
    if (steps_ <= most_) return true;
    fail(Failure::TooManySteps, range);
    return false;
}

std::nullopt_t EvaluationSteps::fail(Failure failure, SourceRange range) {
    if (failure_ == Failure::None) {
        failure_ = failure;
        where_ = range;
    }
    return std::nullopt;
}

}  // namespace smec::sema
