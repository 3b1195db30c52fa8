#pragma once

#include "interp/foreign.h"
#include "interp/state_form.h"

namespace smec {
class SourceManager;
}
namespace smec::hir {
struct Design;
}

namespace smec::interp {

/// What the interpreter runs. All of it outlives the runs.
struct InterpretedDesign {
    const hir::Design& design;
    const SourceManager& sources;
    const ForeignCode* foreign = nullptr;  ///< of designs that name C++ with `extern`
    bool unchecked = false;
    const char* interpreter = "smec";  ///< name and version
    const LazyStateForm* states = nullptr;
};

}  // namespace smec::interp
