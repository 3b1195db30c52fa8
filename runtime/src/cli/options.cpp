// What the options of sme/options.h do. That table drives both the parser and --help.

#include "cli/options.h"

#include <algorithm>
#include <iterator>

#include "report/target.h"
#include "schedule/choices.h"
#include "sme/option_words.h"
#include "values/names.h"

namespace sme {
namespace {

/// The value of one option, as the table has it read, and where complaints about it go.
struct Value {
    const std::string& text;
    std::string& error;

    std::uint64_t number() const { return readNumber(text).value_or(0); }
};

template <typename T, std::size_t N>
bool pick(std::string_view text, const Choice<T> (&choices)[N], T& target) {
    for (const Choice<T>& choice : choices)
        if (text == choice.name) target = choice.value;
    return true;
}

bool setChunk(Options& o, const Value& v) {
    const NamedParameter given(v.text);
    ChunkRule& rule = o.scheduling.chunk;
    o.hasChunk = true;
    rule.parameter = given.parameter ? readReal(*given.parameter).value_or(0) : 0;
    return pick(given.name, kChunks, rule.scheme);
}

bool setOrchestrate(Options& o, const Value& v) {
    const NamedParameter given(v.text);
    o.scheduling.orchestrateParameter =
        static_cast<std::uint32_t>(given.parameter ? readNumber(*given.parameter).value_or(0) : 0);
    return pick(given.name, kOrchestrations, o.scheduling.orchestrate);
}

bool setReport(Options& o, const Value& v) {
    for (const std::string_view each : splitWords(v.text, ',')) {
        const NamedParameter given(each);
        if (given.name == "text") o.reportText = true;
        if (given.name == "json") o.reportJson = true;
        if (given.name == "ranks")
            o.reportRanks =
                static_cast<unsigned>(readNumber(given.parameter.value_or("")).value_or(0));
        if (given.name != "factored") continue;
        o.reportFactored = given.parameter ? static_cast<unsigned>(
                               readNumber(*given.parameter).value_or(target::kFactoredRuns))
                                           : target::kFactoredRuns;
    }
    return true;
}

bool setScheduleWindow(Options& o, const Value& v) {
    const NamedParameter given(v.text);
    o.scheduleWindow = {readNumber(given.name).value_or(0),
                        given.parameter
                            ? readNumber(*given.parameter).value_or(target::kWindowCycles)
                            : target::kWindowCycles};
    return true;
}

bool setTrace(Options& o, const Value& v) {
    o.traces.push_back(v.text);
    const TraceFormat* format = traceFormatOf(v.text);
    v.error = format ? whyNotThere(v.text, *format) : wrongValue("--trace", traceNames(), v.text);
    return v.error.empty();
}

void assign(std::string& target, const Value& value) { target = value.text; }
void assign(std::vector<std::string>& target, const Value& value) { target.push_back(value.text); }
void assign(std::uint64_t& target, const Value& value) { target = value.number(); }
void assign(std::optional<std::uint64_t>& target, const Value& value) { target = value.number(); }

template <auto Member>
bool take(Options& options, const Value& value) {
    assign(options.*Member, value);
    return true;
}

struct Setter {
    std::string_view name;
    bool (*set)(Options&, const Value&);
};

constexpr Setter kSetters[] = {
    {"--cycles", take<&Options::cycles>},
    {"--seed", take<&Options::seed>},
    {"--timeout",
     [](Options& o, const Value& v) {
         o.timeout = readReal(v.text).value_or(0);
         return true;
     }},
    {"--loop-limit", take<&Options::loopLimit>},
    {"--input", take<&Options::input>},
    {"--expect", take<&Options::expect>},
    {"--trace", setTrace},
    {"--trace-filter",
     [](Options& o, const Value& v) {
         o.selection.filters.push_back(v.text);
         return true;
     }},
    {"--trace-all", [](Options& o, const Value&) { return o.selection.all = true; }},
    {"--trace-start",
     [](Options& o, const Value& v) {
         o.selection.start = v.number();
         return true;
     }},
    {"--trace-stop",
     [](Options& o, const Value& v) {
         o.selection.stop = v.number();
         return true;
     }},
    {"--trace-elements",
     [](Options& o, const Value& v) {
         o.selection.elements = v.number();
         return true;
     }},
    {"--no-trace-clock",
     [](Options& o, const Value&) {
         o.selection.time.showsClock = false;
         return true;
     }},
    {"--clock-period",
     [](Options& o, const Value& v) {
         o.selection.time.period = v.number();
         return true;
     }},
    {"--checkpoint",
     [](Options& o, const Value& v) {
         o.checkpoint = readCheckpointPlan(v.text);
         return true;
     }},
    {"--memory", take<&Options::memories>},
    {"--resume", take<&Options::resume>},
    {"--resume-edited", [](Options& o, const Value&) { return o.resumesEdited = true; }},
    {"--print", take<&Options::prints>},
    {"--checksum", [](Options& o, const Value&) { return o.checksum = true; }},
    {"--list", [](Options& o, const Value&) { return o.list = true; }},
    {"--threads",
     [](Options& o, const Value& v) {
         o.threads = static_cast<unsigned>(v.number());  // of "auto": 0
         return true;
     }},
    {"--ranks",
     [](Options& o, const Value& v) {
         o.ranksByMpi = v.text == "mpi";
         o.ranks = static_cast<unsigned>(v.number());  // of "mpi": 0
         return true;
     }},
    {"--model",
     [](Options& o, const Value& v) { return pick(v.text, kModels, o.scheduling.model); }},
    {"--chunk", setChunk},
    {"--min-chunk",
     [](Options& o, const Value& v) {
         o.scheduling.chunk.smallest = v.number();
         return true;
     }},
    {"--orchestrate", setOrchestrate},
    {"--adapt", take<&Options::adapt>},
    {"--costs", take<&Options::costs>},
    {"--queues",
     [](Options& o, const Value& v) {
         o.hasQueues = true;
         return pick(v.text, kLayouts, o.scheduling.queues);
     }},
    {"--groups",
     [](Options& o, const Value& v) {
         o.scheduling.groups = static_cast<unsigned>(v.number());
         return true;
     }},
    {"--assign",
     [](Options& o, const Value& v) { return pick(v.text, kAssigns, o.scheduling.assign); }},
    {"--prepartition", [](Options& o, const Value&) { return o.scheduling.prepartition = true; }},
    {"--victim",
     [](Options& o, const Value& v) { return pick(v.text, kVictims, o.scheduling.victim); }},
    {"--steal",
     [](Options& o, const Value& v) { return pick(v.text, kSteals, o.scheduling.stealHalf); }},
    {"--foreman", [](Options& o, const Value&) { return o.scheduling.foreman = true; }},
    {"--wait", [](Options& o, const Value& v) { return pick(v.text, kWaits, o.scheduling.wait); }},
    {"--bind", [](Options& o, const Value& v) { return pick(v.text, kBinds, o.scheduling.bind); }},
    {"--numa", [](Options& o, const Value& v) { return pick(v.text, kNumas, o.scheduling.numa); }},
    {"--own-thread", take<&Options::ownThreads>},
    {"--oversubscribe", [](Options& o, const Value&) { return o.oversubscribe = true; }},
    {"--report", setReport},
    {"--schedule-trace", take<&Options::scheduleTrace>},
    {"--schedule-window", setScheduleWindow},
    {"--progress", [](Options& o, const Value&) { return o.progress = true; }},
    {"--quiet", [](Options& o, const Value&) { return o.quiet = true; }},
    {"--help", [](Options& o, const Value&) { return o.help = true; }},
    {"--version", [](Options& o, const Value&) { return o.version = true; }},
};

constexpr const Setter* findSetter(std::string_view name) {
    for (const Setter& setter : kSetters)
        if (setter.name == name) return &setter;
    return nullptr;
}

constexpr bool everyOptionDoesSomething() {
    for (const SimulatorOption& option : kSimulatorOptions)
        if (!findSetter(option.name)) return false;
    return std::size(kSetters) == std::size(kSimulatorOptions);
}
static_assert(everyOptionDoesSomething(), "the options of sme/options.h and their effects");

}  // namespace

std::string nearestOption(const std::string& word, const std::vector<std::string>& names) {
    Nearest nearest(word);
    for (const std::string& name : names)
        nearest.consider(name);
    return nearest.best();
}

bool parseOptions(const std::vector<std::string>& arguments, Options& options, std::string& error) {
    std::vector<GivenOption> given;
    error = readOptions(arguments, {}, nearestOption, given);
    if (!error.empty()) return false;
    return std::all_of(given.begin(), given.end(), [&](const GivenOption& each) {
        return findSetter(each.option->name)->set(options, {each.text, error});
    });
}

std::string helpText(const char* program) {
    return optionHelp(std::string(program) + " [options]");
}

}  // namespace sme
