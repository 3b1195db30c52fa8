#pragma once

#include <string>
#include <vector>

#include "source/source_manager.h"

namespace smec {

/// Places as words: "line_12"; of several that begin on one line the others are "line_12_2", …
std::vector<std::string> lineNames(const SourceManager& sources,
                                   const std::vector<SourceRange>& ranges);

}  // namespace smec
