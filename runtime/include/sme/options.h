#pragma once

// The options of simulators: declared here, once. Who reads them (sme/option_words.h: a simulator,
// the interpreter, `smec run`), --help, completion and manual page go by this table. What an option
// does stands in runtime/src/cli/options.cpp, and in compiler/interp/options.cpp. Plain data.

#include <cstdint>
#include <string_view>

namespace sme {

enum class OptionGroup : std::uint8_t { Run, Data, Results, Scheduling, Report, Other };

/// Titles in --help, by OptionGroup.
inline constexpr std::string_view kOptionGroups[] = {"The run",
                                                     "Inputs and traces",
                                                     "Results",
                                                     "Scheduling (never changes results)",
                                                     "Why a run is as fast as it is",
                                                     "Other"};

/// What the value of an option is to the file system.
enum class OptionFile : std::uint8_t { None, Read, Written };

/// What a value is; sme/option_words.h reads them.
enum class OptionValue : std::uint8_t {
    Flag,  ///< there is none
    Text,
    File,
    Number,
    NumberOrAuto,
    Seconds,
    Choice,
    Checkpoint,
    Chunk,
    Orchestration,
    Reports,
    Window
};

struct SimulatorOption {
    static constexpr std::uint64_t kNoMost = ~std::uint64_t{0};

