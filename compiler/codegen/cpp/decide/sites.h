#pragma once

#include <vector>

#include "codegen/cpp/decide/body_info.h"
#include "codegen/cpp/decide/word.h"
#include "ir/ir.h"

namespace smec::codegen::cpp {

/// How the argument of a trace or failure travels: as a 128-bit number or, `typed`, by the address
/// of a stored value.
struct Shown {
    bool isTyped = false;
    bool isSigned = true;
    ir::Scalar scalar;  ///< typed
};
/// All arguments of a class's sites: by site, by argument.
struct SiteArguments {
    std::vector<std::vector<Shown>> traces;
    std::vector<std::vector<Shown>> fails;
};

/// Of all classes; a site may be reached from several statements (unrolled loops), and its
/// arguments travel in one form. `classes`, `functions`: of the design.
std::vector<SiteArguments> siteArguments(const ir::Design& design,
                                         const std::vector<BodyInfo>& classes,
                                         const std::vector<BodyInfo>& functions);

}  // namespace smec::codegen::cpp
