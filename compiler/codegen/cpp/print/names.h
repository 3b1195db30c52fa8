#pragma once

#include <string>
#include <vector>

#include "codegen/cpp/decide/program.h"

namespace smec::codegen::cpp {

/// C++ names inside a kernel's unit. A block has an inner function only.
struct LoopNames {
    std::string inner;    ///< the instances of a segment, checks and all
    std::string strided;  ///< of one with unusual strides
    std::string seams;    ///< instances where segments meet
    std::string checks;   ///< looks whether all checks hold
    std::string sure;     ///< for when they do
    std::string checksAtSeams;
    std::string sureAtSeams;
    std::string filled;  ///< calls `inner`, with vectors filled
    std::string rows;    ///< the table of segments
    const std::string& of(WalkKind kind) const;
};

/// What several files of a design name alike.
struct SharedNames {
    std::string space;                   ///< namespace of the design
    std::string dataSymbol;              ///< of tables.bin
    std::vector<std::string> classes;    ///< per class: of the constant in namespace classes that
                                         ///< holds its number
    std::vector<std::string> tables;     ///< per ir::Design::tables, within namespace tables
    std::vector<std::string> functions;  ///< per ir::Design::functions, within namespace functions
    std::vector<std::string> kernels;    ///< per plan::Plan::kernels
    std::vector<LoopNames> loops;        ///< of their inner functions and tables
};
SharedNames namesOf(const Program& program);

/// What the printers read: what was decided about a design, and what its C++ calls it.
struct CppDesign {
    const Program& program;
    const SharedNames& names;
};

/// "ring.sme:12 add", safe in a comment.
std::string locationComment(const Program& program, const SourceRange& range,
                            const std::string& name);

}  // namespace smec::codegen::cpp
