#pragma once

#include <optional>

#include "hir/design.h"
#include "rules/ledger.h"

namespace smec::rewrite {

/// The design with a specialisation for every level of combinational processes that read others of
/// the same process in the same cycle, so that the instances of one specialisation do not depend on
/// one another, and can run in a loop, in lanes, and on several threads. Nothing when there are no
/// such processes, or too few on a level. O(instances · fields).
///
///     generate c = 0 until 100 { generate i = 0 until 3 { instance p[c][i] of p(w[c][i], w[c][i +
///     1]); } }   ->   specialisations of p for p[…][0], p[…][1] and p[…][2]
/// The ledger is asked for the class that has the number of a chain's first specialisation.
std::optional<hir::Design> withLevels(const hir::Design& design, const rules::Asker& ledger = {});

}  // namespace smec::rewrite
