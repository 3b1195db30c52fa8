#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "hir/design.h"
#include "sema/fold.h"

namespace smec::sema {

/// Values of the constants of an instance, by number.
using ConstantValues = std::unordered_map<std::uint32_t, hir::Value>;

/// A body that is evaluated, with the values of its variables.
struct EvaluatedBody {
    const hir::Body& body;
    std::vector<hir::Value>& vars;
    hir::Value result;
    const ConstantValues* constants = nullptr;
};

/// What one constant evaluation may cost, and how it failed.
class EvaluationSteps {
public:
    explicit EvaluationSteps(std::uint64_t most) : most_(most) {}

    /// False: there were too many.
    bool spend(std::uint64_t steps, SourceRange range);
    bool step(SourceRange range) { return spend(1, range); }
    /// Keeps the first failure.
    std::nullopt_t fail(Failure failure, SourceRange range);

    Failure failure() const { return failure_; }
    SourceRange where() const { return where_; }

private:
    const std::uint64_t most_;
    std::uint64_t steps_ = 0;
    Failure failure_ = Failure::None;
    SourceRange where_;
};

}  // namespace smec::sema
