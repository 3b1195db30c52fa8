// Model m2. What a thread runs at each level is fixed before the run, so that nothing is shared but
// the barrier. With one thread this is the whole list in order.

#include <vector>

#include "schedule.h"

namespace sme {
namespace {

class StaticSlices final : public Schedule {
public:
    StaticSlices(const Model& model, unsigned threads, Orchestrate how) {
        for (std::uint32_t level = 0; level < model.levels; ++level) {
            levels_.push_back(slice(LevelList(model, level), threads, how));
        }
    }

    void beginCycle(std::uint64_t) override {}

    void runLevel(const Context& context, unsigned share, std::uint32_t level) override {
        const std::vector<Unit>& units = levels_[level][share];
        runUnits(context, units.data(), units.data() + units.size());
    }

private:
    std::vector<std::vector<std::vector<Unit>>> levels_;  ///< read only after construction
};

}  // namespace

std::unique_ptr<Schedule> makeStatic(const Model& model, unsigned threads, Orchestrate how) {
    return std::make_unique<StaticSlices>(model, threads, how);
}

}  // namespace sme
