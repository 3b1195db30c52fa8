#include "driver/verilog/clocked_bodies.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "driver/verilog/library_files.h"
#include "driver/verilog/yosys.h"
#include "driver/verilog/yosys_program.h"
#include "rtl/instance_loops.h"

namespace smec::driver {
namespace {

bool hasYosys() {
    return std::ranges::any_of(yosysCandidates(),
                               [](const std::string& path) { return !path.empty(); });
}

}  // namespace

void checkClockedBodies(const hir::Design& design, const VerilogInput& options,
                        SourceManager& sources, Diagnostics& diagnostics) {
    std::set<std::string> seen;
    for (const hir::Specialisation& spec : design.specs) {
        if (!spec.foreign.valid()) continue;
        const hir::Foreign& foreign = *design.functions[spec.foreign.index].external;
        const auto file = std::ranges::find(foreign.hardware, std::string_view("verilog"),
                                            &hir::Foreign::Hardware::language);
        const bool hasBoth = file != foreign.hardware.end() && !foreign.header.empty();
        if (!hasBoth || !file->isFile || !seen.insert(spec.name).second || !hasYosys()) continue;
        VerilogInput input = options;
        addSource(input, file->file);
        addLibraryFiles(input);
        input.top = spec.name;
        Diagnostics unsaid;
        std::optional<Elaborated> made = elaborateVerilog(input, sources, unsaid);
        if (!made) continue;
        const auto path = rtl::combinationalPath(std::move(made->design), made->top);
        if (path)
            diagnostics.report(
                DiagId::ExternModule, file->range, spec.name,
                fmt::format("its output '{}' depends on the input '{}' in the same cycle, where "
                            "the C++ beside it is clocked; give it a register, or leave out the "
                            "C++",
                            path->first, path->second));
    }
}

}  // namespace smec::driver
