#include "driver/run_options.h"

#include <array>

// `smec run` takes the compile options and those of the simulator on one command line. Ours are
// declared to the option library; the simulator's are moved aside first by this table of their
// names, so that `--cycles 8 x.sme` does not take 8 for the file. tests/tools compares the entries
// that have a help text with what a simulator's --help lists.

namespace smec::driver {
namespace {

constexpr std::array kRunOptions{
    RunOption{"--cycles", 1, "N", "cycles to run (default: until stop, failure, end of inputs)"},
    RunOption{"--seed", 1, "N", "seed of random()"},
    RunOption{"--timeout", 1, "SECONDS", "end after this time, with status 4"},
    RunOption{"--threads", 1, "N|auto", "threads to use"},
    RunOption{"--model", 1, "m1|m2", "work list or static orchestration"},
    RunOption{"--chunk", 1, "static|ss|gss", "m1: how chunks are sized"},
    RunOption{"--orchestrate", 1, "even|thesis", "m2: how the work is divided"},
    RunOption{"--adapt", 1, "", ""},
    RunOption{"--queues", 1, "", ""},
    RunOption{"--groups", 1, "", ""},
    RunOption{"--assign", 1, "", ""},
    RunOption{"--prepartition", 0, "", ""},
    RunOption{"--victim", 1, "", ""},
    RunOption{"--foreman", 0, "", ""},
    RunOption{"--costs", 1, "", ""},
    RunOption{"--superstep", 1, "", ""},
    RunOption{"--loop-limit", 1, "N", "rounds of loops in one activation"},
    RunOption{"--steal", 1, "", ""},
    RunOption{"--min-chunk", 1, "", ""},
    RunOption{"--wait", 1, "spin|yield|block|adaptive", "how to wait at barriers"},
    RunOption{"--oversubscribe", 0, "", "start all threads even where processors are fewer"},
    RunOption{"--bind", 1, "", ""},
    RunOption{"--numa", 1, "", ""},
    RunOption{"--input", 1, "FILE", "drive the exposed inputs from a CSV file"},
    RunOption{"--expect", 1, "FILE", "compare with a CSV file; status 1 when it differs"},
    RunOption{"--trace", 1, "FILE", "write what is read in each cycle (.csv)"},
    RunOption{"--trace-filter", 1, "GLOB", "trace these fields and variables"},
    RunOption{"--trace-all", 0, "", "trace all fields and variables"},
    RunOption{"--trace-start", 1, "K", "trace from cycle K on"},
    RunOption{"--trace-stop", 1, "K", "trace up to, not including, cycle K"},
    RunOption{"--flight-recorder", 2, "", ""},
    RunOption{"--checkpoint", 1, "", ""},
    RunOption{"--resume", 1, "", ""},
    RunOption{"--report", 1, "", ""},
    RunOption{"--schedule-trace", 1, "", ""},
    RunOption{"--schedule-window", 1, "", ""},
    RunOption{"--checksum", 0, "", "print a hash of the final state"},
    RunOption{"--print", 1, "PATH", "print a field or variable at the end"},
    RunOption{"--list", 0, "", "list the names of the design and end"},
    RunOption{"--watch", 1, "", ""},
    RunOption{"--progress", 0, "", "tell the cycle on stderr now and then"},
    RunOption{"--quiet", 0, "", "no summary at the end"},
};

const RunOption* findRunOption(std::string_view argument) {
    const std::string_view name = argument.substr(0, argument.find('='));
    for (const RunOption& option : kRunOptions) {
        if (option.name == name) return &option;
    }
    return nullptr;
}

}  // namespace

std::span<const RunOption> runOptions() { return kRunOptions; }

void splitRunArguments(std::vector<std::string>& arguments,
                       std::vector<std::string>& runArguments) {
    std::vector<std::string> ours;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i] == "--") {
            runArguments.insert(runArguments.end(),
                                arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                arguments.end());
            break;
        }
        const RunOption* option = findRunOption(arguments[i]);
        if (!option) {
            ours.push_back(arguments[i]);
            continue;
        }
        const bool attached = arguments[i].find('=') != std::string::npos;
        runArguments.push_back(arguments[i]);
        for (int k = attached ? 1 : 0; k < option->values && i + 1 < arguments.size(); ++k)
            runArguments.push_back(arguments[++i]);
    }
    arguments = std::move(ours);
}

}  // namespace smec::driver
