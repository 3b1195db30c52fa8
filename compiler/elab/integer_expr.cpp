#include "elab/integer_expr.h"

#include <limits>

// i + 1        Slot i, Literal 1, Add
// seed[r][c]   Slot r, Slot c, Element seed/2

namespace smec::elab {

std::optional<std::int64_t> smallValue(const hir::Value& value) {
    if (const bool* boolean = std::get_if<bool>(&value.data)) return *boolean ? 1 : 0;
    const auto* integer = std::get_if<hir::Integer>(&value.data);
    if (!integer) return std::nullopt;
    if (*integer > std::numeric_limits<std::int64_t>::max()
        || *integer < std::numeric_limits<std::int64_t>::min()) {
        return std::nullopt;
    }
    return static_cast<std::int64_t>(*integer);
}

/// Translates an expression; gives up (false) at whatever it does not know.
class IntegerCompiler {
public:
    IntegerCompiler(sema::Context& context, sema::ModuleId module, const LeafLookup& lookup,
                    IntegerExpr& out)
        : context_(context),
          types_(context.design().types),
          module_(module),
          lookup_(lookup),
          out_(out) {}

    bool run(ast::ExprId root) {
        bool isBool = false;
        if (!expr(root, 0, isBool)) return false;
        out_.isBool_ = isBool;
        return true;
    }

private:
    using Code = IntegerExpr::Code;

    bool emit(IntegerExpr::Op op, int pushes) {
        depth_ = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(depth_) + pushes);
        out_.ops_.push_back(op);
        return depth_ <= IntegerExpr::kMaxDepth;
    }
    const ast::Expr& at(ast::ExprId id) const { return context_.expr({module_, id}); }

    bool expr(ast::ExprId id, std::size_t nesting, bool& isBool) {
        if (nesting > 32) return false;
        const ast::Expr& node = at(id);
        isBool = false;
        if (const auto* literal = std::get_if<ast::IntLiteral>(&node.node))
            return integer(literal->value);
        if (const auto* literal = std::get_if<ast::BoolLiteral>(&node.node)) {
            isBool = true;
            return emit({Code::Literal, 0, literal->value ? 1 : 0}, 1);
        }
        if (std::holds_alternative<ast::Name>(node.node)) return name(id, isBool);
        if (const auto* paren = std::get_if<ast::Paren>(&node.node))
            return expr(paren->inner, nesting + 1, isBool);
        if (const auto* unary = std::get_if<ast::Unary>(&node.node))
            return this->unary(*unary, nesting, isBool);
        if (const auto* binary = std::get_if<ast::Binary>(&node.node))
            return this->binary(*binary, nesting, isBool);
        if (std::holds_alternative<ast::Index>(node.node)) return index(id, nesting, isBool);
        return false;
    }

    bool integer(const ast::Integer& value) {
        if (value > std::numeric_limits<std::int64_t>::max()) return false;
        return emit({Code::Literal, 0, static_cast<std::int64_t>(value)}, 1);
    }

    bool name(ast::ExprId id, bool& isBool) {
        const Leaf leaf = lookup_(id);
        if (leaf.kind == Leaf::Kind::None) return false;
        if (leaf.kind == Leaf::Kind::Slot) return emit({Code::Slot, 0, 0, leaf.slot}, 1);
        const sema::TypedValue& typed = std::get<sema::ConstSymbol>(leaf.symbol->node).value;
        const std::optional<std::int64_t> value = smallValue(typed.value);
        if (!value || types_.as<hir::EnumType>(typed.type)) return false;
        isBool = typed.type == hir::TypeTable::kBool;
        note(typed.type);
        return emit({Code::Literal, 0, *value}, 1);
    }

    bool unary(const ast::Unary& node, std::size_t nesting, bool& isBool) {
        if (!expr(node.operand, nesting + 1, isBool)) return false;
        switch (node.op) {
        case ast::UnaryOp::Plus: return !isBool;
        case ast::UnaryOp::Minus: return !isBool && emit({Code::Negate}, 0);
        case ast::UnaryOp::Not: return isBool && emit({Code::Not}, 0);
        case ast::UnaryOp::Complement: return false;
        }
        return false;
    }

    static std::optional<Code> codeOf(ast::BinaryOp op) {
        using B = ast::BinaryOp;
        switch (op) {
        case B::Mul: return Code::Mul;
        case B::Div: return Code::Div;
        case B::Mod: return Code::Mod;
        case B::Add: return Code::Add;
        case B::Sub: return Code::Sub;
        case B::Lt: return Code::Lt;
        case B::Gt: return Code::Gt;
        case B::Le: return Code::Le;
        case B::Ge: return Code::Ge;
        case B::Eq: return Code::Eq;
        case B::Ne: return Code::Ne;
        case B::LogicalAnd: return Code::And;
        case B::LogicalOr: return Code::Or;
        case B::Shl:
        case B::Shr:
        case B::And:
        case B::Xor:
        case B::Or: return std::nullopt;
        }
        return std::nullopt;
    }

    bool binary(const ast::Binary& node, std::size_t nesting, bool& isBool) {
        const std::optional<Code> code = codeOf(node.op);
        bool left = false;
        bool right = false;
        if (!code || !expr(node.left, nesting + 1, left) || !expr(node.right, nesting + 1, right)
            || left != right)
            return false;
        const bool isLogical = *code == Code::And || *code == Code::Or;
        const bool isEquality = *code == Code::Eq || *code == Code::Ne;
        if (left ? !isLogical && !isEquality : isLogical) return false;
        isBool = *code >= Code::Lt;
        return emit({*code}, -1);
    }

