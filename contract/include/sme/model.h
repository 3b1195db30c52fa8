#pragma once

// The contract between simulators and the runtime: plain data, no ownership. The compiler writes one
// `sme::Model` to model.bin (sme/model_rows.h has a line for each member), which the runtime loads with
// the functions of the generated code (sme/code.h). All pointers outlive the run. Counts are numbers of elements; offsets and sizes are bytes.

#include <cstddef>
#include <cstdint>

namespace sme {

inline constexpr std::uint32_t kModelVersion = 24;

// ---------------------------------------------------------------- types of values

enum class Kind : std::uint8_t { Bool, Unsigned, Signed, Enum, F32, F64, Array, Struct };

struct EnumMember {
    const char* name;
    std::uint64_t value;                   ///< two's complement; of long values the lowest limb
    const std::uint64_t* limbs = nullptr;  ///< of an enum of more than 64 bits: the value as stored
};

struct StructMember {
    const char* name;
    std::uint32_t type;    ///< index into Model::types
    std::uint32_t offset;  ///< in a value put together; structs are stored leaf by leaf (NameRun)
    std::uint32_t leaf;    ///< leaves of the struct in front of it
};

/// How a value is stored and shown. Integers and enums take the smallest of 1, 2, 4, 8 bytes that
/// holds `width` bits, in two's complement, sign- or zero-extended to that size; more than 64 bits
/// (up to 65536): 64-bit limbs, the lowest first, the top one extended. Bool: one byte, 0 or 1.
/// Arrays: elements without gaps.
struct Type {
    Kind kind;
    std::uint32_t width;         ///< bits, of integers and enums; 1 for Bool
    std::uint32_t bytes;         ///< of the whole value
    const char* name;            ///< as in the language: "u8", "state", "[4]i16"
    std::uint32_t element;       ///< Array: element type
    std::uint32_t count;         ///< Array: elements; Enum: members; Struct: members
    const EnumMember* members;   ///< Enum
    const StructMember* fields;  ///< Struct
    /// `range lo to hi` on an integer type; both 0 when there is none, or when it has `limits`.
    /// Enum: `low` is -1 when some member is negative.
    std::int64_t low;
    std::int64_t high;
    /// A range that reaches beyond `low, high`: its ends one after the other, each in as many
    /// limbs as the value.
    const std::uint64_t* limits = nullptr;
};

// ---------------------------------------------------------------- storage

/// Where the values of a plane are between two activations of its clock group. The Clocked region has
/// two slots: activation k writes slot k mod 2, at Slots::write, and reads the other one, at Slots::read.
/// The State region has one, at Slots::state, touched only by the unit that runs the instance.
enum class Home : std::uint8_t {
    TwoSlots,     ///< Clocked: written in one slot, read in the other
    WrittenSlot,  ///< Clocked, but read in the slot that the activation writes: combinational
    OneSlot,      ///< State: a variable, or a field whose readers all run before its writer
    Given,        ///< Clocked; written by the runtime (exposed input), not by a kernel
    Constant      ///< Clocked, alike in both slots: nobody writes it
};

/// Processes that are activated together: a number from 0. Each group counts its own activations; today
/// there is one, whose count is the cycle.
using ClockGroup = std::uint8_t;
inline constexpr ClockGroup kOnlyGroup = 0;

/// Elements: all elements of all arrays are one value; not for exposed inputs.
enum class Initial : std::uint8_t { Zero, Uniform, Column, Elements };

/// An array of `instances` values of one type, `types[type].bytes` apart, at `offset` in its region
/// (a multiple of an element's bytes).
struct Plane {
    std::uint32_t type;
    Home home;
    ClockGroup group;
    bool hold;
    std::uint32_t instances;
    std::uint64_t offset;
    Initial initial;  ///< what every slot holds at cycle 0 (a field's default, a variable's
                      ///< initialiser)
    /// One value (Uniform), `instances` values (Column) or one element (Elements).
    const std::byte* initialData;
    /// The class whose instances write it, each as many elements, one instance after the other; ~0:
    /// none.
    std::uint32_t owner = ~std::uint32_t{0};
    /// Says in what the slots of a held array differ: nothing where both were set to one value.
    bool isLog = false;
    /// Of an element of a variable that was taken apart: the plane of the first one. Those of the others
    /// come after it, in their order. ~0: no such element, or the first.
    std::uint32_t firstElement = ~std::uint32_t{0};
};

// ---------------------------------------------------------------- work

struct ThreadLog;     ///< a thread's buffer of output; opaque to kernels
struct OutsideWorld;  ///< for wrappers around foreign code: sme/outside_world.h
struct Model;

/// What is fixed while a run lasts, for all its threads.
struct Setup {
    const Model* model;
    std::uint64_t seed;       ///< --seed; random() starts at seed xor the hash of the instance path
    std::uint64_t loopLimit;  ///< rounds of loops in one activation (--loop-limit)
};

/// What a thread has of its own.
struct Thread {
    const Setup* setup;
    const std::byte* constants;  ///< Model::constants: short loops look for it in each cycle
    ThreadLog* log;
    OutsideWorld* outside;  ///< null: every call of foreign code is made
};

/// The memory of a clock group in one of its activations: the two slots of the Clocked region, and the
/// State region.
struct Slots {
    std::byte* read;   ///< that the activation before wrote
    std::byte* write;  ///< that this one writes
    std::byte* state;
    std::uint64_t cycle;  ///< in which it is activated
};

/// Runs instances [begin, end) of a class.
using Instances = void (*)(const Thread& thread, const Slots& slots, std::uint32_t begin,
                           std::uint32_t end);

/// Runs straight-line code: one activation of each instance in it.
using Block = void (*)(const Thread& thread, const Slots& slots);

/// How a work is run. Exactly one of both is there.
struct Entry {
    Instances instances = nullptr;
    Block block = nullptr;  ///< of a work that cannot be divided

