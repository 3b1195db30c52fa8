#include "driver/interpret/state_form.h"

#include "lower/lower.h"
#include "passes/pipeline.h"
#include "plan/plan.h"

namespace smec::driver {
namespace {

interp::StateForm make(const FrontEnd& front, bool unchecked) {
    Diagnostics unseen;  // what has no simulator has no states either
    ir::Design design =
        lower::lower(*front.design, {.unchecked = unchecked, .sources = &front.sources}, unseen);
    if (unseen.hasErrors()) return {};
    passes::identify(design);
    interp::StateForm form{*design.hash};
    for (const ir::Class& cls : design.classes)
        for (const ir::InstanceRun& run : cls.runs)
            if (run.body != 0)
                form.bodies.push_back({{run.prefix, run.suffix, run.index, run.count}, run.body});
    for (const ir::NameRun& run : design.hiddenNames) {
        const ir::StorageType& type = design.planes[run.plane.index].type;
        form.hidden.push_back({{run.prefix, run.suffix, run.index, run.count},
                               type.elements() * plan::storageBytes(type.scalar)});
    }
    return form;
}

}  // namespace

interp::LazyStateForm stateFormOf(const FrontEnd& front, bool unchecked) {
    return interp::LazyStateForm([&front, unchecked] { return make(front, unchecked); });
}

}  // namespace smec::driver
