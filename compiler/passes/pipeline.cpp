#include "passes/pipeline.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <string>

#include <fmt/format.h>

#include "ir/analysis.h"
#include "ir/hash.h"
#include "ir/visit.h"
#include "passes/passes.h"
#include "source/internal_error.h"

namespace smec::passes {

namespace {

/// Of one that changes what it finds to do, and leaves nothing to tidy up.
template <void (*kRun)(ir::Design&)>
bool always(ir::Design& design, const Options&) {
    kRun(design);
    return true;
}
/// Of one that asks whether it may.
template <bool (*kRun)(ir::Design&, const rules::Asker&)>
bool asked(ir::Design& design, const Options& options) {
    return kRun(design, options.ledger);
}
template <rules::Rule kRule>
bool merge(ir::Design& design, const Options& options) {
    return mergeClasses(design, options.ledger, kRule);
}

constexpr Pass kFold{"fold", "what is constant, and tests and wraps that change nothing, go",
                     always<fold>};
constexpr Pass kChecks{"checks", "checks that always hold go", always<removeProvedChecks>};
constexpr Pass kDead{"dead", "what nobody reads goes", always<removeDead>};
constexpr Pass kMerge{"merge", "equal classes become one", merge<rules::Rule::MergedClasses>};
constexpr Pass kMergeKinds{kMerge.name, kMerge.text, merge<rules::Rule::InterleavedKinds>};
constexpr Pass kInterleave{"interleave", "kinds that stand among one another become alike",
                           asked<joinInterleaved>};
constexpr Pass kOrder{"order", "instances get numbers in an order in which they read neighbours",
                      asked<orderInstances>};
constexpr Pass kReplicate{"replicate", "readers compute cheap combinational fields themselves",
                          asked<replicateCheap>};
constexpr Pass kLanes{"lanes", "bodies become such as vector instructions compute",
                      asked<fillLanes>};
constexpr Pass kCases{"cases", "tests of one value become switches", asked<gatherCases>};
constexpr Pass kReplay{
    "replay",
    "what is set of large held arrays is noted, of those for which the plan asks for that",
    [](ir::Design& design, const Options& options) { return replaySets(design, options.logs); }};

constexpr Pass kAll[] = {kFold,  kChecks,    kDead,  kMerge, kInterleave,
                         kOrder, kReplicate, kLanes, kCases, kReplay};

void verifyAfter(const ir::Design& design, const std::string& what) {
    const std::vector<std::string> complaints = ir::verify(design);
    if (!complaints.empty()) throw InternalError("after " + what + ": " + complaints.front());
}

/// Runs passes until somebody has seen enough.
class Runner {
public:
    Runner(ir::Design& design, const Options& options) : design_(design), options_(options) {}

    void see(std::string_view name) {
        isDone_ = options_.observe && !options_.observe(name, design_);
    }
    /// Whether it left something to tidy up.
    bool apply(const Pass& pass) {
        if (isDone_) return false;
        const bool result = pass.apply(design_, options_);
        verifyAfter(design_, fmt::format("pass '{}'", pass.name));
        see(pass.name);
        return result;
    }
    void all(std::initializer_list<Pass> passes) {
        for (const Pass& pass : passes)
            apply(pass);
    }

private:
    ir::Design& design_;
    const Options& options_;
    bool isDone_ = false;
};

}  // namespace

std::span<const Pass> all() { return kAll; }

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
    verifyAfter(design, "lowering");
    identify(design);
    Runner runner(design, options);
    runner.see("lowering");
    runner.all({kFold, kChecks, kDead});
    runner.apply(kMerge);
    if (runner.apply(kInterleave)) runner.all({kMergeKinds, kFold, kChecks, kDead});
    runner.apply(kOrder);
    if (runner.apply(kReplicate)) runner.all({kFold, kChecks, kDead});
    if (!options.lanes)
        options.ledger.ask(rules::Rule::Lanes, rules::Subject::design());
    else if (runner.apply(kLanes))
        runner.all({kFold, kDead});
    runner.apply(kCases);
    ir::numberStatements(design);
}

std::vector<std::uint32_t> runBehindPlan(ir::Design& design, const Options& options) {
    Runner runner(design, options);
    if (options.logs.empty()) {
        runner.see(kReplay.name);
        return {};
    }
    runner.apply(kReplay);
    std::set<std::uint32_t> changed;
    for (const ir::LogWanted& log : options.logs)
        changed.insert(design.planes[log.array.index].owner.index);
    for (const std::uint32_t cls : changed)
        ir::numberStatements(design.classes[cls].body.statements);
    return {changed.begin(), changed.end()};
}

}  // namespace smec::passes
