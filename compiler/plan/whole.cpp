// A walk over the instances, sources first: a process is placed once all that it reads in its cycle
// is. The language has no combinational cycles, so that it ends.

#include "plan/whole.h"

#include <algorithm>
#include <numeric>

#include "ir/reader_graph.h"
#include "ir/target.h"
#include "plan/target.h"
#include "source/graph.h"
#include "source/internal_error.h"

namespace smec::plan {
namespace {

/// All instances, those that one reads in its cycle before it; clocked ones first, else as they are
/// numbered.
class StepsInOrder {
public:
    explicit StepsInOrder(const ir::Design& design) : design_(design) {
        for (std::uint32_t cls = 0; cls < design.classes.size(); ++cls) {
            first_.push_back(static_cast<std::uint32_t>(instances_.size()));
            for (std::uint32_t i = 0; i < design.classes[cls].instances; ++i)
                instances_.push_back({{cls}, i});
        }
    }

    std::vector<InstanceRef> run() const {
        const auto count = static_cast<std::uint32_t>(instances_.size());
        const Postorder order = postorder(Graph(count, reads()), wanted());
        require(order.isAcyclic, "combinational cycle between instances");
        std::vector<InstanceRef> placed;
        placed.reserve(count);
        for (const std::uint32_t instance : order.nodes)
            placed.push_back(instances_[instance]);
        return placed;
    }

private:
    /// From readers to what they read.
    std::vector<Edge> reads() const {
        std::vector<Edge> edges;
        for (std::uint32_t cls = 0; cls < design_.classes.size(); ++cls) {
            ir::forEachRead(design_, cls, [&](const ir::Read& read) {
                if (!read.isInSameCycle()) return;
                for (std::uint32_t i = 0; i < read.run->count; ++i)
                    edges.push_back({first_[read.reader] + read.run->first + i,
                                     first_[read.writer] + read.source(i)});
            });
        }
        return edges;
    }

    std::vector<std::uint32_t> wanted() const {
        std::vector<std::uint32_t> instances(instances_.size());
        std::iota(instances.begin(), instances.end(), 0U);
        std::ranges::stable_partition(instances, [&](std::uint32_t instance) {
            return !design_.classes[instances_[instance].cls.index].combinational;
        });
        return instances;
    }

    const ir::Design& design_;
    std::vector<InstanceRef> instances_;
    std::vector<std::uint32_t> first_;  ///< by class: its first instance
};

std::vector<std::uint32_t> cutsOf(const Kernel& block, const std::vector<std::uint32_t>& sizes,
                                  std::uint64_t blockStatements) {
    std::vector<std::uint32_t> cuts;
    const std::uint64_t most = target::kCutFunction * blockStatements;
    const std::uint64_t parts = (block.statements + most - 1) / most;
    std::uint64_t before = 0;
    for (std::uint32_t i = 0; i < block.steps.size(); ++i) {
        if (before * parts >= block.statements * (cuts.size() + 1)) cuts.push_back(i);
        before += sizes[block.steps[i].cls.index];
    }
    return cuts;
}

}  // namespace

bool isWhole(const ir::Design& design, const Facts& facts, const Options& options,
             std::uint32_t levels) {
    using enum rules::Condition;
    std::uint64_t statements = 0, ofMany = 0, ofOne = 0;
    double cost = 0;
    bool isLevelled = false;
    for (std::uint32_t i = 0; i < design.classes.size(); ++i) {
        const ir::Class& cls = design.classes[i];
        const BodyFacts& body = facts.classes[i];
        const std::uint64_t size = std::uint64_t{body.size} * cls.instances;
        if (cls.instances > target::kFewInstances && size > target::kFewOfMany) ofMany += size;
        // a long body need not be compiled once for each instance
        if (cls.instances > 1) ofOne = std::max(ofOne, size);
        statements += size;
        cost += body.cost * cls.instances;
        isLevelled = isLevelled || (cls.combinational && cls.instances != 0);
    }
    const bool isForeign = std::ranges::any_of(design.functions, ir::isForeign);
    // without levels there is no barrier but the one that ends the cycle
    const double light = isLevelled && facts.areCostsKnown()
                             ? target::kLightLevel * std::min(levels, target::kMostLevels)
                             : target::kAloneCost;
    return options.ledger.ask(
        rules::Rule::WholeBlock, rules::Subject::design(),
        {{NoForeignCode, !isForeign},
         {Statements, statements, options.wholeStatements},
         {StatementsOfOne, ofOne, target::kBlockStatements},
         {StatementsOfMany, ofMany, static_cast<double>(statements) * target::kSmallPart},
         {WorkInAll, cost, light}});
}

void formWhole(const ir::Design& design, const Options& options,
               const std::vector<std::uint32_t>& sizes, const std::vector<double>& costs,
               Plan& plan) {
    Kernel block;
    block.kind = KernelKind::Block;
    block.isWhole = true;
    block.steps = StepsInOrder(design).run();
    block.processes = block.steps.size();
    for (const InstanceRef& step : block.steps) {
        block.statements += sizes[step.cls.index];
        block.cost += costs[step.cls.index];
    }
    if (options.ledger.ask(
            rules::Rule::FunctionCuts, rules::Subject::design(),
            {{rules::Condition::LongStatements, block.statements, options.longestFunction}}))
        block.cuts = cutsOf(block, sizes, options.blockStatements);
    plan.kernels.push_back(std::move(block));
}

}  // namespace smec::plan
