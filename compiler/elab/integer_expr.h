#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sema/context.h"

namespace smec::elab {

/// What a name in an index or bound stands for while a generate body is repeated.
struct Leaf {
    enum class Kind : std::uint8_t { None, Slot, Symbol } kind = Kind::None;
    const std::int64_t* slot = nullptr;  ///< the index of a generate: read anew at each evaluation
    const sema::Symbol* symbol = nullptr;  ///< an evaluated constant, the same at each evaluation
};
using LeafLookup = std::function<Leaf(ast::ExprId name)>;

/// A constant expression over 64-bit integers and bools, compiled to a few operations of a stack
/// machine, for what is evaluated once per instance: `link[i + 1]`, `(r + 7) % size`, `r > 0 && c >
/// 0`, `seed[r][7 - c]`. It answers what sema::Context::constant answers, or nothing: then the
/// caller asks there.
class IntegerExpr {
public:
    static std::optional<IntegerExpr> compile(sema::Context& context, sema::ExprRef expr,
                                              const LeafLookup& lookup);

    /// Bools are 0 and 1. Empty on overflow, division by zero and indices out of range.
    std::optional<std::int64_t> evaluate() const;

    bool isBool() const { return isBool_; }
    bool isUnsized() const { return isUnsized_; }  ///< no leaf has a declared type

private:
    friend class IntegerCompiler;
    static constexpr std::size_t kMaxDepth = 16;

    enum class Code : std::uint8_t {
        Literal,
        Slot,
        Element,
        Bit,
        Add,
        Sub,
        Mul,
        Div,
        Mod,
        Negate,
        Lt,
        Gt,
        Le,
        Ge,
        Eq,
        Ne,
        And,
        Or,
        Not
    };
    struct Op {
        Code code;
        std::uint32_t count = 0;  ///< Element: number of indices; Bit: width of the operand
        std::int64_t literal = 0;
        const std::int64_t* slot = nullptr;
        const hir::Value* list = nullptr;  ///< Element: the array
    };
    static bool apply(const Op& op, std::int64_t* stack, std::size_t& depth);
    static bool combine(const Op& op, std::int64_t& left, std::int64_t right);
    static bool divide(Code code, std::int64_t& left, std::int64_t right);
    static bool element(const Op& op, std::int64_t* stack, std::size_t& depth);

    std::vector<Op> ops_;
    bool isBool_ = false;
    bool isUnsized_ = true;
};

/// The value as a 64-bit number, when it is an integer that fits or a bool.
std::optional<std::int64_t> smallValue(const hir::Value& value);

}  // namespace smec::elab
