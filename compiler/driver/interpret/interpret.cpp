#include "driver/interpret/interpret.h"

#include <fmt/format.h>

#include "driver/compile/cache.h"
#include "driver/compile/compile.h"
#include "driver/compile/run_options.h"
#include "driver/compile/shown_phases.h"
#include "driver/interpret/foreign.h"
#include "driver/interpret/state_form.h"
#include "driver/system/exit_status.h"
#include "driver/system/version.h"
#include "interp/interpreter.h"

namespace smec::driver {

int ReferenceInterpreter::run(const CompileOptions& options,
                              const std::vector<std::string>& arguments,
                              const std::string& note) const {
    if (!note.empty()) fmt::print(stderr, "smec: note: {}\n", note);
    Stats stats;
    FrontEnd front(options.warnings);
    {
        const ShownPhases shown(stats, options, "checking " + options.files[0]);
        runFrontEnd(front, options.files[0], options, false, stats);
    }
    printDiagnostics(front, options);
    if (!front.design) return exit_status::kSource;
    const Stamp stamp = makeStamp(front.program, front.sources, *front.design, options);
    checkRunOutputs(arguments, filesRead(stamp, options));
    LoadedForeign foreign;
    if (const int status = foreign.load(front, options, findInstallation()); status != 0)
        return status;
    const std::string smec = fmt::format("smec {}", kVersion);
    const interp::LazyStateForm states = stateFormOf(front, options.unchecked);
    return interp::run(
        {*front.design, front.sources, &foreign.code(), options.unchecked, smec.c_str(), &states},
        arguments);
}

}  // namespace smec::driver
