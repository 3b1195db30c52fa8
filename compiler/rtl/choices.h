#pragma once

#include "netlist/netlist.h"

namespace smec::rtl {

/// What chooses becomes multiplexers of two: those of several words, whose selects come in the same
/// order in all of them, and registers with enables and synchronous resets, which are plain ones
/// then.
void splitChoices(netlist::Module& module);

}  // namespace smec::rtl
