// The cost of a body is the sum over its statements of the operations each evaluates, an expression
// counted once per statement, weighted by rough latencies (an addition is 1). Loops multiply by
// their rounds, long numbers by their limbs, alternatives count their dearest branch, calls count
// the body called.

#include "ir/visit.h"
#include "plan/plan.h"
#include "plan/sizes.h"
#include "plan/target.h"
#include "source/overloaded.h"

#include <algorithm>

namespace smec::plan {
namespace {

double costOfBinary(ir::BinaryOp op) {
    switch (op) {
    case ir::BinaryOp::Mul: return 3;
    case ir::BinaryOp::Div:
    case ir::BinaryOp::Mod: return 20;
    case ir::BinaryOp::FAdd:
    case ir::BinaryOp::FSub:
    case ir::BinaryOp::FMul: return 3;
    case ir::BinaryOp::FDiv: return 10;
    case ir::BinaryOp::Add:
    case ir::BinaryOp::Sub:
    case ir::BinaryOp::Shl:
    case ir::BinaryOp::Shr:
    case ir::BinaryOp::And:
    case ir::BinaryOp::Or:
    case ir::BinaryOp::Xor:
    case ir::BinaryOp::Min:
    case ir::BinaryOp::Max:
    case ir::BinaryOp::Lt:
    case ir::BinaryOp::Le:
    case ir::BinaryOp::Eq:
    case ir::BinaryOp::Ne:
    case ir::BinaryOp::BoolAnd:
    case ir::BinaryOp::BoolOr:
    case ir::BinaryOp::BoolXor:
    case ir::BinaryOp::BoolEq:
    case ir::BinaryOp::FLt:
    case ir::BinaryOp::FLe:
    case ir::BinaryOp::FEq:
    case ir::BinaryOp::FNe:
    case ir::BinaryOp::FMin:
    case ir::BinaryOp::FMax: break;
    }
    return 1;
}

double costOfNode(const ir::Expr& expr) {
    using namespace ir;
    return smec::visit(Overloaded{
                           [](const Binary& n) { return costOfBinary(n.op); },
                           [](const AnyOf<ConstInt, ConstBool, ConstFloat> auto&) { return 0.0; },
                           [](const AnyOf<ReadColumn, ReadInput, ReadLocal, ReadTable, Cycle, Seed,
                                          Unary, Select, Wrap, Convert> auto&) { return 1.0; },
                       },
                       expr.node);
}

class CostModel {
public:
    explicit CostModel(const ir::Design& design)
        : design_(design), functions_(design.functions.size(), -1) {}

    double of(const ir::Body& body) {
        std::vector<std::uint32_t> seen(body.exprs.size(), 0);
        std::uint32_t stamp = 0;
        return ofBlock(body, body.statements, seen, stamp);
    }

private:
    using Seen = std::vector<std::uint32_t>;

    double ofBlock(const ir::Body& body, const ir::Block& block, Seen& seen, std::uint32_t& stamp) {
        double sum = 0;
        for (const ir::Stmt& stmt : block)
            sum += ofStatement(body, stmt, seen, stamp);
        return sum;
    }

    double ofStatement(const ir::Body& body, const ir::Stmt& stmt, Seen& seen,
                       std::uint32_t& stamp) {
        ++stamp;
        double sum = 1;
        ir::forEachExpr(stmt, [&](ir::ExprId id) { sum += ofExpr(body, id, seen, stamp); });
        double dearest = 0;
        ir::forEachBlock(stmt, [&](const ir::Block& block) {
            dearest = std::max(dearest, ofBlock(body, block, seen, stamp));
        });
        return smec::visit(
            Overloaded{
                [&](const ir::Set& n) {
                    return sum * limbsOf(body.locals[n.local.index].type.scalar);
                },
                [&](const ir::AnyOf<ir::CopyArray, ir::FillArray> auto& n) {
                    return sum + double(body.locals[n.to.index].type.length) / 8;
                },
                [&](const ir::Call& n) { return sum + target::kCallCost + ofFunction(n.function); },
                [&](const ir::Trace&) { return sum + target::kOutputCost; },
                [&](const ir::AnyOf<ir::If, ir::Switch> auto&) { return sum + dearest; },
                [&](const ir::AnyOf<ir::For, ir::Loop> auto& n) {
                    return sum + dearest * rounds(n);
                },
                [&](const ir::AnyOf<ir::Check, ir::CountRound, ir::Break, ir::Continue, ir::Return,
                                    ir::Stop> auto&) { return sum; },
            },
            stmt.node);
    }

    /// What is computed for a long number is about as long.
    static double limbsOf(const ir::Scalar& scalar) {
        return scalar.kind == ir::ScalarKind::Int ? (scalar.width + 63) / 64 : 1;
    }

    static double rounds(const ir::For& loop) {
        return loop.rounds ? double(*loop.rounds) : target::kUnknownRounds;
    }
    static double rounds(const ir::Loop& loop) {
        return loop.isStateMachine ? 1 : target::kUnknownRounds;
    }

    double ofExpr(const ir::Body& body, ir::ExprId root, Seen& seen, std::uint32_t stamp) {
        double sum = 0;
        stack_.assign(1, root);
        while (!stack_.empty()) {
            const ir::ExprId id = stack_.back();
            stack_.pop_back();
            if (seen[id.index] == stamp) continue;
            seen[id.index] = stamp;
            sum += costOfNode(body[id]);
            ir::forEachOperand(body[id], [&](ir::ExprId operand) { stack_.push_back(operand); });
        }
        return sum;
    }

    double ofFunction(ir::FunctionId id) {
        double& cost = functions_[id.index];
        if (cost < 0) {
            const double computed = of(design_.functions[id.index].body);
            functions_[id.index] = computed;
            return computed;
        }
        return cost;
    }

    const ir::Design& design_;
    std::vector<double> functions_;
    std::vector<ir::ExprId> stack_;
};

}  // namespace

double costOf(const ir::Body& body, const ir::Design& design) { return CostModel(design).of(body); }

std::vector<double> costsOf(const ir::Design& design) {
    CostModel model(design);
    std::vector<double> costs;
    costs.reserve(design.classes.size());
    for (const ir::Class& cls : design.classes)
        costs.push_back(model.of(cls.body));
    return costs;
}

std::uint32_t sizeOf(const ir::Body& body) {
    std::uint64_t statements = 1;
    ir::forEachStmt(body.statements, [&](const ir::Stmt&) { ++statements; });
    const std::uint64_t weighed = std::max<std::uint64_t>(statements, body.exprs.size() / 4);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(weighed, UINT32_MAX / 2));
}

}  // namespace smec::plan
