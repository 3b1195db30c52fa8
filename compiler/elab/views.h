#pragma once

#include <functional>
#include <string>

#include "elab/tree.h"

namespace smec::elab {

/// Puts the elements of `part` after those of `all`, and notes its shape where no element before
/// had it. `text` says what the part is called.
void append(View& all, const View& part, SourceRange range,
            const std::function<std::string()>& text);

/// The fields of `wanted` as they are in `shape`.
hir::ShapeId narrowed(Tree& tree, hir::ShapeId shape, hir::ShapeId wanted);

/// "a single bus", "an array of 2 x 3 buses"
std::string shapeText(const std::vector<std::uint64_t>& dimensions);
/// "2 x 3"
std::string sizesText(const std::vector<std::uint64_t>& dimensions);

}  // namespace smec::elab
