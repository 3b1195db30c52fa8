#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "hir/types.h"
#include "hir/value.h"

/// Checked bodies: every name resolved, every expression typed, compound assignments, whole-bus
/// copies, `-=` and the like spelled out, constants folded. One body per specialisation of a
/// process or function. Integer expressions are exact (mathematical); only stores, casts and the
/// arguments and results of functions wrap.
namespace smec::hir {

struct ExprId {
    std::uint32_t index = UINT32_MAX;
    bool valid() const { return index != UINT32_MAX; }
};
struct VarId {
    std::uint32_t index = UINT32_MAX;
    bool operator==(const VarId&) const = default;
};
struct FunctionId {
    std::uint32_t index = UINT32_MAX;
    bool valid() const { return index != UINT32_MAX; }
};

/// What an integer expression is to the typing rules: the operand type (docs/language.md, "Numbers are exact"). For
/// every other expression `type` says it all. The value itself may lie outside of the operand type
/// (a + b of two u8 reaches 510).
struct Expr;

struct Constant {
    Value value;
};  ///< the same in every instance of the specialisation
/// A constant that may differ between instances: Specialisation::constants[index],
/// Instance::constants[index].
struct InstanceConstant {
    std::uint32_t index;
};
struct ReadVar {
    VarId var;
};
/// The read slot of field `field` of port `port`; `element` selects from an array port (flattened,
/// row-major).
struct ReadField {
    std::uint32_t port;
    std::uint32_t field;
    ExprId element;
};
struct ArrayElement {
    ExprId base;
    ExprId index;
};  ///< checked: index out of range fails
struct BitSelect {
    ExprId base;
    ExprId index;
};  ///< bool; index out of the operand type's width fails
struct SliceSelect {
    ExprId base;
    std::uint32_t high;
    std::uint32_t low;
};
/// `width` bits from bit `low` on; fails where one of them lies outside the operand type's width.
struct IndexedSliceSelect {
    ExprId base;
    ExprId low;
    std::uint32_t width;
};
struct StructMemberOf {
    ExprId base;
    std::uint32_t member;
};

enum class UnaryOp : std::uint8_t { Negate, Complement, Not };
/// Complement: unsigned N-bit operand type: 2^N - 1 - x mod 2^N; signed: -x - 1. Not: bool.
struct UnaryExpr {
    UnaryOp op;
    ExprId operand;
};
enum class BinaryOp : std::uint8_t {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Shl,
    Shr,
    And,
    Or,
    Xor,  ///< integers; Add…Div also floats; And, Or, Xor also bools
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,  ///< integers, floats; Eq and Ne also bools and enums
    LogicalAnd,
    LogicalOr  ///< evaluate the right side only when needed
};
struct BinaryExpr {
    BinaryOp op;
    ExprId left;
    ExprId right;
};
struct ConditionalExpr {
    ExprId condition;
    ExprId yes;
    ExprId no;
};
/// To Expr::type: integers wrap; from a float truncates toward zero, saturates, NaN gives 0; to
/// bool is != 0; to an enum a value of no member fails; bool or enum to integer; float to float
/// rounds.
struct CastExpr {
    ExprId operand;
};
struct MakeArray {
    std::vector<ExprId> elements;
};
struct MakeStruct {
    std::vector<ExprId> members;
};  ///< in declaration order
struct CallExpr {
    FunctionId function;
    std::vector<ExprId> arguments;
};  ///< arguments wrap to the parameters' types
enum class Builtin : std::uint8_t {
    Cat,
    Rep,
    Min,
    Max,
    Abs,
    Popcount,
    Any,
    All,
    Parity,
    Cycle,
    Random
};
/// Cat: arguments high to low, each at its operand type's width, modulo 2^width, bool as one bit.
/// Rep: arguments {x}, `count` times.
struct BuiltinExpr {
    Builtin builtin;
    std::vector<ExprId> arguments;
    std::uint32_t count;
};

struct Expr {
    TypeId type;  ///< integers: the operand type
    SourceRange range;
    std::variant<Constant, InstanceConstant, ReadVar, ReadField, ArrayElement, BitSelect,
                 SliceSelect, IndexedSliceSelect, StructMemberOf, UnaryExpr, BinaryExpr,
                 ConditionalExpr, CastExpr, MakeArray, MakeStruct, CallExpr, BuiltinExpr>
        node;
};

// ---------------------------------------------------------------- places that are written

struct IndexStep {
    ExprId index;
    SourceRange range;
};  ///< array element
struct MemberStep {
    std::uint32_t member;
};
struct BitStep {
    ExprId index;
    SourceRange range;
};  ///< a bit, assigned a bool
struct SliceStep {
    std::uint32_t high;
    std::uint32_t low;
};
struct IndexedSliceStep {
    ExprId low;
    std::uint32_t width;
    SourceRange range;
};
using PlaceStep = std::variant<IndexStep, MemberStep, BitStep, SliceStep, IndexedSliceStep>;

struct FieldRef {
    std::uint32_t port;
    std::uint32_t field;
    ExprId element;
};
/// A variable or the pending write slot of a field, or a part of one. Those of bits come
/// last.
struct Place {
    std::variant<VarId, FieldRef> root;
    std::vector<PlaceStep> steps;
    TypeId type;  ///< of what is stored
    SourceRange range;
};

// ---------------------------------------------------------------- statements

struct Stmt;
using Block = std::vector<Stmt>;

/// Evaluates `value`, then the indices of `place` from left to right, then stores: wraps to the
/// place's type (Ranged: fails outside).
struct Assign {
    Place place;
    ExprId value;
};
/// A block variable begins anew: `value`, or the type's default when invalid.
struct InitVar {
    VarId var;
    ExprId value;
};
struct If {
    ExprId condition;
    Block yes;
    Block no;
};
/// `from` and `to` are evaluated once, before the first round. To: up or down, `to` included.
/// Downto: down, `to` included. Until: up, `to` excluded. `var` takes each value (it always fits).
enum class LoopKind : std::uint8_t { To, Downto, Until };
struct For {
    VarId var;
    LoopKind kind;
    ExprId from;
    ExprId to;
    Block body;
};
struct While {
    ExprId condition;
    Block body;
};
/// All integers from low to high.
struct LabelRange {
    Integer low;
    Integer high;
};
struct SwitchCase {
    std::vector<Value> labels;
    std::vector<LabelRange> ranges;
    std::vector<ExprId> instanceLabels;  ///< InstanceConstant
    Block body;
};
struct Switch {
    ExprId subject;
    std::vector<SwitchCase> cases;  ///< they exclude one another
    std::optional<Block> otherwise;
    bool coversAll = false;  ///< some case matches, whatever the subject is
};
struct Break {};
struct Continue {};
struct Return {
    ExprId value;
};
struct Text {
    ParsedFormat format;
    std::vector<ExprId> arguments;
};
struct Trace {
    Text text;
};
struct Assert {
    bool isAssume;
    ExprId condition;
    std::optional<Text> text;
};
struct Cover {
    ExprId condition;
    std::string name;
    std::uint32_t index;
};  ///< index: within the specialisation
struct Stop {
    ExprId status;
};  ///< a u8; invalid: 0
struct Wait {
    ExprId count;
};  ///< invalid: 1; a count below 1 fails
struct WaitUntil {
    ExprId condition;
};

struct Stmt {
    SourceRange range;
    std::variant<Assign, InitVar, If, For, While, Switch, Break, Continue, Return, Trace, Assert,
                 Cover, Stop, Wait, WaitUntil>
        node;
};

// ---------------------------------------------------------------- bodies

enum class VarKind : std::uint8_t {
    Process,  ///< persists from cycle to cycle; combinational processes: begins anew at every run
    Block,    ///< begins anew at each InitVar; kept across waits until the block is left
    Loop,     ///< set by its For
    Param     ///< of a function
};
struct Variable {
    std::string name;
    SourceRange range;
    VarKind kind;
    TypeId type;
    bool isHandle = false;  ///< the object of an extern process: has no name outside
};

/// The arena and variables shared by the statements of one body.
struct Body {
    std::vector<Expr> exprs;
    std::vector<Variable> vars;
    Block statements;
    bool canTrace = false;      ///< contains trace, directly or through functions
    bool callsForeign = false;  ///< calls C++, or is C++, directly or through functions
    bool canFail =
        false;  ///< contains something that may fail before range analysis (checks, assertions)
    bool canStop = false;
    bool canWait = false;
    bool usesCycle = false;
    bool usesRandom = false;
    const Expr& operator[](ExprId id) const { return exprs[id.index]; }
};

/// A bus parameter of an extern process, as its C++ sees it: a struct of all fields.
struct ForeignPort {
    std::string name;
    bool isArray = false;        ///< a std::array of structs
    std::uint32_t elements = 1;  ///< of an array port
    struct Field {
        std::string name;
        TypeId type;
        bool written = false;  ///< by the process
    };
    std::vector<Field> fields;
};
/// A C++ function, or a class whose objects are processes.
///
/// Function: the parameters of hir::Function are its own; hir::Function::result is what the C++
/// function gives, of a type that C++ has (the call converts it to enums and ranges).
///
/// Process: one call is one activation. Parameters: the object (u64, 0: make it), the constants,
/// then every field of every element of every port. Result: a struct of the object and every
/// written field, in the same order.
struct Foreign {
    bool isProcess = false;
    bool isSerial = false;  ///< at most one call at a time, in the whole simulation
    std::string name;       ///< in C++, global
    std::string header;     ///< a path where there is such a file, else as written: <header>
    bool isFile = false;
    SourceRange range;  ///< of the file's name in the declaration
    std::uint32_t constants = 0;
    std::vector<ForeignPort> ports;
    /// What stands for a process in hardware.
    struct Hardware {
        std::string language;  ///< "verilog", "vhdl"
        std::string file;      ///< a path where there is such a file, else as written
        bool isFile = false;
        SourceRange range;  ///< of the file's name
    };
    std::vector<Hardware> hardware{};
};

/// Parameters are the first `paramCount` variables of the body. Functions see no ports and no
/// process variables; their only constants are Constant nodes (a function in a process whose
/// constants differ between instances gets one Function per value set).
struct Function {
    std::string name;
    SourceRange range;
    std::uint32_t paramCount = 0;
    TypeId result;
    Body body;                        ///< extern: parameters only
    std::optional<Foreign> external;  ///< it is C++; calls of it are neither repeated nor left out
};

}  // namespace smec::hir
