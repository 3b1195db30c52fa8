#pragma once

#include <string>
#include <string_view>

namespace smec::syntax {

/// The type that another language calls by this name: u8 for uint8_t, f64 for double, u1 for wire;
/// empty where it is none. The language's own types stand for themselves.
std::string nativeType(std::string_view name);

/// The same with a width, as in `unsigned(7 downto 0)`, `logic [7:0]`, `sc_int<8>`: u8 and i8.
/// `width` is a number or an expression.
std::string nativeType(std::string_view name, std::string_view width);

/// Whether other languages call the number of elements of an array so: `a.length`, `a.size()`.
bool isLength(std::string_view name);

/// rising_edge and its like.
bool looksAtClock(std::string_view function);

/// A hint for a name that is known in other languages, with the "; " in front: "; write 'true'" for
/// True; empty where there is none.
std::string nameHint(std::string_view name);

}  // namespace smec::syntax
