// A walk over the instances, sources first: a process is placed once all that it reads in its cycle
// is. The language has no combinational cycles, so that it ends.

#include "plan/whole.h"

#include <algorithm>

#include "ir/reader_graph.h"
#include "ir/target.h"
#include "ir/visit.h"
#include "plan/target.h"
#include "source/internal_error.h"

namespace smec::plan {
namespace {

class Order {
public:
    explicit Order(const ir::Design& design) : design_(design) {
        std::uint32_t count = 0;
        for (const ir::Class& cls : design.classes) {
            first_.push_back(count);
            count += cls.instances;
        }
        sources_.resize(count);
        states_.resize(count, State::New);
        for (std::uint32_t cls = 0; cls < design.classes.size(); ++cls)
            ir::forEachRead(design, cls, [&](const ir::Read& read) { note(read); });
    }

    std::vector<InstanceRef> run() {
        for (const bool isCombinational : {false, true}) {
            for (std::uint32_t cls = 0; cls < design_.classes.size(); ++cls) {
                if (design_.classes[cls].combinational != isCombinational) continue;
                for (std::uint32_t i = 0; i < design_.classes[cls].instances; ++i)
                    place({{cls}, i});
            }
        }
        return std::move(placed_);
    }

private:
    void note(const ir::Read& read) {
        if (!read.isInSameCycle()) return;
        for (std::uint32_t i = 0; i < read.run->count; ++i)
            sources_[first_[read.reader] + read.run->first + i].push_back(
                {{read.writer}, read.source(i)});
    }

    std::uint32_t nodeOf(InstanceRef step) const { return first_[step.cls.index] + step.instance; }

    void place(InstanceRef wanted) {
        struct Open {
            InstanceRef step;
            std::size_t next;
        };
        std::vector<Open> open{{wanted, 0}};
        while (!open.empty()) {
            Open& top = open.back();
            State& state = states_[nodeOf(top.step)];
            const std::vector<InstanceRef>& sources = sources_[nodeOf(top.step)];
            require(state != State::Open || top.next > 0, "combinational cycle between instances");
            if (state != State::Placed && top.next < sources.size()) {
                state = State::Open;
                open.push_back({sources[top.next++], 0});
                continue;
            }
            if (state != State::Placed) placed_.push_back(top.step);
            state = State::Placed;
            open.pop_back();
        }
    }

    enum class State : std::uint8_t { New, Open, Placed };

    const ir::Design& design_;
    std::vector<std::uint32_t> first_;  ///< node of each class' first instance
    std::vector<std::vector<InstanceRef>> sources_;
    std::vector<State> states_;
    std::vector<InstanceRef> placed_;
};

static_assert(target::kFewInstances < ir::target::kLaneInstances);  // those have code for lanes

/// Whether neither C++ nor rounds that a run decides are in it, so that its cost is known.
bool isCostKnown(const ir::Body& body) {
    bool isKnown = true;
    ir::forEachStmt(body.statements, [&](const ir::Stmt& stmt) {
        if (const auto* counted = std::get_if<ir::For>(&stmt.node))
            isKnown = isKnown && counted->rounds;
        if (const auto* loop = std::get_if<ir::Loop>(&stmt.node))
            isKnown = isKnown && loop->isStateMachine;
    });
    return isKnown;
}

bool areCostsKnown(const ir::Design& design) {
    return std::ranges::all_of(design.classes,
                               [](const ir::Class& cls) { return isCostKnown(cls.body); })
           && std::ranges::all_of(design.functions, [](const ir::Function& function) {
                  return !function.callsForeign && isCostKnown(function.body);
              });
}

std::vector<std::uint32_t> cutsOf(const Kernel& block, const std::vector<std::uint32_t>& sizes,
                                  std::uint64_t blockStatements) {
    std::vector<std::uint32_t> cuts;
    if (block.statements <= target::kLongestFunction * blockStatements) return cuts;
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

bool isWhole(const ir::Design& design, const Options& options,
             const std::vector<std::uint32_t>& sizes, const std::vector<double>& costs,
             std::uint32_t levels) {
    std::uint64_t statements = 0, ofMany = 0;
    double cost = 0;
    bool isLevelled = false;
    for (std::uint32_t i = 0; i < design.classes.size(); ++i) {
        const ir::Class& cls = design.classes[i];
        const std::uint64_t size = std::uint64_t{sizes[i]} * cls.instances;
        if (cls.instances > target::kFewInstances && size > target::kFewOfMany) ofMany += size;
        // a long body need not be compiled once for each instance
        if (cls.instances > 1 && size > options.blockStatements) return false;
        statements += size;
        cost += costs[i] * cls.instances;
        isLevelled = isLevelled || (cls.combinational && cls.instances != 0);
    }
    const double light = target::kLightLevel * std::min(levels, target::kMostLevels);
    return isLevelled && statements <= options.wholeStatements && cost <= light
           && static_cast<double>(ofMany) <= static_cast<double>(statements) * target::kSmallPart
           && areCostsKnown(design);
}

void formWhole(const ir::Design& design, const Options& options,
               const std::vector<std::uint32_t>& sizes, const std::vector<double>& costs,
               Plan& plan) {
    Kernel block;
    block.kind = KernelKind::Block;
    block.isWhole = true;
    block.steps = Order(design).run();
    block.processes = block.steps.size();
    for (const InstanceRef& step : block.steps) {
        block.statements += sizes[step.cls.index];
        block.cost += costs[step.cls.index];
    }
    block.cuts = cutsOf(block, sizes, options.blockStatements);
    plan.kernels.push_back(std::move(block));
}

}  // namespace smec::plan
