#pragma once

#include <string>

#include "hdl/hdl.h"

namespace smec::codegen::vhdl {

/// The types that values have: std_logic (or std_ulogic), boolean, unsigned and signed. Signals are
/// of the others than boolean; an array that is one vector is unsigned.
enum class Form : std::uint8_t { Logic, Boolean, Unsigned, Signed };

Form formOf(const hdl::Type& type);
/// Of a scalar, or of an array that is one vector.
Form formOf(const hdl::Signal& signal);

/// The name itself, or \name\ where it would hide a function of the support package.
std::string identifier(const std::string& name);

/// "to_unsigned(5, 8)", "signed'(64x\"8000000000000000\")", "'1'"
std::string literal(const hdl::Integer& value, const hdl::Type& type);
/// Whether an integer of the language holds it.
bool isSmall(const hdl::Integer& value);

/// "unsigned(7 downto 0)": of one element.
std::string declared(const hdl::Type& type);
/// All of a scalar, or of an array that is one vector.
std::string declared(const hdl::Signal& signal);

/// Bits of a whole signal.
inline std::uint32_t widthOf(const hdl::Signal& signal) {
    return static_cast<std::uint32_t>(signal.type.width * signal.elements());
}
/// Whether it has an array type of its own.
inline bool isArray(const hdl::Signal& signal) { return signal.length != 0 && !signal.isPacked; }

/// `value` converted where its type is another one.
std::string converted(const std::string& value, Form from, Form to);

/// What a register, or a delay line behind it, holds first; of a scalar or vector.
std::string initialOf(const hdl::Module& module, const hdl::Signal& signal);

}  // namespace smec::codegen::vhdl
