#pragma once

#include <stdexcept>
#include <string>

#include "source/source_manager.h"

namespace smec {

/// A defect of ours (never the user's). The driver prints it with the place and exits with 70.
struct InternalError : std::runtime_error {
    SourceRange range;
    explicit InternalError(const std::string& what, SourceRange where = {})
        : std::runtime_error(what), range(where) {}
};

/// Throws InternalError when `condition` does not hold.
inline void require(bool condition, const char* what, SourceRange where = {}) {
    if (!condition) throw InternalError(what, where);
}

}  // namespace smec
