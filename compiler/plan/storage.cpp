#include "plan/storage.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <unordered_map>

#include "ir/reader_graph.h"
#include "ir/visit.h"
#include "plan/plan.h"
#include "plan/upkeep.h"

namespace smec::plan {
namespace {

struct Subject {
    const ir::Plane& plane;
    bool isReadFirst;
    std::optional<ir::LogForm> log;
    Order order;
};

struct Rule {
    bool (*fits)(const Subject&);
    Decision (*decide)(const Subject&);
};

constexpr std::array kRules{
    Rule{[](const Subject& s) { return s.plane.kind == ir::PlaneKind::Input; },
         [](const Subject&) { return Decision{Home::Given}; }},
    Rule{[](const Subject& s) { return s.plane.kind == ir::PlaneKind::Undriven; },
         [](const Subject&) { return Decision{Home::Constant}; }},
    Rule{[](const Subject& s) { return s.plane.kind == ir::PlaneKind::State; },
         [](const Subject&) { return Decision{Home::OneSlot}; }},
    Rule{[](const Subject& s) { return s.plane.combinational; },
         [](const Subject&) { return Decision{Home::WrittenSlot}; }},
    Rule{[](const Subject& s) { return s.isReadFirst; },
         [](const Subject&) {
             return Decision{Home::OneSlot, true};
         }},
    Rule{[](const Subject& s) { return s.log.has_value(); },
         [](const Subject& s) {
             return Decision{Home::TwoSlots, false, s.log};
         }},
    Rule{[](const Subject&) { return true; }, [](const Subject&) { return Decision{}; }},
};

Decision decisionOf(const Subject& subject) {
    const auto rule =
        std::ranges::find_if(kRules, [&](const Rule& each) { return each.fits(subject); });
    Decision decision = rule->decide(subject);
    decision.order = subject.order;
    return decision;
}

/// By plane: what bodies index as all instances do lies by element.
std::vector<Order> ordersOf(const ir::Design& design) {
    std::vector<Order> orders(design.planes.size(), Order::ByInstance);
    for (const ir::Class& cls : design.classes)
        forEachByElement(cls, [&](std::span<const ir::PlaneId> elements) {
            for (const ir::PlaneId element : elements)
                orders[element.index] = Order::ByElement;
        });
    return orders;
}

class Verifier {
public:
    Verifier(const ir::Design& design, const Plan& plan) : design_(design), plan_(plan) {}

    std::vector<std::string> run() {
        if (plan_.storage.size() != design_.planes.size()
            || plan_.placements.size() != design_.planes.size())
            return {"a plane without a home or a place"};
        for (std::uint32_t i = 0; i < design_.planes.size(); ++i)
            checkHome(i);
        checkLogs();
        checkOrders();
        findSteps();
        for (std::uint32_t cls = 0; cls < design_.classes.size(); ++cls)
            ir::forEachRead(design_, cls, [&](const ir::Read& read) { checkRead(read); });
        checkPlaces(true, plan_.stateBytes);
        checkPlaces(false, plan_.clockedBytes);
        return std::move(problems_);
    }

private:
    struct Place {
        std::uint32_t kernel;
        std::uint32_t step;
    };

    void complain(std::uint32_t plane, const char* what) {
        problems_.push_back("'" + design_.planes[plane].name + "': " + what);
    }

    void checkHome(std::uint32_t index) {
        const ir::Plane& plane = design_.planes[index];
        const Decision& decision = plan_.storage[index];
        const Decision ruled =
            decisionOf({plane, decision.isReadFirst, decision.log, decision.order});
        if (std::tie(decision.home, decision.isReadFirst, decision.log)
            != std::tie(ruled.home, ruled.isReadFirst, ruled.log))
            complain(index, "no rule gives it this home");
        if (decision.isReadFirst && (!plane.hold || !plane.type.isArray() || plane.perOwner != 1))
            complain(index, "has one slot, and is no held array");
        if (decision.log && (!plane.hold || !plane.type.isArray()))
            complain(index, "has a log, and is no held array");
    }

    /// They are where homes name them, and have room for what these say.
    void checkLogs() {
        std::vector<const ir::Log*> logs(design_.planes.size(), nullptr);
        for (const ir::Class& cls : design_.classes)
            for (const ir::Output& output : cls.outputs)
                if (output.log) logs[output.plane.index] = &*output.log;
        for (std::uint32_t i = 0; i < logs.size(); ++i) {
            const std::optional<ir::LogForm>& wanted = plan_.storage[i].log;
            if (wanted.has_value() != (logs[i] != nullptr))
                complain(i, wanted ? "its home names a log that is not there"
                                   : "has a log that its home does not name");
            else if (wanted)
                checkLog(i, *logs[i], *wanted);
        }
    }

    void checkLog(std::uint32_t index, const ir::Log& log, const ir::LogForm& wanted) {
        const ir::Plane& plane = design_.planes[log.plane.index];
        if (plane.owner != design_.planes[index].owner || plane.kind != ir::PlaneKind::State)
            complain(index, "its log is no variable of its process");
        if (log.form != wanted || plane.type.length != wanted.words())
            complain(index, "its log is another one than its home names");
    }

