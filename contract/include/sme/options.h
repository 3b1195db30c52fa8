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

/// Who takes an option beside a simulator and `smec run`, which take all.
enum class TakenBy : std::uint8_t {
    Run = 0,      ///< nobody else
    Bench = 1,    ///< `smec bench`, for each run that it measures
    Verify = 2,   ///< `smec verify`, for each simulator that it compares
    Library = 4,  ///< who makes a run through sme/simulation.h
    All = 7
};
constexpr TakenBy operator|(TakenBy a, TakenBy b) {
    return static_cast<TakenBy>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}

/// What a value is; sme/option_words.h reads them.
enum class OptionValue : std::uint8_t {
    Flag,  ///< there is none
    Text,
    File,
    Number,
    NumberOrAuto,
    NumberOrMpi,
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
    TakenBy takers;
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

/// What `--model` takes, `|` between, and the same in words.
inline constexpr std::string_view kSchedulerNames = std::string_view(
#define SCHEDULER(NAME, KIND, TAKES, WORDS) "|" #NAME
#include "sme/schedulers.def"
                                                        )
                                                        .substr(1);
inline constexpr std::string_view kSchedulerWords = std::string_view(
#define SCHEDULER(NAME, KIND, TAKES, WORDS) ", " #NAME ": " WORDS
#include "sme/schedulers.def"
                                                        "; default m2")
                                                        .substr(2);

inline constexpr std::uint64_t kMostThreads = 1024;
inline constexpr std::uint64_t kMostRanks = 1024;           ///< of one process
inline constexpr std::uint64_t kLongestPeriod = 1'000'000;  ///< of a cycle, in nanoseconds

// Bench and verify choose threads, models, what is told and what is written themselves. --adapt acts in runs that
// are not measured, --timeout ends only those.
inline constexpr SimulatorOption kSimulatorOptions[] = {
    {OptionGroup::Run, TakenBy::Run, OptionValue::Number, "--cycles", "N",
     "how many (default: until stop, a failure, or the end of the inputs)"},
    {OptionGroup::Run, TakenBy::All, OptionValue::Number, "--seed", "N", "of random(); default 0"},
    {OptionGroup::Run, TakenBy::Run, OptionValue::Seconds, "--timeout", "SECONDS",
     "after this time end with the current cycle, with status 4"},
    {OptionGroup::Run, TakenBy::All, OptionValue::Number, "--loop-limit", "N",
     "rounds of loops in one activation; default 1000000000"},

    {OptionGroup::Data,
     TakenBy::Bench,
     OptionValue::File,
     "--input",
     "FILE.csv",
     "drive the exposed inputs: row k is read in cycle k; - is standard input",
     {},
     OptionFile::Read},
    {OptionGroup::Data,
     TakenBy::Bench,
     OptionValue::File,
     "--expect",
     "FILE.csv",
     "compare with what is read in each cycle; status 1 when it differs; - is standard input",
     {},
     OptionFile::Read},
    {OptionGroup::Data, TakenBy::Bench, OptionValue::Text, "--memory", "PATH=FILE",
     "what an array holds at first: a file as $readmemh reads it, .bin as $readmemb; may be "
     "repeated"},
    {OptionGroup::Data,
     TakenBy::Run,
     OptionValue::Text,
     "--trace",
     "FILE",
     "write what is read in each cycle: .csv, .vcd or .fst (waves); - is standard output; may be "
     "repeated",
     {},
     OptionFile::Written},
    {OptionGroup::Data, TakenBy::Run, OptionValue::Text, "--trace-filter", "GLOB",
     "trace these fields and variables (default: exposed fields); may be repeated"},
    {OptionGroup::Data, TakenBy::Run, OptionValue::Flag, "--trace-all", "",
     "trace all fields and variables"},
    {OptionGroup::Data, TakenBy::Run, OptionValue::Number, "--trace-start", "K",
     "trace from cycle K on"},
    {OptionGroup::Data, TakenBy::Run, OptionValue::Number, "--trace-stop", "K",
     "trace up to, not including, cycle K"},
    {OptionGroup::Data, TakenBy::Run, OptionValue::Number, "--trace-elements", "N",
     "trace so many elements of an array without a filter; default: all in .csv, 64 in waves"},
    {OptionGroup::Data, TakenBy::Run, OptionValue::Flag, "--no-trace-clock", "",
     "waves without clk"},
    {OptionGroup::Data,
     TakenBy::Run,
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
     TakenBy::Run,
     OptionValue::Checkpoint,
     "--checkpoint",
     "FILE[:N]",
     "keep the state in FILE when the run ends, and every N cycles",
     {},
     OptionFile::Written},
    {OptionGroup::Data,
     TakenBy::Run,
     OptionValue::File,
     "--resume",
     "FILE",
     "go on from the state in FILE, under any plan; --cycles counts from cycle 0",
     {},
     OptionFile::Read},
    {OptionGroup::Data, TakenBy::Run, OptionValue::Flag, "--resume-edited", "",
     "the state may be one of another version: take over what matches by path and type"},

    {OptionGroup::Results, TakenBy::Run, OptionValue::Text, "--print", "PATH",
     "print a field or variable at the end; may be repeated"},
    {OptionGroup::Results, TakenBy::Run, OptionValue::Flag, "--checksum", "",
     "print a hash of the final state"},
    {OptionGroup::Results, TakenBy::Run, OptionValue::Flag, "--list", "",
     "list the names of the design and end"},

    {OptionGroup::Scheduling,
     TakenBy::Library,
     OptionValue::NumberOrAuto,
     "--threads",
     "N|auto",
     "default auto: as many as measurement shows to pay",
     {},
     OptionFile::None,
     false,
     1,
     kMostThreads},
    {OptionGroup::Scheduling,
     TakenBy::Run,
     OptionValue::NumberOrMpi,
     "--ranks",
     "N|mpi",
     "share the design out to N ranks of this process, or to the processes that mpirun started",
     {},
     OptionFile::None,
     false,
     1,
     kMostRanks},
    {OptionGroup::Scheduling, TakenBy::Library, OptionValue::Choice, "--model", kSchedulerNames,
     kSchedulerWords, kSchedulerNames},
    {OptionGroup::Scheduling, TakenBy::All, OptionValue::Chunk, "--chunk", "NAME[:X]",
     "m1, m3: how chunks are sized; default fac2, m3: mfsc",
     "static|ss|gss|tss|fac2|tfss|fiss|viss|pls|pss|mfsc|mstatic"},
    {OptionGroup::Scheduling,
     TakenBy::All,
     OptionValue::Number,
     "--min-chunk",
     "N",
     "m1, m3: fewest processes in a chunk; default 1",
     {},
     OptionFile::None,
     false,
     1},
    {OptionGroup::Scheduling, TakenBy::All, OptionValue::Orchestration, "--orchestrate", "NAME[:N]",
     "m2: how the work is divided; default even",
     "even|thesis|roundrobin|profile|montecarlo|optimize"},
    {OptionGroup::Scheduling,
     TakenBy::Verify | TakenBy::Library,
     OptionValue::Number,
     "--adapt",
     "CYCLES",
     "m2 with profile, montecarlo, optimize: plan again when the load moves",
     {},
     OptionFile::None,
     false,
     1},
    {OptionGroup::Scheduling,
     TakenBy::All,
     OptionValue::File,
     "--costs",
     "FILE.json",
     "measured times: read where the file exists, else measured and written",
     {},
     OptionFile::Written},
    {OptionGroup::Scheduling, TakenBy::All, OptionValue::Choice, "--queues", "NAME",
     "m3: how many queues; default core", "node|group|core"},
    {OptionGroup::Scheduling,
     TakenBy::All,
     OptionValue::Number,
     "--groups",
     "N",
     "groups of threads; default: those that share a last-level cache",
     {},
     OptionFile::None,
     false,
     1,
     kMostThreads},
    {OptionGroup::Scheduling, TakenBy::All, OptionValue::Choice, "--assign", "NAME",
     "m3: chunks to queues; default block", "block|cyclic"},
    {OptionGroup::Scheduling, TakenBy::All, OptionValue::Flag, "--prepartition", "",
     "m3: one part of the list a queue, chunks inside of each"},
    {OptionGroup::Scheduling, TakenBy::All, OptionValue::Choice, "--victim", "NAME",
     "m3: whom to steal from; default seqpri", "seq|seqpri|rnd|rndpri"},
    {OptionGroup::Scheduling, TakenBy::All, OptionValue::Choice, "--steal", "one|half",
     "m3: chunks a theft takes; default half", "one|half"},
    {OptionGroup::Scheduling, TakenBy::All, OptionValue::Flag, "--foreman", "",
     "m3: one thread of a group steals for the others (--queues group)"},
    {OptionGroup::Scheduling, TakenBy::All, OptionValue::Choice, "--wait", "NAME",
     "how to wait at barriers; default adaptive", "spin|yield|block|adaptive"},
    {OptionGroup::Scheduling, TakenBy::All, OptionValue::Choice, "--bind", "NAME",
     "threads to processors; default auto, of libraries none", "none|compact|scatter|auto"},
    {OptionGroup::Scheduling, TakenBy::All, OptionValue::Choice, "--numa", "NAME",
     "pages to memory nodes; default firsttouch", "firsttouch|interleave"},
    {OptionGroup::Scheduling, TakenBy::All, OptionValue::Text, "--own-thread", "GLOB",
     "processes or instances that block get a thread of their own; may be repeated"},
    {OptionGroup::Scheduling, TakenBy::Bench | TakenBy::Library, OptionValue::Flag,
     "--oversubscribe", "", "start all N threads even where there are fewer processors"},

    {OptionGroup::Report, TakenBy::Run, OptionValue::Reports, "--report", "KIND,...",
     "text: who costs and waits; json: the summary; factored[:RUNS]: why no faster; ranks:N: what "
     "one "
     "of N ranks does in a cycle, measured instead of a run"},
    {OptionGroup::Report,
     TakenBy::Run,
     OptionValue::File,
     "--schedule-trace",
     "FILE.json",
     "what each thread did, for Perfetto",
     {},
     OptionFile::Written},
    {OptionGroup::Report, TakenBy::Run, OptionValue::Window, "--schedule-window", "START:COUNT",
     "cycles for --report text and --schedule-trace; default 200 after the first 1000"},

    {OptionGroup::Other, TakenBy::Run, OptionValue::Flag, "--progress", "",
     "tell on stderr now and then how far it is, and the time left"},
    {OptionGroup::Other, TakenBy::Run, OptionValue::Flag, "--quiet", "", "no summary at the end"},
    {OptionGroup::Other,
     TakenBy::Run,
     OptionValue::Flag,
     "--help",
     "",
     "this text",
     {},
     OptionFile::None,
     true},
    {OptionGroup::Other,
     TakenBy::Run,
     OptionValue::Flag,
     "--version",
     "",
     "the design, and the compiler that made it",
     {},
     OptionFile::None,
     true},
};

}  // namespace sme
