#include "passes/pipeline.h"

#include <algorithm>
#include <initializer_list>
#include <string>

#include "ir/analysis.h"
#include "ir/hash.h"
#include "ir/visit.h"
#include "passes/passes.h"
#include "source/internal_error.h"

namespace smec::passes {

namespace {

struct Pass {
    const char* name;
    void (*run)(ir::Design&);
};

constexpr Pass kFold{"fold", fold};
constexpr Pass kChecks{"checks", removeProvedChecks};
constexpr Pass kDead{"dead", removeDead};
constexpr Pass kMerge{"merge", mergeClasses};

void verifyAfter(const ir::Design& design, const std::string& what) {
    const std::vector<std::string> complaints = ir::verify(design);
    if (!complaints.empty()) throw InternalError("after " + what + ": " + complaints.front());
}

void runAll(ir::Design& design, std::initializer_list<Pass> passes) {
    for (const Pass& pass : passes) {
        pass.run(design);
        verifyAfter(design, std::string("pass '") + pass.name + "'");
    }
}

/// Whether the pass changed something, and so left something to tidy up.
template <typename Run>
bool changes(ir::Design& design, const char* name, const Run& run) {
    const bool changed = run(design);
    verifyAfter(design, std::string("pass '") + name + "'");
    return changed;
}

}  // namespace

void identify(ir::Design& design) {
    design.hash = ir::hashOf(design);
    const auto hides = [&](ir::PlaneId plane) {
        return design.planes[plane.index].hidden && !design.planes[plane.index].objects;
    };
    for (ir::Class& cls : design.classes) {
        if (std::ranges::none_of(cls.state, hides)) continue;
        const std::uint64_t body = ir::hashOf(design, cls);
        for (ir::InstanceRun& run : cls.runs)
            run.body = body;
    }
}

void run(ir::Design& design, const Options& options) {
    using enum rules::Rule;
    const auto allows = [&](rules::Rule rule) { return options.without.allows(rule); };
    verifyAfter(design, "lowering");
    identify(design);
    runAll(design, {kFold, kChecks, kDead});
    if (allows(MergedClasses)) runAll(design, {kMerge});
    if (allows(InterleavedKinds) && changes(design, "interleave", joinInterleaved))
        runAll(design, {kMerge, kFold, kChecks, kDead});
    if (allows(InstanceOrder)) changes(design, "order", orderInstances);
    if (allows(Replicas) && changes(design, "replicate", replicateCheap))
        runAll(design, {kFold, kChecks, kDead});
    if (allows(SetLogs)) changes(design, "replay", replaySets);
    const auto lanes = [&](ir::Design& all) { return fillLanes(all, options.without); };
    if (options.lanes && changes(design, "lanes", lanes)) runAll(design, {kFold, kDead});
    if (allows(Switches)) changes(design, "cases", gatherCases);
    ir::numberStatements(design);
}

std::vector<std::uint32_t> finish(ir::Design& design, const std::vector<bool>& inPlace) {
    std::vector<std::uint32_t> changed = dropNotes(design, inPlace);
    if (!changed.empty()) verifyAfter(design, "pass 'notes'");
    for (const std::uint32_t cls : changed)
        ir::numberStatements(design.classes[cls].body.statements);
    return changed;
}

}  // namespace smec::passes
