#pragma once

#include <optional>
#include <vector>

#include "ir/ir.h"
#include "rules/ledger.h"

namespace smec::plan {

/// The logs that held arrays with two slots need, by plane: of large ones of which an activation sets few
/// elements. Those that are read first have one slot (by plane), and need none. The design has no logs yet.
std::vector<std::optional<ir::LogForm>>
logsFor(const ir::Design& design, const std::vector<bool>& isReadFirst, const rules::Asker& ledger);

}  // namespace smec::plan
