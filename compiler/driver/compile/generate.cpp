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
#include "plan/target.h"

namespace smec::driver {

namespace {

Generated emit(const std::string& text, Explanation explanation) {
    fmt::print("{}", text);
    return {std::nullopt, true, std::move(explanation)};
}

/// Stops behind a pass, where it runs so often.
class PassWatch {
public:
    PassWatch(const std::string& stage, passes::Options& passing) : wanted_(passRunOf(stage)) {
        if (!wanted_) return;
        passing.observe = [this](std::string_view pass, const ir::Design&) {
            runs_ += pass == wanted_->pass;
            return !isReached();
        };
    }

    bool isWanted() const { return wanted_.has_value(); }
    bool isReached() const { return wanted_ && runs_ >= wanted_->run; }

    Generated complain() const {
        fmt::print(stderr, "smec: error: pass '{}' ran {} time{} here, not {}\n", wanted_->pass,
                   runs_, runs_ == 1 ? "" : "s", wanted_->run);
        return {};
    }

private:
    const std::optional<PassRun> wanted_;
    std::uint32_t runs_ = 0;
};

plan::Options planOptionsOf(const CompileOptions& options, rules::Ledger& ledger) {
    plan::Options result;
    result.lanes = options.simd;
    result.ledger = ledger;
    result.wholeStatements = static_cast<std::uint32_t>(std::min<std::uint64_t>(
        UINT32_MAX, std::uint64_t{plan::target::kWholeBlocks} * result.blockStatements));
    if (options.partitionSize != 0) {
        result.unitStatements = options.partitionSize;
        result.blockStatements = std::min(result.blockStatements, result.unitStatements);
        result.longestFunction =
            std::min(result.longestFunction, std::uint64_t{result.unitStatements});
    }
    return result;
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
    PassWatch watch(options.emit, passing);
    passes::run(design, passing);
    if (watch.isReached()) return emit(ir::print(design), {});
    stats.phase("plan");
    const plan::Options planOptions = planOptionsOf(options, ledger);
    plan::Facts facts = plan::factsOf(design);
    plan::Plan plan = plan::decide(design, facts, planOptions);
    const std::vector<ir::LogWanted> logs = plan::logsIn(plan.storage);
    passing.logs = logs;
    plan::update(facts, design, passes::runBehindPlan(design, passing));
    if (watch.isReached()) return emit(ir::print(design), {});
    if (watch.isWanted()) return watch.complain();
    plan::place(design, facts, planOptions, plan);
    if (options.emit == "ir") return emit(ir::print(design), told(&plan));
    if (!options.stats.empty()) stats.setReaders(verilogReaders(front.sources));
    if (!options.stats.empty()) stats.setShares(moduleShares(design, plan, facts, front.sources));
    if (options.emit == "plan") return emit(plan::print(plan, design), told(&plan));
    stats.phase("generate");
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
