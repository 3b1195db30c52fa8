#pragma once

#include "hdl/body.h"
#include "hdl/hdl.h"
#include "hir/design.h"

namespace smec::hdl {

/// The hardware of a design. `design`: without aliases, with its networks; `lowered`: from it,
/// unchecked, without levels. Test benches (`sim proc`) are left out; what they drive are inputs of
/// the top. Adds complaints for what hardware cannot do; the result is unusable then.
Design build(const hir::Design& design, ir::Design lowered, const SourceManager& sources,
             std::vector<Complaint>& complaints);

}  // namespace smec::hdl
