#pragma once

#include "codegen/cpp/decide/body_info.h"
#include "codegen/cpp/decide/kernel_plan.h"

namespace smec::codegen::cpp {

/// Where an activation stands.
struct ActivationOf {
    Checks checks = Checks::Test;
    bool mayBeUnobserved = false;  ///< of a block with unobserved cycles
};

/// Decides about an activation whose accesses are all there: which variables have a copy, what is stored
/// behind the body, and whether it may leave it early.
void decideStores(Activation& activation, const BodyInfo& info, ActivationOf where,
                  const rules::Asker& ledger);

}  // namespace smec::codegen::cpp
