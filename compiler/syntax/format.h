#pragma once

#include <optional>
#include <string>

#include "diag/diagnostics.h"

namespace smec::syntax {

/// The text of a file in the house style: four spaces a level, lines of at most 100 columns where
/// they can be broken, every comment kept, at most one blank line where the author left some. The
/// result has the same tokens and comments in the same order, so the same tree, and formatting it
/// again changes nothing. Empty, with errors reported, when the file does not parse. Time and
/// memory follow the size of the file.
std::optional<std::string> format(const SourceManager& sources, FileId file,
                                  Diagnostics& diagnostics);

}  // namespace smec::syntax
