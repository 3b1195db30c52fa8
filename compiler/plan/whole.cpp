// A walk over the instances, sources first: a process is placed once all that it reads in its cycle
// is. The language has no combinational cycles, so that it ends.

#include "plan/whole.h"

#include <algorithm>

#include "ir/reader_graph.h"
#include "plan/target.h"

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
        isPlaced_.resize(count, false);
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
            const std::uint32_t node = nodeOf(top.step);
            if (isPlaced_[node] || top.next == sources_[node].size()) {
                if (!isPlaced_[node]) placed_.push_back(top.step);
                isPlaced_[node] = true;
                open.pop_back();
            } else {
                open.push_back({sources_[node][top.next++], 0});
            }
        }
    }

    const ir::Design& design_;
    std::vector<std::uint32_t> first_;  ///< node of each class' first instance
    std::vector<std::vector<InstanceRef>> sources_;
    std::vector<bool> isPlaced_;
    std::vector<InstanceRef> placed_;
};

}  // namespace

bool isWhole(const ir::Design& design, const Options& options,
             const std::vector<std::uint32_t>& sizes, const std::vector<double>& costs) {
    std::uint64_t statements = 0;
    double cost = 0;
    bool isLevelled = false;
    for (std::uint32_t i = 0; i < design.classes.size(); ++i) {
        const ir::Class& cls = design.classes[i];
        if (cls.instances > target::kFewInstances) return false;
        statements += std::uint64_t{sizes[i]} * cls.instances;
        cost += costs[i] * cls.instances;
        isLevelled = isLevelled || (cls.combinational && cls.instances != 0);
    }
    return isLevelled && statements <= options.wholeStatements && cost <= target::kLightLevel;
}

void formWhole(const ir::Design& design, const std::vector<std::uint32_t>& sizes,
               const std::vector<double>& costs, Plan& plan) {
    Kernel block;
    block.kind = KernelKind::Block;
    block.isWhole = true;
    block.steps = Order(design).run();
    block.processes = block.steps.size();
    for (const InstanceRef& step : block.steps) {
        block.statements += sizes[step.cls.index];
        block.cost += costs[step.cls.index];
    }
    plan.kernels.push_back(std::move(block));
}

}  // namespace smec::plan
