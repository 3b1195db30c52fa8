#pragma once

#include "netlist/netlist.h"

namespace smec::rtl {

/// What is computed bit by bit becomes words: bits looked up in one table by bits of words, and
/// words whose bits come in reverse.
void gatherWords(netlist::Module& module);

}  // namespace smec::rtl
