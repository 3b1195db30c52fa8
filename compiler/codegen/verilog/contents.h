#pragma once

#include <string>

#include "codegen/hdl_writer.h"
#include "hdl/hdl.h"

namespace smec::codegen::verilog {

/// An array with elements of its own, not one vector.
inline bool isUnpacked(const hdl::Signal& signal) { return signal.length != 0 && !signal.isPacked; }

/// Prints statements that set a signal to constants: the initial contents of registers, and
/// constants that a tool would spoil if they were set at once. `assign`: "=", "<=".
class ContentsPrinter {
public:
    ContentsPrinter(const hdl::Module& module, Writer& out) : module_(module), out_(out) {}

    /// The initial contents of a scalar, or of an array that is one vector.
    std::string text(const hdl::Signal& signal) const;
    /// As a number, element 0 in the low bits.
    static hdl::Integer all(const hdl::Signal& signal);

    /// To its initial contents. With one value for all elements of an array: a loop over "k".
    void set(const hdl::Signal& signal, const char* assign);
    /// The same for a scalar, or an array that is one vector.
    void setWhole(const hdl::Signal& signal, const char* assign);
    /// From a parameter, as wide as the signal.
    void setFrom(const std::string& name, const char* assign, hdl::SignalId from);
    /// Bits of a vector that Verilator would spoil, one part after the other.
    void setParts(const std::string& name, std::uint64_t low, std::uint64_t width,
                  const std::string& assign, const hdl::Integer& value);

private:
    const hdl::Module& module_;
    Writer& out_;
};

}  // namespace smec::codegen::verilog
