#pragma once

#include <vector>

#include "hdl/body.h"
#include "hir/body.h"

namespace smec::hdl {

/// The module of an extern process: ports that are called as those of another process would be, and
/// its constants as parameters. Reports types that hardware does not have.
Process makeForeign(const ir::Design& design, const ir::Class& cls, const hir::Function& function,
                    const std::vector<std::int64_t>& sameAs, Messages& messages);

}  // namespace smec::hdl
