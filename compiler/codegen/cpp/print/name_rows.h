#pragma once

#include <string>

#include "codegen/cpp/decide/program.h"
#include "codegen/cpp/print/text.h"

namespace smec::codegen::cpp {

// Print tables by which names are found, and give what sme::Model says of them.

std::string printInstances(const Program& program, Writer& out);
std::string printNames(const Program& program, Writer& out);
std::string printHiddenNames(const Program& program, Writer& out);
std::string printCovers(const ir::Design& design, Writer& out);

}  // namespace smec::codegen::cpp