    OptionGroup group;
    OptionValue takes;
    std::string_view name;   ///< with its dashes
    std::string_view value;  ///< what --help calls it; empty: a flag
    std::string_view help;
    std::string_view choices = {};  ///< all words that the value may be or begin with, `|` between
    OptionFile file = OptionFile::None;
    bool isOfProgram = false;  ///< tells about the simulator and ends
    std::uint64_t least = 0;   ///< of numbers
    std::uint64_t most = kNoMost;
};

inline constexpr std::uint64_t kMostThreads = 1024;
inline constexpr std::uint64_t kLongestPeriod = 1'000'000;  ///< of a cycle, in nanoseconds

inline constexpr SimulatorOption kSimulatorOptions[] = {
    {OptionGroup::Run, OptionValue::Number, "--cycles", "N",
     "how many (default: until stop, a failure, or the end of the inputs)"},
    {OptionGroup::Run, OptionValue::Number, "--seed", "N", "of random(); default 0"},
    {OptionGroup::Run, OptionValue::Seconds, "--timeout", "SECONDS",
     "after this time end with the current cycle, with status 4"},
    {OptionGroup::Run, OptionValue::Number, "--loop-limit", "N",
     "rounds of loops in one activation; default 1000000000"},

    {OptionGroup::Data,
     OptionValue::File,
     "--input",
     "FILE.csv",
     "drive the exposed inputs: row k is read in cycle k; - is standard input",
     {},
     OptionFile::Read},
    {OptionGroup::Data,
     OptionValue::File,
     "--expect",
     "FILE.csv",
     "compare with what is read in each cycle; status 1 when it differs; - is standard input",
     {},
     OptionFile::Read},
    {OptionGroup::Data,
     OptionValue::Text,
     "--trace",
     "FILE",
     "write what is read in each cycle: .csv, .vcd or .fst (waves); - is standard output; may be "
     "repeated",
     {},
     OptionFile::Written},
    {OptionGroup::Data, OptionValue::Text, "--trace-filter", "GLOB",
     "trace these fields and variables (default: exposed fields); may be repeated"},
    {OptionGroup::Data, OptionValue::Flag, "--trace-all", "", "trace all fields and variables"},
    {OptionGroup::Data, OptionValue::Number, "--trace-start", "K", "trace from cycle K on"},
    {OptionGroup::Data, OptionValue::Number, "--trace-stop", "K",
     "trace up to, not including, cycle K"},
    {OptionGroup::Data, OptionValue::Number, "--trace-elements", "N",
     "trace so many elements of an array without a filter; default: all in .csv, 64 in waves"},
    {OptionGroup::Data, OptionValue::Flag, "--no-trace-clock", "", "waves without clk"},
    {OptionGroup::Data,
     OptionValue::Number,
     "--clock-period",
     "NS",
     "waves: time of a cycle; default 10",
     {},
     OptionFile::None,
     false,
     2,
     kLongestPeriod},

    {OptionGroup::Data,
     OptionValue::Checkpoint,
     "--checkpoint",
     "FILE[:N]",
     "keep the state in FILE when the run ends, and every N cycles",
     {},
     OptionFile::Written},
    {OptionGroup::Data,
     OptionValue::File,
     "--resume",
     "FILE",
     "go on from the state in FILE, under any plan; --cycles counts from cycle 0",
     {},
     OptionFile::Read},

    {OptionGroup::Results, OptionValue::Text, "--print", "PATH",
     "print a field or variable at the end; may be repeated"},
    {OptionGroup::Results, OptionValue::Flag, "--checksum", "", "print a hash of the final state"},
    {OptionGroup::Results, OptionValue::Flag, "--list", "", "list the names of the design and end"},

    {OptionGroup::Scheduling,
     OptionValue::NumberOrAuto,
     "--threads",
     "N|auto",
     "default auto: as many as measurement shows to pay",
     {},
     OptionFile::None,
     false,
     1,
     kMostThreads},
    {OptionGroup::Scheduling, OptionValue::Choice, "--model", "m1|m2|m3",
     "work list, static orchestration or work stealing; default m2", "m1|m2|m3"},
    {OptionGroup::Scheduling, OptionValue::Chunk, "--chunk", "NAME[:X]",
     "m1, m3: how chunks are sized; default fac2, m3: mfsc",
     "static|ss|gss|tss|fac2|tfss|fiss|viss|pls|pss|mfsc|mstatic"},
    {OptionGroup::Scheduling,
     OptionValue::Number,
     "--min-chunk",
     "N",
     "m1, m3: fewest processes in a chunk; default 1",
     {},
     OptionFile::None,
     false,
     1},
    {OptionGroup::Scheduling, OptionValue::Orchestration, "--orchestrate", "NAME[:N]",
     "m2: how the work is divided; default even",
     "even|thesis|roundrobin|profile|montecarlo|optimize"},
    {OptionGroup::Scheduling,
     OptionValue::Number,
     "--adapt",
     "CYCLES",
     "m2 with profile, montecarlo, optimize: plan again when the load moves",
     {},
     OptionFile::None,
     false,
     1},
    {OptionGroup::Scheduling,
     OptionValue::File,
     "--costs",
     "FILE.json",
     "measured times: read where the file exists, else measured and written",
     {},
     OptionFile::Written},
    {OptionGroup::Scheduling, OptionValue::Choice, "--queues", "NAME",
     "m3: how many queues; default core", "node|group|core"},
    {OptionGroup::Scheduling,
     OptionValue::Number,
     "--groups",
     "N",
     "groups of threads; default: those that share a last-level cache",
     {},
     OptionFile::None,
     false,
     1,
     kMostThreads},
    {OptionGroup::Scheduling, OptionValue::Choice, "--assign", "NAME",
     "m3: chunks to queues; default block", "block|cyclic"},
    {OptionGroup::Scheduling, OptionValue::Flag, "--prepartition", "",
     "m3: one part of the list a queue, chunks inside of each"},
    {OptionGroup::Scheduling, OptionValue::Choice, "--victim", "NAME",
     "m3: whom to steal from; default seqpri", "seq|seqpri|rnd|rndpri"},
    {OptionGroup::Scheduling, OptionValue::Choice, "--steal", "one|half",
     "m3: chunks a theft takes; default half", "one|half"},
    {OptionGroup::Scheduling, OptionValue::Flag, "--foreman", "",
     "m3: one thread of a group steals for the others (--queues group)"},
    {OptionGroup::Scheduling, OptionValue::Choice, "--wait", "NAME",
     "how to wait at barriers; default adaptive", "spin|yield|block|adaptive"},
    {OptionGroup::Scheduling, OptionValue::Choice, "--bind", "NAME",
     "threads to processors; default none", "none|compact|scatter"},
    {OptionGroup::Scheduling, OptionValue::Choice, "--numa", "NAME",
     "pages to memory nodes; default firsttouch", "firsttouch|interleave"},
    {OptionGroup::Scheduling, OptionValue::Text, "--own-thread", "GLOB",
     "processes or instances that block get a thread of their own; may be repeated"},
    {OptionGroup::Scheduling, OptionValue::Flag, "--oversubscribe", "",
     "start all N threads even where there are fewer processors"},

    {OptionGroup::Report, OptionValue::Reports, "--report", "KIND,...",
     "text: who costs and waits; json: the summary; factored[:RUNS]: why no faster"},
    {OptionGroup::Report,
     OptionValue::File,
     "--schedule-trace",
     "FILE.json",
     "what each thread did, for Perfetto",
     {},
     OptionFile::Written},
    {OptionGroup::Report, OptionValue::Window, "--schedule-window", "START:COUNT",
     "cycles for --report text and --schedule-trace; default 200 after the first 1000"},

    {OptionGroup::Other, OptionValue::Flag, "--progress", "",
     "tell on stderr now and then how far it is, and the time left"},
    {OptionGroup::Other, OptionValue::Flag, "--quiet", "", "no summary at the end"},
    {OptionGroup::Other, OptionValue::Flag, "--help", "", "this text", {}, OptionFile::None, true},
    {OptionGroup::Other,
     OptionValue::Flag,
     "--version",
     "",
     "the design, and the compiler that made it",
     {},
     OptionFile::None,
     true},
};

}  // namespace sme
