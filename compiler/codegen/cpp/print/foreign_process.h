#pragma once

#include "codegen/cpp/print/foreign_wrapper.h"

namespace smec::codegen::cpp {

/// Prints the object of an extern process, and the function that activates it.
void printForeignProcess(ForeignWrapper& wrapper, Writer& out);

}  // namespace smec::codegen::cpp
