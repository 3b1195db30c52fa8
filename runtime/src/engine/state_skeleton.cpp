#include "engine/state_skeleton.h"

#include <algorithm>
#include <span>
#include <utility>

#include "engine/state_layout.h"
#include "sme/state_format.h"

namespace sme {
namespace {

/// Text and values in turn.
class Planner {
public:
    explicit Planner(const Model& model) : model_(model) {}

    PlannedState plan() {
        addRuns({model_.names, model_.nameRunCount}, true, planned_.skeleton.named, planned_.named);
        endPart(planned_.skeleton.named);
        addBodies();
        addRuns({model_.hiddenNames, model_.hiddenNameCount}, false, planned_.skeleton.hidden,
                planned_.hidden);
        endPart(planned_.skeleton.hidden);
        return std::move(planned_);
    }

private:
    std::vector<std::byte> takeText() { return std::exchange(text_, {}).take(); }

    void endPart(std::vector<StatePiece>& pieces) {
        std::vector<std::byte> rest = takeText();
        if (!rest.empty()) pieces.push_back({std::move(rest), 0});
    }

    void addPath(const char* prefix, const char* suffix, std::uint64_t index) {
        text_.text(prefix);
        text_.number<std::uint8_t>(suffix != nullptr);
        text_.text(suffix ? suffix : "");
        text_.number(index);
    }

    /// `isTyped`: with their types; what is hidden is one of the body that it belongs to.
    void addRuns(std::span<const NameRun> all, bool isTyped, std::vector<StatePiece>& pieces,
                 std::vector<const NameRun*>& runs) {
        text_.number(static_cast<std::uint32_t>(std::ranges::count_if(all, isKept)));
        for (const NameRun& run : all) {
            if (!isKept(run)) continue;
            const std::uint32_t type = typeOf(model_, run);
            const std::uint64_t bytes = bytesOfValue(model_, type);
            addPath(run.prefix, run.suffix, run.index);
            text_.number(run.count);
            text_.text(isTyped ? shapeOf(model_, type) : "");
            text_.number(bytes);
            pieces.push_back({takeText(), run.count * bytes});
            runs.push_back(&run);
        }
    }

    /// Of processes that keep what is hidden.
    void addBodies() {
        const std::span all(model_.instances, model_.instanceRunCount);
        const auto hides = [](const InstanceRun& run) { return run.body != 0; };
        text_.number(static_cast<std::uint32_t>(std::ranges::count_if(all, hides)));
        for (const InstanceRun& run : all) {
            if (!hides(run)) continue;
            addPath(run.prefix, run.suffix, run.index);
            text_.number(run.count);
            text_.number(run.body);
        }
    }

    const Model& model_;
    StateWriter text_;
    PlannedState planned_;
};

}  // namespace

PlannedState planState(const Model& model) { return Planner(model).plan(); }

}  // namespace sme