    /// Elements of constant arrays, then a bit: seed[r][7 - c].
    bool index(ast::ExprId id, std::size_t nesting, bool& isBool) {
        std::vector<ast::ExprId> indices;
        while (const auto* node = std::get_if<ast::Index>(&at(id).node)) {
            indices.insert(indices.begin(), node->index);
            id = node->base;
        }
        if (!std::holds_alternative<ast::Name>(at(id).node)) return false;
        const Leaf leaf = lookup_(id);
        if (leaf.kind != Leaf::Kind::Symbol) return false;
        const sema::TypedValue& typed = std::get<sema::ConstSymbol>(leaf.symbol->node).value;
        hir::TypeId type = typed.type;
        std::uint32_t used = 0;
        while (used < indices.size()) {
            const auto* array = types_.as<hir::ArrayType>(type);
            if (!array) break;
            type = array->element;
            if (!number(indices[used++], nesting)) return false;
        }
        const auto* integerType = types_.as<hir::IntType>(type);
        if (used == 0 || (!integerType && type != hir::TypeTable::kBool)) return false;
        if (!emit({Code::Element, used, 0, nullptr, &typed.value}, 1 - static_cast<int>(used)))
            return false;
        isBool = type == hir::TypeTable::kBool;
        note(type);
        if (used == indices.size()) return true;
        if (used + 1 != indices.size() || !integerType
            || integerType->flavour != hir::IntFlavour::Sized)
            return false;
        isBool = true;
        return integerType->width < 63 && number(indices[used], nesting)
               && emit({Code::Bit, integerType->width}, -1);
    }

    bool number(ast::ExprId id, std::size_t nesting) {
        bool isBool = false;
        return expr(id, nesting + 1, isBool) && !isBool;
    }
    void note(hir::TypeId type) {
        if (type != hir::TypeTable::kUint && type != hir::TypeTable::kInt) out_.isUnsized_ = false;
    }

    sema::Context& context_;
    const hir::TypeTable& types_;
    sema::ModuleId module_;
    const LeafLookup& lookup_;
    IntegerExpr& out_;
    std::size_t depth_ = 0;
};

std::optional<IntegerExpr> IntegerExpr::compile(sema::Context& context, sema::ExprRef expr,
                                                const LeafLookup& lookup) {
    IntegerExpr result;
    if (!IntegerCompiler(context, expr.module, lookup, result).run(expr.expr)) return std::nullopt;
    return result;
}

bool IntegerExpr::divide(Code code, std::int64_t& left, std::int64_t right) {
    if (right == 0 || (right == -1 && left == std::numeric_limits<std::int64_t>::min()))
        return false;
    left = code == Code::Div ? left / right : left % right;
    return true;
}

bool IntegerExpr::combine(const Op& op, std::int64_t& left, std::int64_t right) {
    switch (op.code) {
    case Code::Bit:
        if (right < 0 || right >= op.count) return false;
        left = (left >> right) & 1;
        return true;
    case Code::Add: return !__builtin_add_overflow(left, right, &left);
    case Code::Sub: return !__builtin_sub_overflow(left, right, &left);
    case Code::Mul: return !__builtin_mul_overflow(left, right, &left);
    case Code::Div:
    case Code::Mod: return divide(op.code, left, right);
    case Code::Lt: left = left < right; return true;
    case Code::Gt: left = left > right; return true;
    case Code::Le: left = left <= right; return true;
    case Code::Ge: left = left >= right; return true;
    case Code::Eq: left = left == right; return true;
    case Code::Ne: left = left != right; return true;
    case Code::And: left = left & right; return true;
    case Code::Or: left = left | right; return true;
    case Code::Literal:
    case Code::Slot:
    case Code::Element:
    case Code::Negate:
    case Code::Not: break;
    }
    return false;
}

bool IntegerExpr::element(const Op& op, std::int64_t* stack, std::size_t& depth) {
    const hir::Value* value = op.list;
    depth -= op.count;
    for (std::uint32_t i = 0; i < op.count; ++i) {
        const auto* list = std::get_if<hir::Value::List>(&value->data);
        const std::int64_t index = stack[depth + i];
        if (!list || index < 0 || static_cast<std::uint64_t>(index) >= list->size()) return false;
        value = &(*list)[static_cast<std::size_t>(index)];
    }
    const std::optional<std::int64_t> small = smallValue(*value);
    if (!small) return false;
    stack[depth++] = *small;
    return true;
}

bool IntegerExpr::apply(const Op& op, std::int64_t* stack, std::size_t& depth) {
    switch (op.code) {
    case Code::Literal: stack[depth++] = op.literal; return true;
    case Code::Slot: stack[depth++] = *op.slot; return true;
    case Code::Element: return element(op, stack, depth);
    case Code::Negate:
        return !__builtin_sub_overflow(std::int64_t{0}, stack[depth - 1], &stack[depth - 1]);
    case Code::Not: stack[depth - 1] ^= 1; return true;
    case Code::Bit:
    case Code::Add:
    case Code::Sub:
    case Code::Mul:
    case Code::Div:
    case Code::Mod:
    case Code::Lt:
    case Code::Gt:
    case Code::Le:
    case Code::Ge:
    case Code::Eq:
    case Code::Ne:
    case Code::And:
    case Code::Or: break;
    }
    const std::int64_t right = stack[--depth];
    return combine(op, stack[depth - 1], right);
}

std::optional<std::int64_t> IntegerExpr::evaluate() const {
    std::int64_t stack[kMaxDepth + 1];
    std::size_t depth = 0;
    for (const Op& op : ops_) {
        if (!apply(op, stack, depth)) return std::nullopt;
    }
    return stack[0];
}

}  // namespace smec::elab
