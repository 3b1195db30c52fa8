#include "window.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "printf_text.h"

namespace sme {
namespace {

constexpr std::size_t kMostEvents = std::size_t{1} << 20;  // of a thread: 48 MiB
constexpr std::size_t kMostProcesses = 30;

/// In the quotes of JSON.
std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (static_cast<unsigned char>(c) >= ' ') result += c;
    }
    return result + '"';
}

std::string unitName(const Model& model, const Event& event) {
    const Work& work = model.work[event.work];
    std::string name = work.name;
    if (event.first == 0 && event.last == work.count) return name;
    return name + "[" + std::to_string(event.first) + " .. " + std::to_string(event.last) + ")";
}

/// Who came last to which barrier, and the unit that kept it.
struct Last {
    unsigned thread = 0;
    std::uint64_t arrived = 0;
    const Event* unit = nullptr;
};
using Barriers = std::map<std::pair<std::uint64_t, std::uint32_t>, Last>;

Barriers lastAtBarriers(const ScheduleWindow& window) {
    Barriers barriers;
    for (unsigned thread = 0; thread < window.events.size(); ++thread) {
        const Event* unit = nullptr;
        for (const Event& event : window.events[thread]) {
            if (event.kind == Event::Kind::Unit) unit = &event;
            if (event.kind != Event::Kind::Wait) continue;
            Last& last = barriers[{event.cycle, event.level}];
            if (event.begin >= last.arrived) last = {thread, event.begin, unit};
            unit = nullptr;
        }
    }
    return barriers;
}

std::string reasonOf(const Model& model, const Last& last) {
    const std::string thread = "thread " + std::to_string(last.thread);
    return last.unit ? thread + ", " + unitName(model, *last.unit) : thread;
}

struct Totals {
    double busy = 0;
    double waited = 0;
    double searched = 0;
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

struct ProcessTime {
    double ns = 0;
    std::uint64_t steps = 0;
};

std::string processTable(const Model& model, const ScheduleWindow& window) {
    std::map<std::uint32_t, ProcessTime> byWork;
    double all = 0;
    for (const auto& thread : window.events) {
        for (const Event& event : thread) {
            if (event.kind != Event::Kind::Unit) continue;
            ProcessTime& it = byWork[event.work];
            const double ns = static_cast<double>(event.end - event.begin) * window.nsPerTick;
            it.ns += ns;
            it.steps += std::uint64_t{event.last - event.first}
                        * std::max(1u, model.work[event.work].steps);
            all += ns;
        }
    }
    std::vector<std::pair<std::uint32_t, ProcessTime>> sorted(byWork.begin(), byWork.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second.ns > b.second.ns; });
    std::string text =
        "process                          instances     ns a step   ns a cycle   share\n";
    const double cycles = static_cast<double>(std::max<std::uint64_t>(1, window.count));
    for (std::size_t i = 0; i < std::min(sorted.size(), kMostProcesses); ++i) {
        const auto& [work, time] = sorted[i];
        text += printfText("%-30s %11u %13.3f %12.1f %6.1f %%\n", model.work[work].name,
                           model.work[work].count * std::max(1u, model.work[work].steps),
                           time.ns / static_cast<double>(std::max<std::uint64_t>(1, time.steps)),
                           time.ns / cycles, all > 0 ? 100 * time.ns / all : 0);
    }
    if (sorted.size() > kMostProcesses)
        text += printfText("and %zu more\n", sorted.size() - kMostProcesses);
    return text;
}

std::string threadTable(const std::vector<Totals>& totals, const ScheduleWindow& window) {
    std::string text = "thread   busy ns/cycle   waiting   searching   busy     waits most for\n";
    const double cycles = static_cast<double>(std::max<std::uint64_t>(1, window.count));
    for (unsigned thread = 0; thread < totals.size(); ++thread) {
        const Totals& it = totals[thread];
        const double all = it.busy + it.waited + it.searched;
        const auto most =
            std::max_element(it.waitedFor.begin(), it.waitedFor.end(),
                             [](const auto& a, const auto& b) { return a.second < b.second; });
        const bool waits = most != it.waitedFor.end() && most->first != thread;
        text += printfText("%6u %15.1f %9.1f %11.1f %5.1f %%   %s%s\n", thread, it.busy / cycles,
                           it.waited / cycles, it.searched / cycles,
                           all > 0 ? 100 * it.busy / all : 0, waits ? "thread " : "itself",
                           waits ? std::to_string(most->first).c_str() : "");
    }
    return text;
}

