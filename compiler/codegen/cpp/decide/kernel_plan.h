#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "ir/ir.h"
#include "plan/plan.h"

/// What the kernels of a design do, as data: which instances they walk, through which pointers an
/// activation reaches its values, what it loads and stores, and where the bulk data lies. Decided
/// once, in this folder; printers take it by const& and decide nothing. There is no text in it:
/// things of the design are named by their place in ir::Design, C++ names are the printer's.
///
/// Units: "element" is an index in words of the value's own type, from the region's start; "offset"
/// is in bytes; "stride" and "length" are in words of the value's own type.
namespace smec::codegen::cpp {

// ---------------------------------------------------------------- where values lie

/// The regions that a kernel reaches, as sme::Slots has them, and the constants.
enum class Base : std::uint8_t { Read, Write, State, Constants };

/// The slot of the clocked region in which a port finds its fields.
enum class Slot : std::uint8_t {
    Read,   ///< of the cycle before
    Write,  ///< of this cycle: combinational fields
    Either  ///< differs between instances: an element is told by its code, twice the element plus
            ///< one in the slot being written
};

inline Base baseOf(Slot slot) { return slot == Slot::Write ? Base::Write : Base::Read; }

/// Index into Walk::parameters.
using ParameterId = std::uint32_t;

/// The instance's own: a scalar each, or `length` words.
struct OfInstance {
    ParameterId pointer;
    std::uint64_t length;  ///< 0: a scalar
    bool operator==(const OfInstance&) const = default;
};
/// `stride` words apart from round to round of the walk; 0: the same for all.
struct AtStride {
    ParameterId pointer;
    std::int64_t stride;
    bool operator==(const AtStride&) const = default;
};
/// The stride is a parameter too.
struct AtStep {
    ParameterId pointer;
    ParameterId step;
    bool operator==(const AtStep&) const = default;
};
/// Element that column `column` of the seam's row tells.
struct AtSeam {
    ParameterId pointer;
    std::uint32_t column;
    bool operator==(const AtSeam&) const = default;
};
/// Element that the instance's entry of an index column tells.
struct AtIndex {
    ParameterId index;
    ParameterId pointer;
    bool operator==(const AtIndex&) const = default;
};
/// Field whose code the instance's entry of an index column tells.
struct AtCode {
    ParameterId index;
    bool operator==(const AtCode&) const = default;
};
/// Element `element` of a region seen as an array of the value's type: straight-line code.
struct AtElement {
    Base base;
    std::uint64_t element;
    /// A variable of the block has it, too: what its step has written (Base::Write), or what it was
    /// before (Base::Read).
    bool isOfBlock = false;
    bool isKept = false;  ///< that variable outlives the cycle
    bool operator==(const AtElement&) const = default;
};
/// Bulk data of straight-line code.
struct AtOffset {
    std::uint64_t offset;  ///< in the constants
    bool operator==(const AtOffset&) const = default;
};
/// A parameter that is the value itself, the same for all instances walked.
struct ParameterValue {
    ParameterId value;
    bool operator==(const ParameterValue&) const = default;
};
/// The same value for all instances walked, and all elements.
struct Known {
    ir::Constant value;
    bool operator==(const Known&) const = default;
};

/// How an activation reaches a scalar, or the first element of an array.
using Access = std::variant<OfInstance, AtStride, AtStep, AtSeam, AtIndex, AtCode, AtElement,
                            AtOffset, ParameterValue, Known>;

// ---------------------------------------------------------------- what an activation does

/// Instances whose flag is set have no driver and read `value`, while the pointer goes on over
/// whatever lies there.
struct Undriven {
    ParameterId flags;
    ir::Constant value;
    bool operator==(const Undriven&) const = default;
};

/// A field that the body reads, of a constant element of a port.
struct InputLoad {
    std::uint32_t input;  ///< of Class::inputs
    std::uint32_t element;
    Access from;
    std::optional<Undriven> undriven{};
    std::optional<AtElement> unobserved{};  ///< from there instead, in cycles that nobody observes
};

/// Where an array port's element that is chosen at run time finds its index: in a column with
/// `elements` entries for each instance, or in a table of the one instance.
struct IndexColumn {
    ParameterId index;
    std::optional<ParameterId> base;  ///< absent where slots differ
    bool operator==(const IndexColumn&) const = default;
};
struct IndexTable {
    std::vector<std::uint32_t> elements;  ///< codes where slots differ
    bool operator==(const IndexTable&) const = default;
};
struct InputSelection {
    std::uint32_t input;
    std::uint32_t elements;
    Slot slot;
    std::variant<IndexColumn, IndexTable> index;
};

struct ColumnLoad {
    std::uint32_t column;  ///< of Class::columns
    Access from;
};

// What a variable or field of the process is when the body starts:

/// Anything: the body sets all of it before anybody looks.
struct Overwritten {
    bool operator==(const Overwritten&) const = default;
};
/// What it is there, or was in the cycle before.
struct From {
    Access place;
    bool operator==(const From&) const = default;
};
/// Of a field that is not held.
struct Default {
    Access value;
    bool operator==(const Default&) const = default;
};

/// What the body works on where it names a variable.
enum class WorksOn : std::uint8_t {
    Copy,       ///< of a scalar its own, which begins as `begin` says; of an array the pointer
    Reference,  ///< a scalar where it lies
    Direct,  ///< the same, which one part or one branch alone uses: it is loaded and stored there
    Bounded  ///< a spread array that is read and not set, by indices that need not be in range
};

struct StateAccess {
    std::uint32_t slot;  ///< of Class::state
    ir::LocalId local;   ///< of the body
    Access place;        ///< where it lies
    std::variant<Overwritten, From> begin;
    bool isStored;               ///< behind the body: a copy that it changes
    std::uint64_t distance = 1;  ///< of an array: words from one element to the next
    WorksOn worksOn = WorksOn::Copy;
};
/// Of an array: as From, but its place has it already, except for the elements that a log tells.
struct Replay {
    Access last;
    std::uint32_t log;  ///< slot of Class::state
    bool isCounted;     ///< ir::LogForm
    bool operator==(const Replay&) const = default;
};
struct OutputAccess {
    std::uint32_t slot;  ///< of Class::outputs
    ir::LocalId local;
    Access place;
    std::variant<Overwritten, From, Default, Replay> begin;
    /// A scalar that no other step reads from memory: it is stored in cycles alone after which
    /// somebody may look.
    bool isForLookers = false;
    /// Of a scalar, behind the body: where each activation stores it, and where those do of cycles that
    /// somebody may observe.
    std::optional<Access> stored{}, observed{};
    /// Of one that publishes a variable, and is only stored for who looks: where that lies.
    std::optional<AtElement> variable{};
    bool isReadAfter = false;  ///< by steps behind this one, as it was before
};

/// Loads and stores of one activation, in the order in which they happen; what the body does not
/// touch is not among them.
struct Activation {
    std::vector<InputLoad> inputs;
    std::vector<InputSelection> selections;
    std::vector<ColumnLoad> columns;
    std::vector<StateAccess> state;
    std::vector<OutputAccess> outputs;
    bool mayLeave = false;  ///< in front of its last statement, or the cycle ends there
};

// ---------------------------------------------------------------- loops

/// What a parameter is to the value it belongs to.
enum class ParameterUse : std::uint8_t {
    Field,   ///< of an input: where it lies for the first instance
    Index,   ///< of an input: index column
    Step,    ///< of an input: its stride; a number, as Common is, all others are pointers
    Flags,   ///< instances without driver
    Base,    ///< of an input: the region, for an index chosen at run time
    Column,  ///< of the class
    State,   ///< of a variable
    Common,  ///< of a variable: its value, the same for all instances walked
    Saved,   ///< of a variable: as it was before the walk of the segment
    Output,  ///< of a field that is driven
    Last,    ///< of a held field: its last value
    Initial  ///< of another field: its default
};

/// What a kernel passes for a parameter: the start of a region or column, gone on by `perInstance`
/// words for each instance before the first one walked.
struct InRegion {
    Base base;
    std::uint64_t offset;
    std::int64_t perInstance;
};
/// Element that the segment's row tells, gone on by `stride` for each instance that is skipped.
struct InRow {
    Slot slot;
    std::uint32_t column;
    std::int64_t stride;
};
/// The same with the stride that the row's next column tells.
struct InRowByStep {
    Slot slot;
    std::uint32_t column;
};
/// The stride that a column of the segment's row tells.
struct RowStep {
    std::uint32_t column;
};
/// The value of the first instance walked, at `offset` in the region of variables.
struct FirstValue {
    std::uint64_t offset;
};
/// What the kernel saved of variable `slot`, in order of the seams.
struct SavedState {
    std::uint32_t slot;
};
using Argument = std::variant<InRegion, InRow, InRowByStep, RowStep, FirstValue, SavedState>;

struct Parameter {
    ParameterUse use;
    std::uint32_t of;  ///< input, column, or slot of a variable or output; Flags: 0
    std::optional<std::uint32_t> element;  ///< of a port, where one is meant
    ir::Scalar type;                       ///< of what it points to
    Argument argument;
};

/// Words that a pointer goes on by from one instance to the next, where all segments agree.
std::int64_t instanceStride(const Parameter& parameter);

/// What becomes of a body's checks.
enum class Checks : std::uint8_t {
    Test,     ///< the activation fails and leaves
    Collect,  ///< it is only found out whether one would fail; nothing is stored
    Skip      ///< they were collected before, and none fails
};

/// Which instances an inner function walks.
enum class WalkKind : std::uint8_t {
    Segment,       ///< those of a segment with the strides of most instances
    Strided,       ///< those of a segment whose strides differ from that
    Ahead,         ///< those of a segment, for their checks alone
    Sure,          ///< those of a segment none of whose checks fails, whose common variables agree
    Seams,         ///< those where segments meet, once more, by a table of rows
    AheadAtSeams,  ///< the same for their checks alone
    SureAtSeams    ///< the same when none of all these checks fails
};
Checks checksOf(WalkKind kind);
bool isAtSeams(WalkKind kind);

/// How selects are computed.
enum class Selects : std::uint8_t { Branches, Masks };

/// Statements of a body that run in a loop of their own over some instances, before the next stage's
/// do: either vector code, or accesses to memory one by one.
struct Stage {
    bool isMemory;
    std::size_t first;  ///< of the body's statements
    std::size_t count;
    Activation activation{};
    std::vector<ir::LocalId> taken{};  ///< temporaries that earlier stages left
    std::vector<ir::LocalId> left{};   ///< for later ones
    std::vector<ir::LocalId>
        declared{};  ///< temporaries that it sets, and no statement of it declares
    Selects selects = Selects::Branches;
    bool isSilent = false;  ///< as Walk::isSilent
};

/// A walk of a kernel: Plan::kernels, and LoopPlan::walks.
struct WalkRef {
    std::uint32_t kernel;
    std::uint32_t walk;
    bool operator==(const WalkRef&) const = default;
};

/// What the inner function is told of its surroundings.
struct Surroundings {
    bool context =
        false;  ///< sme::Thread and sme::Slots, for output, the cycle or fields in either slot
    bool instance = false;  ///< number of the first instance, for output
    bool operator==(const Surroundings&) const = default;
};

/// What a C++ compiler is told about the function of a walk.
enum class WalkFunction : std::uint8_t {
    Loop,       ///< all that it knows
    Lanes,      ///< vector code, whose terms stay in their order
    LongLanes,  ///< the same, which chooses so often that conditions stay where they are, too
    Checks      ///< the same, of numbers that may overflow: what is computed behind a failed check
};

/// A loop over instances of a class, in a function of its own.
struct Walk {
    WalkKind kind;
    Selects selects;
    WalkFunction compiled;
    Surroundings told;
    /// Nothing but what is stored comes of an activation, so that instances may run in any order.
    bool isSilent;
    std::vector<Parameter> parameters;
    Activation activation;
    std::vector<Stage> stages;       ///< of the activation; none: it runs as a whole
    std::size_t round = 0;           ///< instances of which one stage runs before the next
    std::vector<ir::LocalId> lanes;  ///< what stages leave: an array each, of a round's instances
    /// Whose function runs it: its own, or that of an earlier walk in the unit which does the same.
    WalkRef function;
};

/// Where a table of rows lies: one row is written out, a few stand in the code.
struct OneRow {};
struct RowsInCode {};
struct RowsInData {
    std::uint64_t offset;
};

/// Stretches of instances for which every connection is a pointer that goes on with the instance.
/// A row: first instance, count, then for each input element or code, and the stride where it
/// differs between rows.
struct Segments {
    std::uint32_t rowWidth = 2;
    std::vector<std::uint32_t> rows;
    std::variant<OneRow, RowsInCode, RowsInData> place;
    std::size_t count() const { return rows.size() / rowWidth; }
};

/// Rows of the same form, of one instance each: run once more after their segment.
struct Seams {
    std::uint32_t count = 0;
    std::uint64_t offset = 0;  ///< of the rows
    /// Variables (slots of the class) that the seams need as they were before the segment ran.
    std::vector<std::uint32_t> saved;
    /// With `saved`: instances that run in one go, and the most seams among them.
    std::uint32_t span = 0;
    std::uint32_t seamsInSpan = 0;
};

/// A stride that most rows tell in column `column`; Strided runs the others.
struct UsualStride {
    std::uint32_t column;
    std::int64_t stride;
};

struct LoopPlan {
    ir::ClassId cls;
    Segments segments;
    std::optional<Seams> seams;
    /// With checks and seams: longer segments for Ahead and Sure, whose seams AheadAtSeams and
    /// SureAtSeams run. `segments` are without seams then.
    std::optional<Segments> joined;
    std::vector<UsualStride> usualStrides;
    /// Variables (slots of the class) in which instances must agree for Ahead and Sure.
    std::vector<std::uint32_t> common;
    std::vector<Walk> walks;  ///< one of a kind at most, Segment first
    /// Vectors are filled: the last instances of a segment run among copies of one of them. Bytes
    /// of the narrowest word of the walk Segment; 0: not so.
    std::uint32_t filledWord = 0;
    std::uint32_t filledInstances = 0;  ///< so many of them or more; fewer run as they are
    const Walk* find(WalkKind kind) const;
};

// ---------------------------------------------------------------- other kernels

/// A branch of a step's body that sets what a step before it reads, which rests until then.
struct Waking {
    ir::StmtId branch;  ///< its first statement
    std::uint32_t step;
};

/// One activation of straight-line code.
struct BlockStep {
    plan::InstanceRef instance;
    Activation activation;
    bool rests = false;  ///< in unobserved cycles before which no branch has woken it
    std::vector<Waking> wakes{};
};
/// Steps in a function of their own.
struct BlockFunction {
    std::uint32_t begin, end;
    bool isInline;  ///< in whoever calls it
};
struct BlockPlan {
    std::vector<BlockStep> steps;
    /// Of all steps. Several stand in units of their own (plan::TranslationUnit), and an inline one calls them.
    std::vector<BlockFunction> functions;
    bool runsUnobserved = false;  ///< cycles in which fields for lookers are not stored
    bool mayEnd = false;          ///< in which something may fail, print or stop
    bool hasResting = false;      ///< some step rests
    bool tellsCycle = false;      ///< steps read its number
    bool runsPairs = false;       ///< two cycles are written out one behind the other
};

/// Rows {loop, first instance, end} in topological order; `loop` counts in `loops`.
struct OrderedPlan {
    std::vector<std::uint32_t> loops;  ///< kernels
    std::uint32_t rows = 0;
    std::uint64_t offset = 0;  ///< of the rows in the constants
};

/// Loops over the same instances, some of which one loop runs before the next one does.
struct MergedPlan {
    std::vector<std::uint32_t> loops;  ///< kernels
    std::uint32_t instances = 0;       ///< at a time
};

using KernelPlan = std::variant<LoopPlan, BlockPlan, OrderedPlan, MergedPlan>;

/// Whether it runs a range of its instances (sme::Instances), or all there is of it (sme::Block).
inline bool isDivisible(const KernelPlan& kernel) {
    return std::holds_alternative<LoopPlan>(kernel) || std::holds_alternative<MergedPlan>(kernel);
}

}  // namespace smec::codegen::cpp
