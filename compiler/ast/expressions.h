#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "source/integer.h"
#include "source/source_manager.h"

/// Expressions and types as they are written: `ast.h` says how they are kept.
namespace smec::ast {

using smec::Integer;

struct ExprId {
    std::uint32_t index = UINT32_MAX;
    bool valid() const { return index != UINT32_MAX; }
    bool operator==(const ExprId&) const = default;
};

struct Identifier {
    std::string text;
    SourceRange range;
};

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
    std::optional<RangeBound> bound;  ///< written after the type: `uint range 0 to 9`
};

}  // namespace smec::ast
