#pragma once

#include "driver/compile/build.h"
#include "driver/compile/compile.h"
#include "interp/foreign.h"

namespace smec::driver {

/// The C++ that a design names with `extern`, compiled and loaded into this process for the
/// interpreter, until it is destroyed.
class LoadedForeign {
public:
    LoadedForeign() = default;
    ~LoadedForeign();
    LoadedForeign(const LoadedForeign&) = delete;
    LoadedForeign& operator=(const LoadedForeign&) = delete;

    /// Needs the toolchain if the design names any C++. Returns the exit status; prints what is
    /// wrong.
    int load(FrontEnd& front, const CompileOptions& options, const Installation& installation);
    const interp::ForeignCode& code() const { return code_; }

private:
    int build(const std::string& source, const CompileOptions& options,
              const Installation& installation);
    void resolve(const hir::Design& design);

    void* library_ = nullptr;
    interp::ForeignCode code_;
};

}  // namespace smec::driver
