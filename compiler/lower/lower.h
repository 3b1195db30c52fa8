#pragma once

#include "diag/diagnostics.h"
#include "hir/design.h"
#include "ir/ir.h"
#include "rules/ledger.h"

namespace smec::lower {

/// The variable in which a process that waits keeps where it is; its plane is hidden.
inline constexpr const char* kWaitState = "wait_state";

struct Options {
    bool unchecked = false;
    bool isHardware =
        false;           ///< extern processes need no C++, and nothing counts what `cover` says
    bool levels = true;  ///< combinational processes by their depth, see rewrite/levels.h
    rules::Asker ledger{};
    const SourceManager* sources =
        nullptr;  ///< for the source text of what was indexed, in failures; null: names only
};

/// From checked bodies and the instance tree to classes, planes and connections. Reports
/// NotSupported, at its place, for what the generated code cannot do yet; the result is unusable
/// then.
ir::Design lower(const hir::Design& design, const Options& options, Diagnostics& diagnostics);

}  // namespace smec::lower
