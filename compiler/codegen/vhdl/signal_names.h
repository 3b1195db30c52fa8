#pragma once

#include <map>
#include <string>

#include "hdl/hdl.h"

namespace smec::codegen::vhdl {

/// What the signals of a module are called in a process.
class SignalNames {
public:
    explicit SignalNames(const hdl::Module& module) : module_(module) {}

    /// Calls a signal by another name from now on.
    void rename(hdl::SignalId signal, std::string name) {
        renamed_[signal.index] = std::move(name);
    }
    std::string operator[](hdl::SignalId signal) const;
    /// Whether an expression reads a port or register, so that no tool knows its value. GHDL 2 does
    /// not compute all operators when it does.
    bool isVarying(hdl::ExprId id) const;

private:
    const hdl::Module& module_;
    std::map<std::uint32_t, std::string> renamed_;
};

}  // namespace smec::codegen::vhdl
