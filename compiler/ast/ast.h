#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

#include "source/source_manager.h"

/// The syntax tree of a module, as written. Plain data. Expressions live in one arena per module
/// and name each other by index, so that a chain of a million operators neither recurses in a
/// destructor nor costs an allocation a node.
namespace smec::ast {

using Integer = boost::multiprecision::cpp_int;

struct ExprId {
    std::uint32_t index = UINT32_MAX;
    bool valid() const { return index != UINT32_MAX; }
    bool operator==(const ExprId&) const = default;
};

struct Identifier {
    std::string text;
    SourceRange range;
};

// ---------------------------------------------------------------- expressions

enum class UnaryOp : std::uint8_t { Plus, Minus, Not, Complement };  // + - ! ~
enum class BinaryOp : std::uint8_t {
    Mul,
    Div,
    Mod,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    And,
    Xor,
    Or,
    LogicalAnd,
    LogicalOr
};

struct IntLiteral {
    Integer value;
};
struct FloatLiteral {
    double value;
};
struct BoolLiteral {
    bool value;
};
struct CharacterLiteral {
    std::uint8_t value;
};  ///< 'a'
struct StringLiteral {
    std::string value;
};                    ///< escapes already resolved
struct Undefined {};  ///< 'U
struct Name {
    std::string text;
};
struct Member {
    ExprId base;
    Identifier name;
};  ///< base.name
struct Index {
    ExprId base;
    ExprId index;
};  ///< base[index]
struct Star {
    ExprId base;
};  ///< base[*]
struct Slice {
    ExprId base;
    ExprId high;
    ExprId low;
};  ///< base[high:low]
struct IndexedSlice {
    ExprId base;
    ExprId low;
    ExprId width;
};  ///< base[low +: width]
struct Unary {
    UnaryOp op;
    ExprId operand;
};
struct Binary {
    BinaryOp op;
    ExprId left;
    ExprId right;
    SourceRange opRange;
};
struct Conditional {
    ExprId condition;
    ExprId yes;
    ExprId no;
};
struct ArrayLiteral {
    std::vector<ExprId> elements;
};
struct Paren {
    ExprId inner;
};  ///< kept: the printer round-trips, and mixed-precedence warnings look for it

/// One argument of a call, an instance or a struct literal; `name` is empty for a positional one.
struct Argument {
    std::optional<Identifier> name;
    ExprId value;
};
/// A call, a cast, a builtin or a struct literal: what it is depends on what `callee` names.
struct Call {
    ExprId callee;
    std::vector<Argument> arguments;
};

struct Expr {
    SourceRange range;
    std::variant<IntLiteral, FloatLiteral, BoolLiteral, CharacterLiteral, StringLiteral, Undefined,
                 Name, Member, Index, Star, Slice, IndexedSlice, Unary, Binary, Conditional,
                 ArrayLiteral, Paren, Call>
        node;
};

// ---------------------------------------------------------------- types

struct TypeExpr;

/// A name such as u8, bool, int, word or maths.number; `path` has one or two parts (alias.name) or
/// more.
struct NamedType {
    std::vector<Identifier> path;
};
struct SizedType {
    bool isSigned;
    ExprId width;
};  ///< u(e), i(e)
struct ArrayType {
    ExprId size;
    std::vector<TypeExpr> element;
};  ///< element has exactly one entry
struct TypeOf {
    ExprId operand;
};  ///< type(e)
struct RangeBound {
    ExprId low;
    ExprId high;
};  ///< range low to high

struct TypeExpr {
    SourceRange range;
    std::variant<NamedType, SizedType, ArrayType, TypeOf> node;
    std::optional<RangeBound> bound;  ///< written behind the type: `uint range 0 to 9`
};

// ---------------------------------------------------------------- statements

struct Stmt;
struct Block {
    SourceRange range;
    std::vector<Stmt> statements;
};

/// var a: T = init range lo to hi;   (`range` may stand behind the initialiser; the parser moves it
/// into `type.bound`)
struct VarDecl {
    Identifier name;
    TypeExpr type;
    ExprId init;  ///< invalid when absent
};

struct Assign {
    ExprId target;
    std::optional<BinaryOp> op;
    ExprId value;
};  ///< op: compound assignment
struct IfBranch {
    ExprId condition;
    Block body;
};
struct If {
    std::vector<IfBranch> branches;
    std::optional<Block> otherwise;
};  ///< if, elif…; else
enum class LoopDirection : std::uint8_t { To, Downto, Until };
struct For {
    Identifier variable;
    ExprId from;
    LoopDirection direction;
    ExprId to;
    Block body;
};
struct While {
    ExprId condition;
    Block body;
};
/// `a`, or `a to b` with both ends.
struct CaseLabel {
    ExprId first;
    ExprId last{};  ///< invalid: one value
};
struct Case {
    SourceRange range;
    std::vector<CaseLabel> labels;
    Block body;
};
struct Switch {
    ExprId subject;
    std::vector<Case> cases;
    std::optional<Block> otherwise;
};
struct Break {};
struct Continue {};
struct Return {
    ExprId value;
};
struct Trace {
    ExprId format;
    std::vector<ExprId> arguments;
};  ///< format is a StringLiteral
/// assert and assume; `message` invalid when absent; `messageFirst` for assert("text", c, …)
struct Assert {
    bool isAssume;
    ExprId condition;
    ExprId message;
    std::vector<ExprId> arguments;
    bool messageFirst;
};
struct Cover {
    ExprId condition;
    ExprId name;
};
struct Stop {
    ExprId status;
};  ///< invalid when absent
struct Wait {
    ExprId count;
    bool isBarrier;
};  ///< count invalid: one cycle; isBarrier: written as SMEIL's word
struct WaitUntil {
    ExprId condition;
};

struct Stmt {
    SourceRange range;
    std::variant<VarDecl, Assign, If, For, While, Switch, Break, Continue, Return, Trace, Assert,
                 Cover, Stop, Wait, WaitUntil, Block>
        node;
};

// ---------------------------------------------------------------- declarations

struct Decl;

struct Import {
    std::vector<Identifier> path;     ///< lib.fifo
    std::optional<Identifier> alias;  ///< import … as alias
    std::vector<Identifier> names;    ///< from … import a, b (empty for plain import)
};
struct ConstDecl {
    Identifier name;
    std::optional<TypeExpr> type;
    ExprId value;
};
struct EnumMember {
    Identifier name;
    ExprId value;
};  ///< value invalid when absent
struct EnumDecl {
    Identifier name;
    std::vector<EnumMember> members;
};

/// A field of a bus or struct.
struct FieldDecl {
    SourceRange range;
    bool hold = false;
    bool flip = false;
    Identifier name;
    TypeExpr type;
    ExprId init;  ///< invalid when absent
};
struct AliasType {
    TypeExpr target;
};
struct StructType {
    std::vector<FieldDecl> fields;
};
struct BusType {
    std::vector<FieldDecl> fields;
};
struct TypeDecl {
    Identifier name;
    std::variant<AliasType, StructType, BusType> node;
};

struct FuncParam {
    Identifier name;
    TypeExpr type;
};
struct FuncDecl {
    Identifier name;
    std::vector<FuncParam> params;
    TypeExpr result;
    Block body;
};
struct ExternFunc {
    bool serial;
    Identifier name;
    std::vector<FuncParam> params;
    std::optional<TypeExpr> result;
    std::string header;
    SourceRange headerRange;
};

enum class ParamKind : std::uint8_t { In, Out, Const };
struct Param {
    SourceRange range;
    ParamKind kind;
    std::vector<ExprId> dimensions;  ///< [n] and [] in front of in/out; invalid for []
    Identifier name;
    std::optional<TypeExpr> type;
    ExprId defaultValue;  ///< const only; invalid when absent
};

struct BusDecl {
    bool exposed = false;
    bool hold = false;
    bool unique = false;  ///< SMEIL's word, no effect
    ExprId delay;         ///< invalid when absent
    Identifier name;
    std::vector<ExprId> dimensions;
    std::optional<TypeExpr> type;   ///< bus b: t;
    std::vector<FieldDecl> fields;  ///< bus b { … };
};

struct InstanceDecl {
    Identifier name;              ///< text "_" when anonymous
    std::vector<ExprId> indices;  ///< s[i][j]
    ExprId entity;                ///< Name or Member (alias.name)
    std::vector<Argument> arguments;
};

struct GenerateFor {
    Identifier variable;
    ExprId from;
    bool isUntil;
    ExprId to;
    std::vector<Decl> body;
};
struct GenerateIf {
    ExprId condition;
    std::vector<Decl> yes;
    std::vector<Decl> no;
};

enum class ProcKind : std::uint8_t {
    Clocked,
    Combinational,
    Simulation
};  // proc / sync proc, async proc, sim proc
struct ForeignBody {
    Identifier language;
    std::string file;
    SourceRange fileRange;
};  ///< cpp("dsp.hpp")
/// What an extern process has in place of declarations and statements.
struct ForeignProc {
    std::vector<ForeignBody> bodies;
    std::vector<ExprId> constants;  ///< a Name for each const parameter, in order
};
struct ProcDecl {
    ProcKind kind;
    bool isSyncWord;
    Identifier name;
    std::vector<Param> params;
    std::vector<Decl> decls;
    Block body;
    std::optional<ForeignProc> external{};  ///< extern proc; clocked
};
struct NetworkDecl {
    Identifier name;
    std::vector<Param> params;
    std::vector<Decl> decls;
};

/// Any declaration, at module, network or process level. Which may stand where is checked by the
/// parser (instances, generate: networks and processes; var: processes).
struct Decl {
    SourceRange range;
    std::variant<Import, ConstDecl, EnumDecl, TypeDecl, FuncDecl, ExternFunc, BusDecl, VarDecl,
                 InstanceDecl, GenerateFor, GenerateIf, ProcDecl, NetworkDecl>
        node;
};

struct Comment {
    SourceRange range;  ///< with its delimiters
};

struct Module {
    FileId file;
    std::vector<Expr> exprs;        ///< arena
    std::vector<Decl> decls;        ///< in source order
    std::vector<Comment> comments;  ///< in source order
    const Expr& operator[](ExprId id) const { return exprs[id.index]; }
};

}  // namespace smec::ast
