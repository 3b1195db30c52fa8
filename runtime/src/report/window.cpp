#include "report/window.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "report/target.h"
#include "values/printf_text.h"

namespace sme {
namespace {

struct Totals {
    double busy = 0;
    double waited = 0;
    double searched = 0;
    std::uint64_t thefts = 0;
    std::map<unsigned, double> waitedFor;
};

std::vector<Totals> totalsOf(const ScheduleWindow& window, const Barriers& barriers) {
    std::vector<Totals> totals(window.events.size());
    for (unsigned thread = 0; thread < window.events.size(); ++thread) {
        Totals& it = totals[thread];
        for (const Event& event : window.events[thread]) {
            const double ns = static_cast<double>(event.end - event.begin) * window.nsPerTick;
            switch (event.kind) {
            case Event::Kind::Unit: it.busy += ns; break;
            case Event::Kind::Theft: ++it.thefts; [[fallthrough]];
            case Event::Kind::Search: it.searched += ns; break;
            case Event::Kind::Wait:
                it.waited += ns;
                it.waitedFor[barriers.at({event.cycle, event.level}).thread] += ns;
                break;
            }
        }
    }
    return totals;
}

/// What is told in one line: a unit of the plan, or all of a work.
using Told = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

struct UnitTime {
    double ns = 0;
    std::uint64_t steps = 0;
};
using UnitTimes = std::map<Told, UnitTime>;

UnitTimes timesOf(const Model& model, const ScheduleWindow& window, bool byUnit) {
    UnitTimes times;
    for (const auto& thread : window.events) {
        for (const Event& event : thread) {
            if (event.kind != Event::Kind::Unit) continue;
            const Work& work = model.work[event.work];
            UnitTime& it = times[byUnit ? Told{event.work, event.first, event.last}
                                        : Told{event.work, work.first, work.first + work.count}];
            it.ns += static_cast<double>(event.end - event.begin) * window.nsPerTick;
            it.steps += std::uint64_t{event.last - event.first} * std::max(1u, work.steps);
        }
    }
    return times;
}

/// Units tell more than works: heavy instances of a process stand beside light ones.
std::string processTable(const Model& model, const ScheduleWindow& window, WorkNames& names) {
    UnitTimes times = timesOf(model, window, true);
    if (times.size() > target::kMostTold) times = timesOf(model, window, false);
    std::vector<std::pair<Told, UnitTime>> sorted(times.begin(), times.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second.ns > b.second.ns; });
    double all = 0;
    for (const auto& each : sorted)
        all += each.second.ns;
    std::string text = "  share   ns a cycle    ns a step   processes   process: instances\n";
    const double cycles = static_cast<double>(std::max<std::uint64_t>(1, window.count));
    for (std::size_t i = 0; i < std::min(sorted.size(), target::kMostTold); ++i) {
        const auto& [told, time] = sorted[i];
        const auto [work, first, last] = told;
        text += printfText("%5.1f %% %12.1f %12.3f %11u   ", all > 0 ? 100 * time.ns / all : 0,
                           time.ns / cycles,
                           time.ns / static_cast<double>(std::max<std::uint64_t>(1, time.steps)),
                           (last - first) * model.work[work].steps);
        text += names.processes(work) + ": " + names.instances(work, first, last) + "\n";
    }
    if (sorted.size() > target::kMostTold)
        text += printfText("and %zu more\n", sorted.size() - target::kMostTold);
    return text;
}

std::string threadTable(const std::vector<Totals>& totals, const ScheduleWindow& window) {
    const double cycles = static_cast<double>(std::max<std::uint64_t>(1, window.count));
    std::string text = printfText("thread   busy ns/cycle   waiting   searching   busy   %s  waits "
                                  "most for\n",
                                  window.steals ? "thefts/cycle " : "");
    for (unsigned thread = 0; thread < totals.size(); ++thread) {
        const Totals& it = totals[thread];
        const double all = it.busy + it.waited + it.searched;
        const auto most =
            std::max_element(it.waitedFor.begin(), it.waitedFor.end(),
                             [](const auto& a, const auto& b) { return a.second < b.second; });
        const bool waits = most != it.waitedFor.end() && most->first != thread;
        text +=
            printfText("%6u %15.1f %9.1f %11.1f %5.1f %% ", thread, it.busy / cycles,
                       it.waited / cycles, it.searched / cycles, all > 0 ? 100 * it.busy / all : 0);
        if (window.steals) text += printfText("%12.2f ", static_cast<double>(it.thefts) / cycles);
        text += waits ? printfText("  thread %u\n", most->first) : std::string("  itself\n");
    }
    return text;
}

/// The unit that most often was the last before a barrier.
std::string criticalUnit(const ScheduleWindow& window, const Barriers& barriers, WorkNames& names) {
    std::map<Told, std::uint64_t> times;
    for (const auto& [barrier, last] : barriers) {
        if (last.unit) ++times[{last.unit->work, last.unit->first, last.unit->last}];
    }
    if (times.empty() || window.events.size() < 2) return {};
    const auto most =
        std::max_element(times.begin(), times.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    const auto [work, first, last] = most->first;
    const double share =
        100.0 * static_cast<double>(most->second) / static_cast<double>(barriers.size());
    return printfText("critical unit, the last to finish before %.0f %% of the barriers: ", share)
           + names.instances(work, first, last) + "\n";
}

/// Mean load by the highest: 100 % is even.
double balance(const std::vector<double>& loads) {
    const double highest = loads.empty() ? 0 : *std::max_element(loads.begin(), loads.end());
    const double sum = std::accumulate(loads.begin(), loads.end(), 0.0);
    return highest > 0 ? sum / (highest * static_cast<double>(loads.size())) : 1;
}

/// What the plan thought each thread would do: measured times of pieces where there are some, else
/// the compiler's estimates.
std::vector<double> expectedLoads(const Engine& engine) {
    const Model& model = engine.model();
    const unsigned shares = engine.config().threads;
    std::vector<double> loads(shares, 0);
    const bool isMeasured =
        needsTimes(engine.config().scheduling) && !engine.runner().plan().times().empty();
    for (std::uint32_t level = 0; level < model.levels; ++level) {
        if (isMeasured) {
            const auto& pieces = engine.runner().plan().times()[level];
            const Deal deal = dealPieces(model, engine.config().scheduling, pieces, shares);
            for (std::size_t i = 0; i < pieces.size(); ++i)
                loads[deal[i]] += pieces[i].cost;
            continue;
        }
        const LevelList list(model, level, engine.config().isApart);
        const Slices slices = slice(list, shares, engine.config().scheduling.orchestrate);
        for (unsigned share = 0; share < shares; ++share) {
            for (const Unit& unit : slices[share])
                loads[share] += model.work[unit.work].cost * (unit.end - unit.begin);
        }
    }
    return loads;
}

}  // namespace

Barriers lastAtBarriers(const ScheduleWindow& window) {
    Barriers barriers;
    for (unsigned thread = 0; thread < window.events.size(); ++thread) {
        const Event* unit = nullptr;
        for (const Event& event : window.events[thread]) {
            if (event.kind == Event::Kind::Unit) unit = &event;
            if (event.kind != Event::Kind::Wait) continue;
            LastArrival& last = barriers[{event.cycle, event.level}];
            if (event.begin >= last.arrived) last = {thread, event.begin, unit};
            unit = nullptr;
        }
    }
    return barriers;
}

std::uint32_t runWindow(Engine& engine, Observer& observer, std::uint64_t count,
                        ScheduleWindow& window) {
    // a unit, a search and a wait at most for each unit of the plan
    const std::size_t wanted =
        (3 * engine.runner().plan().unitCount() + engine.model().levels + 2) * (count + 1);
    const TickRate rate;
    engine.runner().recording().keepEvents(std::min(wanted, target::kMostEvents));
    window.first = engine.cycle();
    const std::uint32_t ended = engine.run(engine.cycle() + count, &observer);
    window.count = engine.cycle() - window.first;
    const Scheduling& scheduling = engine.config().scheduling;
    window.running = engine.config().running();
    window.steals = scheduling.model == ModelKind::Stealing && window.running > 1
                    && scheduling.queues != QueueLayout::Node;
    window.byGroup = scheduling.queues == QueueLayout::Group;
    window.events = engine.runner().recording().events();
    window.isCut = wanted > target::kMostEvents && engine.runner().recording().lostEvents();
    window.nsPerTick = rate.nsPerTick();
    engine.runner().recording().keepEvents(0);
    return ended;
}

std::string profileText(const Engine& engine, const ScheduleWindow& window) {
    const Model& model = engine.model();
    const Barriers barriers = lastAtBarriers(window);
    const std::vector<Totals> totals = totalsOf(window, barriers);
    std::string text =
        printfText("cycles %llu to %llu%s\n\n", static_cast<unsigned long long>(window.first),
                   static_cast<unsigned long long>(window.first + window.count - 1),
                   window.isCut ? ", of which the first were not kept" : "");
    WorkNames names(model);
    text += processTable(model, window, names) + "\n" + threadTable(totals, window) + "\n";
    text += criticalUnit(window, barriers, names);
    std::vector<double> busy;
    for (unsigned thread = 0; thread < window.running; ++thread)
        busy.push_back(totals[thread].busy);
    if (window.running < 2) return text;
    const bool isStatic = engine.config().scheduling.model == ModelKind::Static;
    if (isStatic)
        text += printfText("balance: expected %.1f %%, ", 100 * balance(expectedLoads(engine)));
    text += printfText("%smeasured %.1f %% (mean by highest load)\n",
                       isStatic ? "" : "balance: ", 100 * balance(busy));
    return text;
}

std::string refusalsText(const Model& model) {
    if (model.refusals == nullptr) return {};
    return std::string("\nnot done by the compiler, by the share of a cycle's estimated work that "
                       "it is about:\n")
           + model.refusals;
}

}  // namespace sme
