#pragma once

#include "driver/compile/compile.h"

namespace smec::driver {

/// Compares the `extern` declarations of a checked design with their headers, where smec was built
/// with libclang. Reports to `front.diagnostics`. Without libclang, or with SMEC_LIBCLANG=off in
/// the environment, it does nothing: the generated C++ checks the same when it is compiled.
void checkSignatures(FrontEnd& front, const CompileOptions& options);

}  // namespace smec::driver
