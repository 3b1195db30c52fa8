#pragma once

#include "driver/compile/compile.h"
#include "interp/state_form.h"

namespace smec::driver {

/// What states of a checked design look like, as its simulators write them, with `--unchecked` or without:
/// it is lowered for that. The front end outlives the answer's making.
interp::LazyStateForm stateFormOf(const FrontEnd& front, bool unchecked);

}  // namespace smec::driver
