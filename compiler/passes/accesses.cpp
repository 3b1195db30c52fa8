#include <unordered_map>
#include <utility>

#include "ir/builder.h"
#include "ir/lanes.h"
#include "ir/visit.h"
#include "passes/body.h"
#include "source/overloaded.h"

// Vector units read and set elements of arrays one by one, if at all, so that this stands apart from
// what they compute:
//
//   if (k) { sum = sum + mem[n + 1]; mem[n] = sum * 2; }
//   if (k) { at = n + 1; t = mem[at]; sum = sum + t; value = sum * 2; mem[n] = value; }

namespace smec::passes {

using namespace ir;

namespace {

class Parter {
public:
    Parter(Body& body, const std::vector<Interval>& intervals)
        : body_(body), intervals_(intervals) {}

    bool run() {
        body_.statements = block(std::move(body_.statements));
        return fits_;
    }

private:
    Block block(Block statements) {
        Block around = std::exchange(out_, {});
        for (Stmt& stmt : statements) {
            now_.clear();
            range_ = stmt.range;
            partElement(stmt);
            forEachExpr(stmt, [&](ExprId& id) { id = parted(id); });
            forEachBlock(stmt, [&](Block& inner) { inner = block(std::move(inner)); });
            out_.push_back(std::move(stmt));
        }
        return std::exchange(out_, std::move(around));
    }

    /// Of an element that is set.
    void partElement(Stmt& stmt) {
        auto* set = std::get_if<Set>(&stmt.node);
        if (set == nullptr || !set->index.valid()) return;
        const Scalar type = body_.locals[set->local.index].type.scalar;
        if (body_.locals[set->local.index].form == LocalForm::Spread) return;
        set->index = leaf("at", set->index);
        const ExprId value = parted(set->value);
        set->value = isLeaf(body_, value) ? value : keep("value", value, type);
    }

    /// The expression with reads of temporaries in place of those of elements.
    ExprId parted(ExprId id) {
        if (const auto known = now_.find(id.index); known != now_.end()) return known->second;
        Expr expr = body_[id];
        if (ExprId* const index = indexOf(expr)) {
            *index = leaf("at", *index);
            return now_[id.index] = element(id, addExpr(body_, std::move(expr)));
        }
        bool changes = false;
        forEachOperand(expr, [&](ExprId& operand) {
            const ExprId now = parted(operand);
            changes = changes || now.index != operand.index;
            operand = now;
        });
        return now_[id.index] = changes ? addExpr(body_, std::move(expr)) : id;
    }

    /// Of an element of an array in one piece.
    ExprId* indexOf(Expr& expr) const {
        return smec::visit(
            Overloaded{
                [&](ReadLocal& n) {
                    const bool isSpread = body_.locals[n.local.index].form == LocalForm::Spread;
                    return n.index.valid() && !isSpread ? &n.index : nullptr;
                },
                [](ReadInput& n) { return n.index.valid() ? &n.index : nullptr; },
                [](ReadTable& n) { return &n.index; },
                [](AnyOf<ConstInt, ConstBool, ConstFloat, ReadColumn, Cycle, Seed, Unary, Binary,
                         Select, Wrap, Convert> auto&) -> ExprId* { return nullptr; },
            },
            expr.node);
    }

    /// A temporary for an element. `was`: the expression as it was analysed.
    ExprId element(ExprId was, ExprId value) {
        switch (body_[value].type) {
        case ExprType::Bool: return keep("element", value, {ScalarKind::Bool, false, 1});
        case ExprType::F32: return keep("element", value, {ScalarKind::F32, true, 32});
        case ExprType::F64: return keep("element", value, {ScalarKind::F64, true, 64});
        case ExprType::Int: break;
        }
        return keepInteger("element", was, value);
    }

    ExprId leaf(const char* name, ExprId was) {
        const ExprId value = parted(was);
        return isLeaf(body_, value) ? value : keepInteger(name, was, value);
    }

    ExprId keepInteger(const char* name, ExprId was, ExprId value) {
        const auto type =
            was.index < intervals_.size() ? smallestType(intervals_[was.index]) : std::nullopt;
        fits_ = fits_ && type;
        return keep(name, value, type.value_or(Scalar{}));
    }

    /// A temporary, set in front of the statement.
    ExprId keep(const char* name, ExprId value, const Scalar& type) {
        const LocalId local{static_cast<std::uint32_t>(body_.locals.size())};
        body_.locals.push_back({name, LocalKind::Temp, {type, 0}});
        out_.push_back({range_, Set{local, {}, value}});
        return addExpr(body_, {exprTypeOf(type), ReadLocal{local, {}}});
    }

    Body& body_;
    const std::vector<Interval>& intervals_;         ///< of the expressions that were there
    std::unordered_map<std::uint32_t, ExprId> now_;  ///< in the statement at hand
    SourceRange range_;                              ///< its own
    Block out_;                                      ///< of the block at hand
    bool fits_ = true;
};

}  // namespace

bool partAccesses(Body& body, const std::vector<Interval>& intervals) {
    return Parter(body, intervals).run();
}

}  // namespace smec::passes