/// The unit that most often was the last before a barrier, by the time that others waited for it.
std::string criticalUnit(const Model& model, const ScheduleWindow& window,
                         const Barriers& barriers) {
    std::map<std::string, std::uint64_t> times;
    for (const auto& [barrier, last] : barriers) {
        if (last.unit) ++times[unitName(model, *last.unit)];
    }
    if (times.empty() || window.events.size() < 2) return {};
    const auto most =
        std::max_element(times.begin(), times.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    return printfText("critical unit: %s, the last in %.0f %% of the cycles\n", most->first.c_str(),
                      100.0 * static_cast<double>(most->second)
                          / static_cast<double>(barriers.size()));
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
    const bool isMeasured = needsTimes(engine.config().scheduling) && !engine.times().empty();
    for (std::uint32_t level = 0; level < model.levels; ++level) {
        if (isMeasured) {
            const auto& pieces = engine.times()[level];
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

std::uint32_t runWindow(Engine& engine, Observer& observer, std::uint64_t count,
                        ScheduleWindow& window) {
    // a unit, a search and a wait at most for each unit of the plan
    const std::size_t wanted = (3 * engine.unitCount() + engine.model().levels + 2) * (count + 1);
    const TickRate rate;
    engine.record(std::min(wanted, kMostEvents));
    window.first = engine.cycle();
    const std::uint32_t ended = engine.run(engine.cycle() + count, &observer);
    window.count = engine.cycle() - window.first;
    window.running = engine.config().running();
    window.events = engine.events();
    window.isCut = wanted > kMostEvents && engine.lostEvents();
    window.nsPerTick = rate.nsPerTick();
    engine.record(0);
    return ended;
}

std::string traceEvents(const Model& model, const ScheduleWindow& window) {
    std::uint64_t start = ~std::uint64_t{0};
    for (const auto& thread : window.events) {
        for (const Event& event : thread)
            start = std::min(start, event.begin);
    }
    const Barriers barriers = lastAtBarriers(window);
    const auto micros = [&](std::uint64_t from, std::uint64_t to) {
        return static_cast<double>(to - from) * window.nsPerTick / 1000;
    };
    std::string text = "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n";
    text += printfText(
        "{\"ph\": \"M\", \"pid\": 1, \"name\": \"process_name\", \"args\": {\"name\": %s}}",
        quoted(model.name).c_str());
    for (unsigned thread = 0; thread < window.events.size(); ++thread) {
        text +=
            printfText(",\n{\"ph\": \"M\", \"pid\": 1, \"tid\": %u, \"name\": \"thread_name\", "
                       "\"args\": {\"name\": \"%s %u\"}}",
                       thread, thread < window.running ? "thread" : "thread of its own", thread);
        for (const Event& event : window.events[thread]) {
            std::string name;
            const char* category = "";
            switch (event.kind) {
            case Event::Kind::Unit:
                name = unitName(model, event);
                category = "unit";
                break;
            case Event::Kind::Search:
                name = "looks for work";
                category = "search";
                break;
            case Event::Kind::Wait: {
                const Last& last = barriers.at({event.cycle, event.level});
                name = last.thread == thread ? "barrier" : "waits for " + reasonOf(model, last);
                category = "wait";
                break;
            }
            }
            text += ",\n{\"ph\": \"X\", \"pid\": 1, \"tid\": " + std::to_string(thread)
                    + ", \"cat\": \"" + category + "\", \"name\": " + quoted(name);
            text += printfText(", \"ts\": %.4f, \"dur\": %.4f, \"args\": {\"cycle\": %llu}}",
                               micros(start, event.begin), micros(event.begin, event.end),
                               static_cast<unsigned long long>(event.cycle));
        }
    }
    return text + "\n]}\n";
}

std::string profileText(const Engine& engine, const ScheduleWindow& window) {
    const Model& model = engine.model();
    const Barriers barriers = lastAtBarriers(window);
    const std::vector<Totals> totals = totalsOf(window, barriers);
    std::string text =
        printfText("cycles %llu to %llu%s\n\n", static_cast<unsigned long long>(window.first),
                   static_cast<unsigned long long>(window.first + window.count),
                   window.isCut ? ", of which the first were not kept" : "");
    text += processTable(model, window) + "\n" + threadTable(totals, window) + "\n";
    text += criticalUnit(model, window, barriers);
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

}  // namespace sme
