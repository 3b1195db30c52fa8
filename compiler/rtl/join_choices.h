#pragma once

#include "netlist/netlist.h"

namespace smec::rtl {

/// Multiplexers of one select, read nowhere else than as the parts of one word, become one of that
/// word: `{s ? a : c, s ? b : d}` is `s ? {a, b} : {c, d}`, whose sides are often words as they are.
void joinChoices(netlist::Module& module);

}  // namespace smec::rtl