    /// Who lies by element is what code finds an element of by a distance, and the distance is right.
    void checkOrders() {
        std::vector<bool> isFound(design_.planes.size(), false);
        for (const ir::Class& cls : design_.classes)
            forEachByElement(cls, [&](std::span<const ir::PlaneId> elements) {
                checkOrder(elements);
                for (const ir::PlaneId element : elements)
                    isFound[element.index] = true;
            });
        for (std::uint32_t i = 0; i < isFound.size(); ++i)
            if (plan_.storage[i].order == Order::ByElement && !isFound[i])
                complain(i, "lies by element, and no body wants it so");
    }

    void checkOrder(std::span<const ir::PlaneId> elements) {
        const Placement& first = plan_.placements[elements.front().index];
        for (std::size_t i = 0; i < elements.size(); ++i) {
            const std::uint32_t plane = elements[i].index;
            const Placement& place = plan_.placements[plane];
            if (plan_.storage[plane].order != Order::ByElement)
                complain(plane, "lies by instance, and its body wants it by element");
            else if (place.bytesToNext != first.bytesToNext
                     || place.offset != first.offset + i * first.bytesToNext)
                complain(plane, "does not lie as far behind its first element as that says");
        }
    }

    static std::uint64_t keyOf(std::uint32_t cls, std::uint32_t instance) {
        return std::uint64_t{cls} << 32 | instance;
    }

    void findSteps() {
        for (std::uint32_t k = 0; k < plan_.kernels.size(); ++k) {
            const std::vector<InstanceRef>& steps = plan_.kernels[k].steps;
            for (std::uint32_t i = 0; i < steps.size(); ++i)
                places_[keyOf(steps[i].cls.index, steps[i].instance)] = {k, i};
        }
    }

    const Place* placeOf(std::uint32_t cls, std::uint32_t instance) const {
        const auto found = places_.find(keyOf(cls, instance));
        return found == places_.end() ? nullptr : &found->second;
    }

    /// Reads of steps; those of loops are a matter of their levels.
    void checkRead(const ir::Read& read) {
        const std::uint32_t plane = read.run->plane.index;
        const Decision& decision = plan_.storage[plane];
        const bool isWritten = decision.home == Home::WrittenSlot;
        if (!isWritten && !decision.isReadFirst) return;
        const bool isChosen = design_.classes[read.reader].inputs[read.input].elements.size() > 1;
        if (decision.isReadFirst && isChosen)
            complain(plane, "has one slot, and a reader chooses an element");
        for (std::uint32_t i = 0; i < read.run->count; ++i) {
            const Place* const reader = placeOf(read.reader, read.run->first + i);
            const Place* const writer = placeOf(read.writer, read.source(i));
            if (isWritten)
                checkBehind(plane, reader, writer);
            else if (reader == nullptr || writer == nullptr || reader->kernel != writer->kernel
                     || reader->step > writer->step)
                return complain(plane, "has one slot, and is read elsewhere or behind its writer");
        }
    }

    void checkBehind(std::uint32_t plane, const Place* reader, const Place* writer) {
        if (reader == nullptr || writer == nullptr) return;
        const bool isBehind =
            reader->kernel == writer->kernel
                ? reader->step > writer->step
                : plan_.kernels[reader->kernel].level > plan_.kernels[writer->kernel].level;
        if (!isBehind) complain(plane, "is read in its cycle before it is written");
    }

    void checkPlaces(bool isState, std::uint64_t end) {
        std::vector<std::uint32_t> order;
        for (std::uint32_t i = 0; i < plan_.placements.size(); ++i)
            if ((plan_.storage[i].home == Home::OneSlot) == isState) order.push_back(i);
        std::ranges::sort(order, {}, [&](std::uint32_t i) { return plan_.placements[i].offset; });
        std::uint64_t free = 0;
        for (const std::uint32_t i : order) {
            const Placement& place = plan_.placements[i];
            if (place.offset % place.bytesPerElement != 0) complain(i, "is not aligned");
            if (place.offset < free) complain(i, "lies on another plane");
            free = place.offset + place.bytesPerInstance * design_.planes[i].instances;
            if (free > end) complain(i, "lies beyond its region");
        }
    }

    const ir::Design& design_;
    const Plan& plan_;
    std::vector<std::string> problems_;
    std::unordered_map<std::uint64_t, Place> places_;  ///< of the steps of blocks
};

}  // namespace

Storage decideStorage(const ir::Design& design, const std::vector<bool>& isReadFirst,
                      const std::vector<std::optional<ir::LogForm>>& logs) {
    const std::vector<Order> orders = ordersOf(design);
    Storage storage;
    storage.reserve(design.planes.size());
    for (std::size_t i = 0; i < design.planes.size(); ++i)
        storage.push_back(decisionOf({design.planes[i], isReadFirst[i], logs[i], orders[i]}));
    return storage;
}

void addVariables(const ir::Design& design, Storage& storage) {
    for (std::size_t i = storage.size(); i < design.planes.size(); ++i)
        storage.push_back(decisionOf({design.planes[i], false, std::nullopt, Order::ByInstance}));
}

std::vector<ir::LogWanted> logsIn(const Storage& storage) {
    std::vector<ir::LogWanted> logs;
    for (std::uint32_t i = 0; i < storage.size(); ++i)
        if (storage[i].log) logs.push_back({{i}, *storage[i].log});
    return logs;
}

std::vector<std::string> verifyStorage(const ir::Design& design, const Facts& facts,
                                       const Plan& plan) {
    std::vector<std::string> problems = Verifier(design, plan).run();
    return problems.empty() ? verifyUpkeep(design, facts, plan) : problems;
}

}  // namespace smec::plan
