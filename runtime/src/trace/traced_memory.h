#pragma once

#include <vector>

#include "engine/engine.h"
#include "formats/trace_files.h"
#include "trace/watched_memory.h"
#include "values/names.h"

namespace sme {

/// The scalars of a trace in the memory of a run: fields as the processes see them, variables as they
/// are before the body runs.
class TracedMemory {
public:
    TracedMemory(const Engine& engine, const std::vector<Ref>& refs);

    /// Where each of the refs is in the image that what is found is words of.
    TraceImage image() const;

    /// Whether values must be taken while all threads stand still: variables, which bodies change
    /// in place, and combinational fields, which exist only after their level.
    bool needsPause() const { return needsPause_; }
    /// What changed up to `cycle`, between the one before and this one.
    template <typename Found>
    void compareBetween(std::uint64_t cycle, Found& found) {
        const Arena& arena = engine_.arena();
        variables_.compare(arena.state(), found);
        if (needsPause_) compareSlots(cycle, found);
    }
    /// What is read in `cycle` and compareBetween() has not looked at: during it, or right after it
    /// where needsPause().
    template <typename Found>
    void compareFields(std::uint64_t cycle, Found& found) {
        for (OfGroup& memory : groups_) {
            const Slots slots = engine_.arena().slots(cycle, memory.group);
            memory.given.compare(slots.read, found);
            memory.combinational.compare(slots.write, found);
        }
        single_.compare(engine_.arena().state(), found);
    }

    /// Time has gone back: what was seen does not tell what changed. All counts as changed.
    void forget() {
        for (OfGroup& memory : groups_) {
            memory.given.forget();
            memory.combinational.forget();
        }
        single_.forget();
        variables_.forget();
        next_ = ~std::uint64_t{0};
    }

private:
    /// Clocked: between two cycles the slot that the next one writes has what was read in the one
    /// before, and needs no copy. Given: clocked fields that others than processes write, inputs;
    /// and all of them where nobody looks between cycles.
    enum Watched { Clocked, Given, Combinational, Single, Variables };
    struct Place {
        Watched as;
        ClockGroup group;
        WatchedMemory::Scalar scalar;
    };
    /// What lies in the slots of a clock group.
    struct OfGroup {
        OfGroup(ClockGroup number, const std::vector<Place>& places, std::uint32_t firstWord);
        ClockGroup group;
        WatchedMemory clocked, given, combinational;
    };
    TracedMemory(const Engine& engine, std::vector<Place> places);
    template <typename Found>
    void compareSlots(std::uint64_t cycle, Found& found) {
        const std::uint64_t interventions = engine_.state().interventions();
        const bool isSame = interventions == interventions_;
        if (isSame && next_ == cycle + 1) return;  // a run that pauses asks twice
        for (const OfGroup& memory : groups_) {
            const Slots slots = engine_.arena().slots(cycle, memory.group);
            memory.clocked.compare(slots.read, isSame && next_ == cycle ? slots.write : nullptr,
                                   found);
        }
        interventions_ = interventions;
        next_ = cycle + 1;
    }
    static Watched watchedAs(const Plane& plane, std::uint32_t flags);
    static std::vector<Place> placesOf(const Model& model, const std::vector<Ref>& refs);
    /// Values that are stored once lie in no slot.
    static constexpr ClockGroup kAnyGroup = ~ClockGroup{0};
    const WatchedMemory& memoryOf(const Place& place) const;
    static std::vector<OfGroup> groupsOf(const Model& model, const std::vector<Place>& places);
    static std::vector<WatchedMemory::Scalar> scalarsIn(Watched as, ClockGroup group,
                                                        const std::vector<Place>& places);

    const Engine& engine_;
    std::vector<Place> places_;  ///< of the refs
    std::vector<OfGroup> groups_;
    WatchedMemory single_, variables_;
    bool needsPause_;
    std::uint64_t next_ = ~std::uint64_t{0};  ///< after the one up to which slots were compared
    std::uint64_t interventions_ = 0;         ///< of the engine, then
};

}  // namespace sme
