#include "driver/compile/verilog_reader.h"

#include <algorithm>

#include "hir/design.h"

namespace smec::driver {

namespace {

bool hasVerilog(const hir::Function& function) {
    return function.external && function.external->isProcess
           && std::ranges::any_of(function.external->hardware,
                                  [](const auto& one) { return one.language == "verilog"; });
}

}  // namespace

bool namesVerilog(const hir::Design& design) {
    return std::ranges::any_of(design.functions, hasVerilog);
}

bool hasVerilogProcesses(const hir::Design& design) {
    return std::ranges::any_of(design.functions, [](const hir::Function& function) {
        return hasVerilog(function) && function.external->header.empty();
    });
}

}  // namespace smec::driver
