#pragma once

#include <optional>

#include "hir/design.h"

namespace smec::rewrite {

/// The design with every field written through one port only, and with one `hold` and `delay` for
/// all elements of a port that it writes. Where two ports of an instance are one bus, and both
/// write the same field of it, the second one's writes become the first one's, in a specialisation
/// for these instances. Nothing when there is nothing to do.
///
///     instance s of p(x, x);     proc p(out a, out b) { a.v = 1; b.v = 2; }   ->   { a.v = 1; a.v
///     = 2; }
std::optional<hir::Design> withoutAliases(const hir::Design& design);

}  // namespace smec::rewrite