    /// Of a block the range is all there is of it, and says nothing.
    void run(const Thread& thread, const Slots& slots, std::uint32_t begin,
             std::uint32_t end) const {
        if (instances != nullptr)
            instances(thread, slots, begin, end);
        else
            block(thread, slots);
    }
};

/// Runs cycles that nobody observes: fields and variables are looked at and changed by nobody until
/// the last of them is over, inputs neither. The first is that of `first`, in the next one both slots
/// have changed places, and so on. What no cycle reads in memory need not be stored. Returns how many
/// have run: `most`, or fewer where something would have failed, printed or stopped in the one after
/// these. Then memory is anything, and nothing was said.
using Cycles = std::uint64_t (*)(const Thread& thread, const Slots& first, std::uint64_t most);

/// Stores what unobserved cycles did not, and an observed one behind them reads: fields that are
/// equal to a variable. `slot`: the one that the last of these cycles wrote.
using Settle = void (*)(std::byte* slot, const std::byte* state);

/// Of a work that is all of a cycle.
struct Unobserved {
    Cycles cycles = nullptr;  ///< null: every cycle runs through the entry
    Settle settle = nullptr;
    bool mayEnd = false;  ///< `cycles` may run fewer than it is asked to
};

/// Instances [first, first + count) of a class.
struct WorkPart {
    std::uint32_t cls;
    std::uint32_t first;
    std::uint32_t count;
};

/// A range of work that the plan may split. A process step is one instance of one process in one
/// cycle.
struct Work {
    const char* name;  ///< class or block
    Entry entry;
    std::uint32_t count;        ///< instances; 1 of a block
    std::uint32_t granularity;  ///< split only at multiples of this many instances (cache lines of
                                ///< what is written); == count: indivisible
    std::uint32_t
        steps;    ///< process steps per instance: 1 for a class, the number of processes for
                  ///< a block
    double cost;  ///< static estimate per instance, in abstract statement units
    std::uint32_t level;  ///< 0 … levels-1: Model::stages has what they are
    /// Whose work it is: all instances of all parts. Instance i of a divisible work is instance i of each
    /// part, which has as many.
    const WorkPart* parts = nullptr;
    std::uint32_t partCount = 0;
    /// Instances [first, first + count) are the ones meant: those of a rank.
    std::uint32_t first = 0;
    Unobserved unobserved{};
};

/// One activation of a clock group within a step of the simulation, a cycle: levels of combinational work,
/// then its clocked level. Stages come one after the other, and are all levels in their order.
struct Stage {
    ClockGroup group;
    std::uint32_t first;    ///< level: behind the stage before
    std::uint32_t clocked;  ///< level, the last one

