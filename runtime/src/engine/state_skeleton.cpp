#include "engine/state_skeleton.h"

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
        std::uint32_t runs = 0;
        for (std::uint32_t i = 0; i < model_.nameRunCount; ++i)
            runs += isKept(model_.names[i]);
        text_.number(runs);
        for (std::uint32_t i = 0; i < model_.nameRunCount; ++i)
            if (isKept(model_.names[i])) addRun(model_.names[i]);
        endPart(planned_.skeleton.named);
        addHidden();
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

    void addRun(const NameRun& run) {
        const std::uint32_t type = typeOf(model_, run);
        const std::uint64_t bytes = bytesOfValue(model_, type);
        addPath(run.prefix, run.suffix, run.index);
        text_.number(run.count);
        text_.text(shapeOf(model_, type));
        text_.number(bytes);
        planned_.skeleton.named.push_back({takeText(), run.count * bytes});
        planned_.named.push_back({&run, {}});
    }

    /// Whose a group is: paths of the owner's instances.
    void addOwner(std::uint32_t owner) {
        std::uint32_t runs = 0;
        for (std::uint32_t i = 0; i < model_.instanceRunCount; ++i)
            runs += model_.instances[i].cls == owner;
        text_.number(owner < model_.classCount ? model_.classes[owner].body : 0);
        text_.number(runs);
        for (std::uint32_t i = 0; i < model_.instanceRunCount; ++i) {
            const InstanceRun& run = model_.instances[i];
            if (run.cls != owner) continue;
            addPath(run.prefix, run.suffix, run.index);
            text_.number(run.first);
            text_.number(run.count);
        }
    }

    void addHidden() {
        const std::vector<HiddenGroup> groups = hiddenGroups(model_);
        text_.text(groups.empty() ? "" : kHiddenPlanes);
        if (groups.empty()) return;
        text_.number(static_cast<std::uint32_t>(groups.size()));
        for (const HiddenGroup& group : groups) {
            addOwner(group.owner);
            text_.number(static_cast<std::uint32_t>(group.values.size()));
            for (const HiddenValue& value : group.values)
                addValues(value);
        }
    }

    void addValues(const HiddenValue& value) {
        const std::uint64_t instances = model_.planes[value.plane].instances;
        const std::uint32_t bytes = model_.types[value.type].bytes;
        text_.text(shapeOf(model_, value.type));
        text_.number(instances);
        text_.number(bytes);
        planned_.skeleton.hidden.push_back({takeText(), instances * bytes});
        planned_.hidden.push_back({nullptr, value});
    }

    const Model& model_;
    StateWriter text_;
    PlannedState planned_;
};

}  // namespace

PlannedState planState(const Model& model) { return Planner(model).plan(); }

}  // namespace sme
