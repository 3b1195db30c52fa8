#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ast/ast.h"
#include "diag/diagnostics.h"
#include "hir/design.h"
#include "sema/context.h"
#include "sema/program.h"

namespace smec::elab {

struct Options {
    std::string top;                      ///< empty: the one network nobody instantiates
    std::vector<std::string> parameters;  ///< -G name=value
    sema::Rules rules;
    std::uint64_t maxInstances = 100'000'000;
    sema::Limits limits;
    bool networks = false;  ///< fills hir::Design::networks
    bool checkOnly =
        false;  ///< a file without a network is fine; uninstantiated typed processes are checked
};

/// Instantiates the top network, connects, infers port shapes, checks every specialisation once,
/// finds drivers. Empty after errors (and for a library under checkOnly). All user errors of the
/// program are reported here or before.
std::optional<hir::Design> elaborate(const sema::Program& program, const SourceManager& sources,
                                     const Options& options, Diagnostics& diagnostics);

}  // namespace smec::elab
