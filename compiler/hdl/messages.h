#pragma once

#include "diag/diagnostics.h"

namespace smec::hdl {

/// Tells the user what hardware cannot do, and remembers whether it is unusable for that: what is
/// only left out, and what becomes larger than it could be, warnings tell.
class Messages {
public:
    explicit Messages(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

    template <typename... Args>
    Diagnostics::Handle report(DiagId id, SourceRange range, const Args&... args) {
        isUnusable_ = isUnusable_ || info(id).severity == Severity::Error;
        return diagnostics_.report(id, range, args...);
    }
    bool isUnusable() const { return isUnusable_; }

private:
    Diagnostics& diagnostics_;
    bool isUnusable_ = false;
};

}  // namespace smec::hdl
