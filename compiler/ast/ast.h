#pragma once

#include "ast/statements.h"

/// The syntax tree of a module, as written. Plain data. Expressions live in one arena per module
/// and name each other by index, so that a chain of a million operators neither recurses in a
/// destructor nor costs an allocation a node.
namespace smec::ast {

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
