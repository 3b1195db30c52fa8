// What the options of sme/options.h do here.

#include "interp/options.h"

#include <algorithm>
#include <iterator>

#include "diag/diagnostics.h"
#include "interp/internal_options.h"
#include "interp/traces.h"
#include "sme/option_words.h"

namespace smec::interp {

namespace {

using sme::GivenOption;
using sme::OptionFile;
using sme::OptionGroup;
using sme::OptionValue;
using sme::SimulatorOption;

void setTrace(Options& options, const GivenOption& given) {
    const sme::TraceFormat* format = traceFormatOf(given.text);
    const std::string why = format ? sme::whyNotThere(given.text, *format)
                                   : sme::wrongValue("--trace", sme::traceNames(), given.text);
    if (!why.empty()) throw RunError{kUsage, why};
    options.traces.push_back(given.text);
}

void hideClock(Options& options, const GivenOption&) { options.selection.time.showsClock = false; }
void setPeriod(Options& options, const GivenOption& given) {
    options.selection.time.period = sme::readNumber(given.text).value_or(0);
}

/// Nothing that is said of threads changes a result, and there are none here.
void ignore(Options&, const GivenOption&) {}

void refuse(Options&, const GivenOption& given) {
    throw RunError{kUsage, std::string(given.option->name)
                               + " tells of the threads of a simulator, and the interpreter has "
                                 "none; run without --interpret"};
}

void assign(bool& target, const GivenOption&) { target = true; }
void assign(std::string& target, const GivenOption& given) { target = given.text; }
void assign(std::vector<std::string>& target, const GivenOption& given) {
    target.push_back(given.text);
}
void assign(sme::CheckpointPlan& target, const GivenOption& given) {
    target = sme::readCheckpointPlan(given.text);
}
void assign(std::optional<double>& target, const GivenOption& given) {
    target = sme::readReal(given.text);
}
void assign(std::uint64_t& target, const GivenOption& given) {
    target = sme::readNumber(given.text).value_or(0);
}
void assign(std::optional<std::uint64_t>& target, const GivenOption& given) {
    target = sme::readNumber(given.text);
}

template <auto Member>
void take(Options& options, const GivenOption& given) {
    assign(options.*Member, given);
}

template <auto Member>
void choose(Options& options, const GivenOption& given) {
    assign(options.selection.*Member, given);
}

struct Setter {
    std::string_view name;
    void (*set)(Options&, const GivenOption&);
};

constexpr Setter kSetters[] = {
    {"--cycles", take<&Options::cycles>},
    {"--seed", take<&Options::seed>},
    {"--timeout", take<&Options::timeout>},
    {"--loop-limit", take<&Options::loopLimit>},
    {"--input", take<&Options::input>},
    {"--expect", take<&Options::expect>},
    {"--memory", take<&Options::memories>},
    {"--trace", setTrace},
    {"--trace-filter", choose<&sme::TraceSelection::filters>},
    {"--trace-all", choose<&sme::TraceSelection::all>},
    {"--trace-start", choose<&sme::TraceSelection::start>},
    {"--trace-stop", choose<&sme::TraceSelection::stop>},
    {"--trace-elements", choose<&sme::TraceSelection::elements>},
    {"--no-trace-clock", hideClock},
    {"--clock-period", setPeriod},
    {"--checkpoint", take<&Options::checkpoint>},
    {"--resume", take<&Options::resume>},
    {"--resume-edited", take<&Options::resumesEdited>},
    {"--print", take<&Options::prints>},
    {"--checksum", take<&Options::checksum>},
    {"--list", take<&Options::list>},
    {"--report", refuse},
    {"--schedule-trace", refuse},
    {"--schedule-window", refuse},
    {"--progress", take<&Options::progress>},
    {"--quiet", take<&Options::quiet>},
    {"--help", take<&Options::help>},
    {"--version", take<&Options::version>},
    {"--most-cycles", take<&Options::mostCycles>},
    {"--most-values", take<&Options::mostValues>},
    {"--ending", take<&Options::ending>},
};

constexpr bool hasSetter(const SimulatorOption& option) {
    for (const Setter& setter : kSetters)
        if (setter.name == option.name) return true;
    return false;
}

// Whether there is one is asked by name: under -fsanitize=undefined a function's address is no constant to compare.
constexpr bool everyOptionIsDecided() {
    for (const SimulatorOption& option : sme::kSimulatorOptions)
        if (option.group != OptionGroup::Scheduling && !hasSetter(option)) return false;
    return true;
}
static_assert(everyOptionIsDecided(), "the options of sme/options.h: what they are here");

void (*setterOf(const SimulatorOption& option))(Options&, const GivenOption&) {
    for (const Setter& setter : kSetters)
        if (setter.name == option.name) return setter.set;
    return ignore;
}

}  // namespace

Options parseOptions(const std::vector<std::string>& arguments) {
    std::vector<GivenOption> given;
    const std::string wrong = sme::readOptions(arguments, kInternalOptions, nearestName, given);
    if (!wrong.empty()) throw RunError{kUsage, wrong};
    Options options;
    for (const GivenOption& each : given)
        setterOf (*each.option)(options, each);
    return options;
}

}  // namespace smec::interp