    bool operator==(const Stage&) const = default;
};

/// Values that instances [writerFirst, writerFirst + writerCount) of one work write and
/// [readerFirst, …) of another one read: `bytes` in a cycle, spread evenly over both. For planners;
/// parts are as coarse as the compiler likes.
struct Flow {
    std::uint32_t reader;  ///< index into Model::work
    std::uint32_t readerFirst;
    std::uint32_t readerCount;
    std::uint32_t writer;
    std::uint32_t writerFirst;
    std::uint32_t writerCount;
    std::uint64_t bytes;
};

/// Instances first … first + count - 1 of a class (i = 0 …) read element `start + i * stride` of
/// `plane`. Of one input; those of a
/// class cover all that its instances read.
struct Read {
    std::uint32_t cls;
    std::uint32_t first;
    std::uint32_t count;
    std::uint32_t plane;
    std::uint32_t start;
    std::int32_t stride;
};

// ---------------------------------------------------------------- names

struct Location {
    const char* file;  ///< as shown in diagnostics
    std::uint32_t line;
    std::uint32_t column;
};

/// Where processes are between two cycles: element i of `plane` (State) holds, for instance i of the
/// class, 0 at the top of its body and n behind its n-th wait. `type`, an enum, has names for these.
struct WaitPlaces {
    std::uint32_t plane;
    Type type;
};

/// `count` instances whose paths are prefix + number + suffix, number = index, index + 1, …; or,
/// when `count` is 1 and `suffix` is null, the path `prefix`. Instance i of the run is instance
/// `first + i` of class `cls` and has place `order + i * orderStride` in the output order
/// (depth-first source order over the whole design).
struct InstanceRun {
    std::uint32_t cls;
    std::uint32_t first;
    std::uint32_t count;
    const char* prefix;
    const char* suffix;
    std::uint64_t index;
    std::uint64_t order;
    std::uint64_t orderStride;
    Location location{};                ///< of their process
    const WaitPlaces* waits = nullptr;  ///< of processes that wait
    /// Hash of what their process does and keeps, whatever it is called; 0 where it keeps nothing that
    /// has no name.
    std::uint64_t body = 0;
};

enum NameFlags : std::uint32_t {
    kExposed = 1,
    kVariable = 2,
    kStartsAnew = 4,  ///< a variable of a combinational process
    kUndriven = 8     ///< nobody writes it, inside or outside: it keeps its default
};

/// Where a leaf of a value is stored: element `start + i * stride` of `plane` for value i of the
/// run. Of an array whose elements lie apart: of a plane for each element.
struct LeafPlace {
    std::uint32_t plane;
    std::uint32_t start;
    std::int32_t stride;
    const std::uint32_t* elements = nullptr;
};

/// `count` fields or variables named prefix + number + suffix (see InstanceRun), element i being
/// element `start + i * stride` of `plane`. `stride` may be 0 (undriven fields share one default).
struct NameRun {
    const char* prefix;
    const char* suffix;
    std::uint64_t index;
    std::uint32_t count;
    std::uint32_t plane;
    std::uint32_t start;
    std::int32_t stride;
    std::uint32_t flags;
    Location location{};  ///< of the declaration of the bus or the variable
    /// Of values that are not stored in one piece: their type, and the place of each leaf, members
    /// in order. A leaf inside arrays is an array of all its elements, row-major. Without: the
    /// plane's type.
    std::uint32_t type = 0;
    const LeafPlace* leaves = nullptr;
};

/// A `cover` of a process: `plane` (State, u64) counts, for each instance of class `cls`, the
/// cycles in which it held.
struct Cover {
    const char* name;
    std::uint32_t cls;
    std::uint32_t plane;
};

/// Objects of an extern process: each instance of `plane` (State, u64) holds 0 or an object, made
/// by its first activation.
struct Objects {
    std::uint32_t plane;
    void (*release)(std::uint64_t object);  ///< deletes it
    /// Of no object, 0: whether its class has a copy constructor, 1 or 0.
    std::uint64_t (*copy)(std::uint64_t object);
    const char* process;
    /// What it saves (sme/foreign_object.h); of no object, 0: whether its class has save() and
    /// load(), 1 or 0.
    std::uint64_t (*save)(std::uint64_t object);
};

// ---------------------------------------------------------------- output

/// What an argument of a trace or failure is, so that the runtime can show it.
enum class ArgKind : std::uint8_t { Unsigned, Signed, Bool, F32, F64, Typed };

struct ArgFormat {
    ArgKind kind;
    std::uint32_t bits;  ///< width of the operand type, in which x and b show negative numbers
    std::uint32_t type;  ///< Typed (enums, arrays, structs; integers over 128 bits, of which `bits`
                         ///< counts, not the type's width): index into Model::types
};

/// One argument: integers as 128-bit two's complement (lo, hi); bool and float bit patterns in lo;
/// Typed: the address of the value in lo.
struct Arg {
    std::uint64_t lo;
    std::uint64_t hi;
};

/// A `trace` or the text of an assertion. `format` is checked by the compiler: {},
/// {:[0][width][d|x|b]}, {:c}, {{, }}.
struct TraceSite {
    const char* format;
    const ArgFormat* args;
    std::uint32_t argCount;
};

enum class Failure : std::uint8_t {
    Assertion,
    Assumption,
    DivisionByZero,
    IndexOutOfRange,
    NegativeShift,
    RangeViolation,
    EnumValue,
    LoopLimit,
    WaitCount
};

/// A place where a run can fail. Arguments of fail(): Assertion: those of `text`; IndexOutOfRange:
/// index, length; RangeViolation: value, low, high; EnumValue, NegativeShift, WaitCount: value.
struct FailSite {
    Failure kind;
    Location location;
    TraceSite text;  ///< the message of an assertion (format null: none); the argument formats of
                     ///< the others
    const char* subject;  ///< what was indexed or divided, as source text; may be null
};

/// Texts of one source process. A class made of structurally equal processes has several, by
/// instance range.
struct SiteTable {
    std::uint32_t firstInstance;
    const TraceSite* traces;
    const FailSite* fails;
};

struct Class {
    const char* name;  ///< of the process
    Location location;
    std::uint32_t instances;
    const SiteTable* sites;  ///< ascending firstInstance; at least one entry
    std::uint32_t siteCount;
};

// ---------------------------------------------------------------- the model

enum ModelFlags : std::uint32_t {
    kHasStop = 1,     ///< some process may stop the run
    kHasFailure = 2,  ///< assertions or run-time checks
    kHasEffects = 4,  ///< `extern serial` functions or `extern` processes: not to be run twice
    kHasSerial = 8,   ///< such functions
    kPrints = 16,     ///< some process prints
    /// `extern` functions: values that no run has may take them who knows where
    kTrustsValues = 32
};

struct Model {
    std::uint32_t version;  ///< kModelVersion
    const char* name;       ///< top network
    std::uint64_t hash;     ///< of the design's content
    std::uint32_t flags;
    std::uint32_t levels;
    const Stage* stages;  ///< what a step goes through
    std::uint32_t stageCount;
    std::uint64_t clockedBytes;  ///< of one slot of the Clocked region
    std::uint64_t stateBytes;
    const std::byte* constants;  ///< columns, index tables, initial values
    const Type* types;
    std::uint32_t typeCount;
    const Plane* planes;
    std::uint32_t planeCount;
    const Class* classes;
    std::uint32_t classCount;
    const Work* work;  ///< by level, then in source order
    std::uint32_t workCount;
    const InstanceRun* instances;
    std::uint32_t instanceRunCount;
    const NameRun* names;  ///< every bus field and process variable, in source order
    std::uint32_t nameRunCount;
    /// All else that later cycles depend on, under names that states alone know ("p[3]#wait"), of every
    /// instance and delayed field.
    const NameRun* hiddenNames;
    std::uint32_t hiddenNameCount;
    const Cover* covers;  ///< by class, in source order
    std::uint32_t coverCount;
    const Objects* objects;
    std::uint32_t objectCount;
    std::uint64_t processCount;
    /// So many rounds of loops an activation may take without counting them: no limit below that
    /// can be kept.
    std::uint64_t uncountedRounds;
    const Flow* flows;
    std::size_t flowCount;
    const std::byte* reads;  ///< rows of Read, by class
    std::size_t readCount;
    const char* compiler;  ///< name and version of what made it
    /// kProcessorFeatures (sme/processor.h): what the compiler might use. Null: nobody knows.
    const char* processor = nullptr;
    /// What the compiler did not do, the dearest first: lines of text with their share of a cycle's estimated
    /// work. Null: nothing.
    const char* refusals = nullptr;
};

// ---------------------------------------------------------------- what kernels call

// Each appends to the calling thread's own log; any thread, any order.
// `instance` is the number within the class; `site` is the ordinal within the class's SiteTable.
// None of them throws or allocates on the fast path.
void trace(const Thread& thread, const Slots& slots, std::uint32_t cls, std::uint32_t site,
           std::uint32_t instance, const Arg* args);
/// The caller then leaves the activation; what it wrote so far counts. The run ends with status 1
/// when the cycle is complete.
void fail(const Thread& thread, const Slots& slots, std::uint32_t cls, std::uint32_t site,
          std::uint32_t instance, const Arg* args);
/// Ends the run when the cycle is complete; the first in output order sets the status.
void stop(const Thread& thread, const Slots& slots, std::uint32_t cls, std::uint32_t instance,
          std::uint8_t status);
/// Whether any of these was called in this cycle, by this thread.
bool hasSaid(const Thread& thread);

/// main() of a generated simulator: parses the options of sme/options.h, runs, returns the exit status.
/// Reentrant: no globals but the signal handler's flag.
int run(const Model& model, int argc, char** argv);

}  // namespace sme
