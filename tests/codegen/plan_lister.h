#pragma once

#include <string>

#include "codegen/cpp/decide/program.h"

namespace smec::test {

/// The kernel plans of a design as text: a second printer, which knows nothing of C++. Stable, for
/// golden tests.
std::string list(const codegen::cpp::Program& program);

}  // namespace smec::test
