#pragma once

#include <string>

#include "source/source_manager.h"

namespace smec {

/// A source line as it is shown under a message: tabs expanded, unprintable bytes replaced, long
/// lines cut to a window around the marked part. Columns count cells of `text`, from 0; a character
/// is one cell.
struct Excerpt {
    std::string text;
    std::size_t caret = 0;  ///< where the mark starts
    std::size_t width =
        1;  ///< cells of the mark, at least one; ends with the line where the range goes on
};

/// `range` must be valid. Beyond finding the line, time is bounded by the window.
Excerpt makeExcerpt(const SourceManager& sources, SourceRange range);

}  // namespace smec
