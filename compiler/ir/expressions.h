#pragma once

#include <cstdint>
#include <variant>

#include "ir/types.h"

/// Pure: no expression fails, traces or calls. Shared: equal expressions of a body have one id
/// (value numbering), so a body's expressions form a DAG. An expression is evaluated where a
/// statement uses it, with the locals as they are then. Integer expressions are exact; only Wrap
/// loses bits.
namespace smec::ir {

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

}  // namespace smec::ir
