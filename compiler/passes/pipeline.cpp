#include "passes/pipeline.h"

#include <string>

#include "ir/analysis.h"
#include "passes/passes.h"
#include "source/internal_error.h"

namespace smec::passes {

namespace {

struct Pass {
    const char* name;
    void (*run)(ir::Design&);
    bool isForLanes = false;
};

constexpr Pass kPasses[] = {
    {"fold", fold},          {"checks", removeProvedChecks}, {"dead", removeDead},
    {"merge", mergeClasses}, {"replicate", replicateCheap},  {"lanes", fillLanes, true},
};

void verifyAfter(const ir::Design& design, const std::string& what) {
    const std::vector<std::string> complaints = ir::verify(design);
    if (!complaints.empty()) throw InternalError("after " + what + ": " + complaints.front());
}

}  // namespace

void run(ir::Design& design, const Options& options) {
    verifyAfter(design, "lowering");
    for (const Pass& pass : kPasses) {
        if (pass.isForLanes && !options.lanes) continue;
        pass.run(design);
        verifyAfter(design, std::string("pass '") + pass.name + "'");
    }
}

}  // namespace smec::passes
