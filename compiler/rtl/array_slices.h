#pragma once

#include <optional>

#include "rtl/register_array.h"

namespace smec::rtl {

/// The module with an array as `read_verilog` leaves it, where `read_slang` has made one wide net of
/// it: words are chosen by `$pmux` and `$mux` with `$eq`, not by `$bmux`, `$demux` and `$bwmux`, and
/// multiplexers with a side that is x are what the other side is. Nothing where there is no such net.
std::optional<netlist::Module> openArraySlices(const netlist::Module& module,
                                               const RegisterArray& array);

}  // namespace smec::rtl
