#pragma once

#include "ast/expressions.h"

namespace smec::ast {

struct Stmt;
struct Block {
    SourceRange range;
    std::vector<Stmt> statements;
};

/// var a: T = init range lo to hi;   (`range` may stand after the initialiser; the parser moves it
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

}  // namespace smec::ast
