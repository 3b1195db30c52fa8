#include "driver/compile/generate.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "driver/compile/library.h"
#include "driver/compile/stages.h"
#include "driver/system/version.h"
#include "ir/analysis.h"
#include "lower/lower.h"
#include "passes/passes.h"
#include "passes/pipeline.h"
#include "plan/plan.h"

namespace smec::driver {

namespace {

std::vector<bool> readFirst(const plan::Plan& plan) {
    std::vector<bool> planes;
    for (const plan::Decision& decision : plan.storage)
        planes.push_back(decision.isReadFirst);
    return planes;
}

Generated emit(const std::string& text, Explanation explanation) {
    fmt::print("{}", text);
    return {std::nullopt, true, std::move(explanation)};
}

/// What has become of the design behind a pass, where it runs so often.
Generated emitAfter(const PassRun& wanted, ir::Design& design, passes::Options& passing) {
    std::uint32_t runs = 0;
    passing.observe = [&](std::string_view pass, const ir::Design&) {
        runs += pass == wanted.pass;
        return runs < wanted.run;
    };
    passes::run(design, passing);
    if (runs == wanted.run) return emit(ir::print(design), {});
    fmt::print(stderr, "smec: error: pass '{}' ran {} time{} here, not {}\n", wanted.pass, runs,
               runs == 1 ? "" : "s", wanted.run);
    return {};
}

}  // namespace

Generated generate(FrontEnd& front, const CompileOptions& options, Stats& stats) {
    stats.phase("lower");
    rules::Without without = options.without;
    if (!options.simd) without.add(rules::Rule::Lanes);
    rules::Ledger ledger(without);
    const lower::Options lowering{
        .unchecked = options.unchecked, .ledger = ledger, .sources = &front.sources};
    ir::Design design = lower::lower(*front.design, lowering, front.diagnostics);
    if (front.diagnostics.hasErrors()) return {};
    const auto told = [&](const plan::Plan* plan) {
        return isExplained(options) ? explanationOf(design, plan, ledger, front.sources, options)
                                    : Explanation{};
    };
    stats.phase("passes");
    passes::Options passing{.lanes = options.simd, .ledger = ledger};
    if (const auto wanted = passRunOf(options.emit)) return emitAfter(*wanted, design, passing);
    passes::run(design, passing);
    if (options.emit == "ir") return emit(ir::print(design), told(nullptr));
    stats.phase("plan");
    plan::Options planOptions;
    planOptions.lanes = options.simd;
    planOptions.ledger = ledger;
    planOptions.wholeStatements = plan::target::kWholeBlocks * planOptions.blockStatements;
    if (options.partitionSize != 0) {
        planOptions.unitStatements = options.partitionSize;
        planOptions.blockStatements =
            std::min(planOptions.blockStatements, planOptions.unitStatements);
        planOptions.wholeStatements =
            std::min(planOptions.wholeStatements, planOptions.unitStatements);
    }
    plan::Facts facts = plan::factsOf(design);
    const plan::Plan plan = plan::build(design, facts, planOptions);
    if (!options.stats.empty()) stats.setReaders(verilogReaders(front.sources));
    if (!options.stats.empty()) stats.setShares(moduleShares(design, plan, facts, front.sources));
    if (options.emit == "plan") return emit(plan::print(plan, design), told(&plan));
    stats.phase("generate");
    plan::update(facts, design, passes::finish(design, readFirst(plan)));
    const bool isDebug = std::any_of(options.cxxFlags.begin(), options.cxxFlags.end(),
                                     [](const auto& flag) { return flag.starts_with("-g"); });
    codegen::cpp::SourceBundle bundle =
        codegen::cpp::generate(design, plan, facts, front.sources,
                               {.lineDirectives = isDebug,
                                .lanes = options.simd,
                                .ledger = ledger,
                                .compiler = fmt::format("smec {}", kVersion),
                                .library = options.library ? libraryName(options) : ""});
    return {std::move(bundle), false, told(&plan)};
}

}  // namespace smec::driver
