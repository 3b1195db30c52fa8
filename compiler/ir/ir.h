#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

#include "source/paged_list.h"
#include "source/source_manager.h"

/// The design as the code generators see it: classes of equal processes, planes of storage,
/// connections, and bodies of exact integer expressions. Structs are split into their scalar leaves
/// and arrays of any shape are flattened, so that every stored thing is a scalar or a
/// one-dimensional array of scalars. Plain data with typed ids; built by lower, changed by passes,
/// read by plan and codegen. Nothing here knows C++.
namespace smec::ir {

using Integer = boost::multiprecision::cpp_int;

template <typename Tag>
struct Id {
    std::uint32_t index = UINT32_MAX;
    bool valid() const { return index != UINT32_MAX; }
    bool operator==(const Id&) const = default;
    auto operator<=>(const Id&) const = default;
};
using ExprId = Id<struct ExprTag>;    ///< within a body
using LocalId = Id<struct LocalTag>;  ///< within a body
using TableId = Id<struct TableTag>;  ///< within the design
using FunctionId = Id<struct FunctionTag>;
using ClassId = Id<struct ClassTag>;
using PlaneId = Id<struct PlaneTag>;

// ---------------------------------------------------------------- types

enum class ScalarKind : std::uint8_t { Bool, Int, F32, F64 };

/// What is stored: enums are integers of their stored bits. Bool has width 1.
struct Scalar {
    ScalarKind kind = ScalarKind::Int;
    bool isSigned = false;
    std::uint32_t width = 1;
    bool operator==(const Scalar&) const = default;
};

/// A scalar (length 0) or a flattened array of `length` scalars.
struct StorageType {
    Scalar scalar;
    std::uint32_t length = 0;
    bool isArray() const { return length != 0; }
    std::uint64_t elements() const { return length ? length : 1; }
    bool operator==(const StorageType&) const = default;
};

/// A constant scalar: integers, bools (0/1) and enum numbers as Integer; floats by value (f32
/// widened).
struct Constant {
    std::variant<Integer, double> value;
    bool operator==(const Constant& other) const;  ///< floats by bit pattern
};

/// Tables and initial values, of which a large memory has millions.
using Constants = PagedList<Constant>;
std::size_t hashOf(const Constants& constants);

/// Closed interval of an exact integer.
struct Interval {
    Integer low;
    Integer high;
    bool operator==(const Interval&) const = default;
    bool contains(const Integer& x) const { return low <= x && x <= high; }
};

// ---------------------------------------------------------------- expressions
//
// Pure: no expression fails, traces or calls. Shared: equal expressions of a body have one id
// (value numbering), so a body's expressions form a DAG. An expression is evaluated where a
// statement uses it, with the locals as they are then. Integer expressions are exact; only Wrap
// loses bits.

struct ConstInt {
    Integer value;
};
struct ConstBool {
    bool value;
};
struct ConstFloat {
    double value;
};  ///< of Expr::type (F32: exactly representable)
struct ReadColumn {
    std::uint32_t column;
};  ///< Class::columns[column] of the instance
/// Read slot of Class::inputs[input]. `element`: of an array port with several elements (invalid:
/// element 0); `index`: of an array. Both are in range (checks stand in front).
struct ReadInput {
    std::uint32_t input;
    ExprId element;
    ExprId index;
};
struct ReadLocal {
    LocalId local;
    ExprId index;
};  ///< `index` of an array local, in range
struct ReadTable {
    TableId table;
    ExprId index;
};                ///< constant array, index in range
struct Cycle {};  ///< 0 … 2^64-1
struct Seed {};   ///< --seed, 0 … 2^64-1
enum class UnaryOp : std::uint8_t {
    Neg,
    BitNot,
    Not,
    FNeg,
    Abs,
    Popcount,
    Parity
};  ///< BitNot: -x-1. Popcount, Parity (bool): of a Wrap to unsigned
struct Unary {
    UnaryOp op;
    ExprId operand;
};
enum class BinaryOp : std::uint8_t {
    Add,
    Sub,
    Mul,
    Div,
    Mod,  ///< exact; Div and Mod truncate, divisor not 0
    Shl,
    Shr,  ///< x·2^n, floor(x/2^n), n ≥ 0
    And,
    Or,
    Xor,  ///< two's complement without end
    Min,
    Max,
    Lt,
    Le,
    Eq,
    Ne,  ///< of integers → bool
    BoolAnd,
    BoolOr,
    BoolXor,
    BoolEq,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FLt,
    FLe,
    FEq,
    FNe,
    FMin,
    FMax
};
struct Binary {
    BinaryOp op;
    ExprId left;
    ExprId right;
};
struct Select {
    ExprId condition;
    ExprId yes;
    ExprId no;
};  ///< both sides may be evaluated
struct Wrap {
    ExprId operand;
    std::uint32_t width;
    bool isSigned;
};  ///< modulo 2^width
/// Conversions. IntToBool: != 0; BoolToInt: 0/1; IntToFloat (exact value rounded once), FloatToInt:
/// truncates, saturates to `width`, `isSigned`, NaN gives 0; FloatToFloat.
enum class ConvertOp : std::uint8_t { IntToBool, BoolToInt, IntToFloat, FloatToInt, FloatToFloat };
struct Convert {
    ConvertOp op;
    ExprId operand;
    std::uint32_t width;
    bool isSigned;
};

enum class ExprType : std::uint8_t { Int, Bool, F32, F64 };
struct Expr {
    ExprType type;
    std::variant<ConstInt, ConstBool, ConstFloat, ReadColumn, ReadInput, ReadLocal, ReadTable,
                 Cycle, Seed, Unary, Binary, Select, Wrap, Convert>
        node;
};

// ---------------------------------------------------------------- statements

struct Stmt;
using Block = std::vector<Stmt>;

/// local = value, or local[index] = value with index in range. `value` lies within the local's type
/// (a Wrap or proof stands in it).
struct Set {
    LocalId local;
    ExprId index;
    ExprId value;
};
/// Whole array: from a local, an input (element invalid: 0) or a table of the same length and
/// scalar.
struct CopyArray {
    LocalId to;
    std::variant<LocalId, ReadInput, TableId> from;
};
/// Every element becomes `value`.
struct FillArray {
    LocalId to;
    ExprId value;
};
/// Leaves the activation with a failure unless `ok` holds. `args` as in sme::FailSite.
struct Check {
    ExprId ok;
    std::uint32_t site;
    std::vector<ExprId> args;
};
struct If {
    ExprId condition;
    Block yes;
    Block no;
};
/// for (var = from; …): `from`, `to` evaluated once. Up: var ≤ to; Down: var ≥ to; Either: up when
/// from ≤ to, else down. `to` is included; nothing runs when Up and from > to (Down: from < to).
/// `rounds`: most rounds, where known when compiling; the body of a loop without counts them.
enum class LoopKind : std::uint8_t { Up, Down, Either };
struct For {
    LocalId var;
    LoopKind kind;
    ExprId from;
    ExprId to;
    Block body;
    std::optional<std::uint64_t> rounds;
};
/// Forever until Break. The body counts its rounds, after the test of its condition.
struct Loop {
    Block body;
    /// The states of a process that waits: one switch over the state variable; a round goes from
    /// one state to another within an activation, and Return ends it.
    bool isStateMachine = false;
};
/// One more round of this activation; fails at `site` beyond the loop limit.
struct CountRound {
    std::uint32_t site;
};
struct SwitchCase {
    std::vector<Integer> labels;
    Block body;
};
struct Switch {
    ExprId subject;
    std::vector<SwitchCase> cases;
    Block otherwise;
};
struct Break {};
struct Continue {};
/// results = function(args). Scalar arguments lie within the parameters' types; an array argument
/// is a ReadLocal of the whole array. One local for each of Function::results, different from the
/// arguments'. May fail or trace (see Function).
struct Call {
    std::vector<LocalId> results;
    FunctionId function;
    std::vector<ExprId> args;
};
/// In functions: one value (arrays: a ReadLocal of the whole) for each of Function::results. In
/// processes: none; leaves the activation.
struct Return {
    std::vector<ExprId> values;
};
struct Trace {
    std::uint32_t site;
    std::vector<ExprId> args;
};
struct Stop {
    ExprId status;
};
struct Stmt {
    SourceRange range;
    std::variant<Set, CopyArray, FillArray, Check, If, For, Loop, CountRound, Switch, Break,
                 Continue, Call, Return, Trace, Stop>
        node;
};

enum class LocalKind : std::uint8_t {
    Temp,    ///< undefined until set
    State,   ///< Class::state[slot]: starts with the plane's value, stored back at the end
    Output,  ///< Class::outputs[slot]: starts with the default (hold: last value), stored at the
             ///< end
    Param    ///< of a function, in order
};
/// How the instances of a class keep a variable.
enum class LocalForm : std::uint8_t {
    Own,     ///< each its own, an array in one piece
    Common,  ///< a scalar that is the same in all of them, unless it was set from outside
    Spread   ///< an array whose element e is Class::state[slot + e], a scalar; every index is
             ///< computed from constants and variables in Common form, and in range
};
struct Local {
    std::string name;  ///< as in the source; temporaries "t"
    LocalKind kind;
    StorageType type;
    std::uint32_t slot = 0;
    std::optional<Interval> range{};  ///< declared range: every value it ever holds lies in it
    bool isHelper = false;  ///< nobody declared it: arguments and results of calls that are written
                            ///< out, parts of expressions
    LocalForm form = LocalForm::Own;
};

enum class FailureKind : std::uint8_t {  ///< same order as sme::Failure
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
/// How an argument of a trace or failure is shown.
struct ArgFormat {
    ExprType type;
    bool isSigned = true;
    std::uint32_t bits = 64;                   ///< of the operand type
    std::optional<std::uint32_t> enumeration;  ///< Design::enums
};
struct TraceSite {
    std::string format;
    std::vector<ArgFormat> args;
};  ///< structs and arrays are spelled out in the format
struct FailSite {
    FailureKind kind;
    SourceRange range;
    TraceSite text;
    bool hasText = false;
    std::string subject;
};

struct Body {
    std::vector<Expr> exprs;
    std::vector<Local> locals;
    Block statements;
    std::vector<TraceSite> traces;
    std::vector<FailSite> fails;
    const Expr& operator[](ExprId id) const { return exprs[id.index]; }
};

/// C++ that `extern` names, as in hir::Foreign. Arguments and results of the function that stands
/// for it are the leaves of the language's, in order.
struct Foreign {
    struct Field {
        std::string name;
        std::uint32_t shape;   ///< Design::shapes
        bool written = false;  ///< by the process
    };
    struct Port {
        std::string name;
        bool isArray = false;
        std::uint32_t elements = 1;
        std::vector<Field> fields;
    };
    bool isProcess = false;
    bool isSerial = false;
    std::string name;
    std::string header;
    bool isFile = false;   ///< else a header of the toolchain
    SourceRange range;     ///< of the file's name
    std::uint32_t id = 0;  ///< hir::FunctionId
    std::uint32_t constants = 0;
    std::vector<Port> ports;
};

/// Failures and traces of functions count as those of the calling process: their sites are numbered
/// in the class's tables after lowering, so a function that traces or fails is specific to its
/// class (`owner`); others are shared (owner invalid).
struct Function {
    std::string name;
    SourceRange range;
    ClassId owner;
    std::vector<StorageType> results;  ///< one for each leaf of its type
    std::uint32_t paramCount = 0;
    Body body;  ///< traces, fails empty: sites refer to the owner's body
    bool mayFail = false;
    bool mayTrace = false;
    bool callsForeign = false;          ///< or is C++: not to be repeated or left out
    std::optional<Foreign> external{};  ///< the body holds the parameters only
};

// ---------------------------------------------------------------- storage and wiring

enum class PlaneKind : std::uint8_t {
    Output,    ///< field driven by a class: Clocked region
    Input,     ///< exposed field nobody inside drives: Clocked region, written by the runtime
    Undriven,  ///< read as its default for ever: Constant region, one instance per distinct default
    State      ///< variable
};

/// One value for all instances, or one for each (scalars: `values` has 1 or n entries; arrays: 1 or
/// n lists of `length`).
struct InitialData {
    bool perInstance = false;
    Constants values;  ///< row-major: instance, element
};

struct Plane {
    std::string name;  ///< "status.n", "acc": field or variable within the process
    PlaneKind kind;
    StorageType type;
    std::optional<std::uint32_t> enumeration;
    std::optional<Interval> range;  ///< declared range, if any
    ClassId owner;                  ///< Output, State
    std::uint32_t instances = 1;
    /// Consecutive instances that one instance of the owner writes: the elements of an array port.
    std::uint32_t perOwner = 1;
    bool hold = false;
    bool combinational = false;  ///< visible in the same cycle
    bool hidden = false;         ///< has no name outside (counters of `cover`, wait states …)
    /// Objects of the extern process with this Foreign::id.
    std::optional<std::uint32_t> objects{};
    InitialData initial{};
    std::vector<std::uint64_t> dimensions{};  ///< as declared, outermost first; their product is
                                              ///< type.length (scalars: empty)
    /// What an instance of the owner sees: a scalar, or an array of all that is its own.
    StorageType ownType() const {
        return {type.scalar, perOwner == 1
                                 ? type.length
                                 : static_cast<std::uint32_t>(perOwner * type.elements())};
    }
};

/// For instances first … first+count-1 (i = 0 …): element `start + i * stride` of `plane`.
struct Run {
    std::uint32_t first;
    std::uint32_t count;
    PlaneId plane;
    std::uint32_t start;
    std::int32_t stride;
};
/// What feeds one field of one port element, for all instances of the class: runs in ascending
/// order that cover 0 … n-1.
struct Connection {
    std::vector<Run> runs;
};

struct Input {
    std::string name;  ///< "x.v"
    StorageType type;
    std::vector<Connection> elements;  ///< one; of an array port one per element
    std::optional<Interval> range{};   ///< declared range of the field
};
struct Output {
    std::string name;
    PlaneId plane;
    bool hold = false;
};
struct Column {
    std::string name;
    Scalar type;
    std::vector<Constant> values;  ///< one per instance
    Interval range;                ///< of integers
};

/// Cycles in which a `cover` held: one counter for each instance.
struct Cover {
    std::string name;
    PlaneId counter;  ///< State, u64, hidden
};

/// `count` instances with paths prefix + number + suffix; see sme::InstanceRun.
struct InstanceRun {
    std::uint32_t first;
    std::uint32_t count;
    std::string prefix;
    std::optional<std::string> suffix;  ///< absent: one instance, path = prefix
    std::uint64_t index;
    std::uint64_t order;
    std::uint64_t orderStride;
    SourceRange range{};  ///< of their process, which classes that became one do not tell
};

struct Class {
    std::string name;  ///< of the process
    SourceRange range;
    std::uint32_t instances = 0;
    bool combinational = false;
    bool isDelayLine = false;  ///< made by the compiler for `delay d`: no process of the design
    std::vector<Input> inputs;
    std::vector<Output> outputs;
    std::vector<PlaneId> state;
    std::vector<Column> columns;
    std::vector<Cover> covers;
    std::vector<InstanceRun> runs;
    Body body;
};

// ---------------------------------------------------------------- names seen from outside

/// A type as it is seen from outside: what lower took apart into leaves.
struct Shape {
    struct Member {
        std::string name;
        std::uint32_t shape;
        std::uint32_t leaf;  ///< leaves in front of it
    };
    enum class Kind : std::uint8_t { Scalar, Array, Struct };
    Kind kind = Kind::Scalar;
    std::string name{};  ///< of a struct
    Scalar scalar{};     ///< with what Plane says of a scalar
    std::optional<std::uint32_t> enumeration{};
    std::optional<Interval> range{};
    std::uint32_t element = 0;  ///< of an array
    std::uint64_t count = 0;
    std::vector<Member> members{};
};

struct NameRun {
    std::string prefix;
    std::optional<std::string> suffix;  ///< absent: one name, = prefix
    std::uint64_t index;
    std::uint32_t count;
    PlaneId plane;
    std::uint32_t start;
    std::int32_t stride;
    bool exposed = false;
    bool variable = false;
    /// Of a value that is not stored in one piece (it holds structs, or an array whose elements
    /// have planes of their own): its type, and the place of every leaf (the first one's too). Else
    /// the plane's type says all.
    struct Place {
        PlaneId plane;
        std::uint32_t start;
        std::int32_t stride;
        std::vector<PlaneId> elements{};  ///< of an array: empty, or one plane for each
    };
    std::optional<std::uint32_t> shape{};
    std::vector<Place> leaves{};
};

struct EnumMember {
    std::string name;
    Integer value;
};
struct Enum {
    std::string name;
    std::uint32_t width;
    bool isSigned;
    std::vector<EnumMember> members;
};
struct Table {
    StorageType type;
    Constants values;
    std::string name{};  ///< of one of the constants in the source that it is; may be empty
};

struct Design {
    std::string name;  ///< of the top network
    std::vector<Plane> planes;
    std::vector<Class> classes;       ///< in order of their first instance
    std::vector<Function> functions;  ///< callees before callers
    std::vector<Table> tables;
    std::vector<Enum> enums;
    std::vector<Shape> shapes;
    std::vector<NameRun> names;
    std::uint64_t processCount = 0;
    bool unchecked = false;
    /// Rounds of loops that an activation may take without a CountRound, where a pass removed them.
    std::uint32_t uncountedRounds = 0;
};

}  // namespace smec::ir
