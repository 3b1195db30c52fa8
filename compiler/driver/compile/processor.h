#pragma once

#include <string>

#include "driver/cache/cache.h"
#include "driver/compile/build.h"
#include "driver/compile/options.h"

namespace smec::driver {

/// What the compiler may use of a processor, and which compiler it is, as a hash of what both
/// define: "native" is another one on each machine, and a compiler behind a wrapper may be replaced.
/// Asked once for each compiler, its flags and this machine's processor, then from the cache. "none"
/// where the compiler does not take the flags, which it will tell itself.
std::string processorFor(const Toolchain& toolchain, const Installation& installation,
                         const CompileOptions& options, const Cache& cache);

}  // namespace smec::driver
