#pragma once

#include "interp/run.h"
#include "sme/simulation.h"

namespace smec::interp {

/// The table of designs that the interpreter runs; a design is the address of an InterpretedDesign.
/// States share values with the simulations that took or restored them until somebody writes them:
/// those that share a state belong to one thread at a time. Bytes go anywhere.
const sme_simulation_table* interpretedSimulations();

}  // namespace smec::interp
