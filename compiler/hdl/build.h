#pragma once

#include <optional>

#include "diag/diagnostics.h"
#include "hdl/hdl.h"
#include "hir/design.h"
#include "source/source_manager.h"

namespace smec::hdl {

/// The hardware of a design. `design`: without aliases, with its networks; `lowered`: from it,
/// unchecked, without levels. Test benches (`sim proc`) are left out; what they drive are inputs of
/// the top. Reports what hardware cannot do; nothing is the result then.
std::optional<Design> build(const hir::Design& design, ir::Design lowered,
                            const SourceManager& sources, Diagnostics& diagnostics);

}  // namespace smec::hdl
