#include "ir/analysis.h"
#include "ir/arithmetic.h"
#include "ir/builder.h"
#include "ir/operators.h"
#include "ir/verifier.h"
#include "ir/visit.h"
#include "source/overloaded.h"

namespace smec::ir {

namespace {

class BodyVerifier {
public:
    BodyVerifier(const Design& design, const BodyOwner& owner, Complaints& out)
        : design_(design), owner_(owner), body_(owner.body), out_(out) {}

    void run() {
        checkLocals();
        for (std::uint32_t i = 0; i < body_.exprs.size() && sound_; ++i)
            checkExpr(ExprId{i});
        if (sound_) checkStored();
        if (!sound_) return;  // intervals need sound operands, and follow what is stored
        static const std::vector<Column> noColumns;
        static const std::vector<Input> noInputs;
        intervals_ = intervals(body_, owner_.cls ? owner_.cls->columns : noColumns,
                               owner_.cls ? owner_.cls->inputs : noInputs, design_);
        checkBlock(body_.statements, 0);
    }

private:
    template <typename... Args>
    void bad(fmt::format_string<Args...> format, Args&&... args) {
        sound_ = false;
        out_.add("'{}': {}", owner_.name, fmt::format(format, std::forward<Args>(args)...));
    }

    void checkLocals() {
        std::uint32_t params = 0;
        for (const Local& local : body_.locals) {
            if (local.kind == LocalKind::Param) ++params;
            if (local.kind == LocalKind::State)
                checkVariable(local, owner_.cls ? &owner_.cls->state : nullptr);
            else if (local.form != LocalForm::Own)
                bad("form of '{}', which is no variable", local.name);
            if (local.kind == LocalKind::Output
                && (!owner_.cls || local.slot >= owner_.cls->outputs.size())) {
                bad("output slot of '{}'", local.name);
            } else if (local.kind == LocalKind::Output) {
                checkType(local.name, local.type, owner_.cls->outputs[local.slot].plane);
            }
        }
        if (owner_.function ? params != owner_.function->paramCount : params != 0)
            bad("number of parameters");
    }

    void checkVariable(const Local& local, const std::vector<PlaneId>* planes) {
        const bool isSpread = local.form == LocalForm::Spread;
        const std::uint64_t count = isSpread ? local.type.length : 1;
        if (!planes || local.slot + count > planes->size()) return bad("slot of '{}'", local.name);
        if (local.type.isArray() ? local.form == LocalForm::Common : isSpread)
            return bad("form of '{}'", local.name);
        const StorageType type = isSpread ? StorageType{local.type.scalar, 0} : local.type;
        for (std::uint64_t i = 0; i < count; ++i)
            checkType(local.name, type, (*planes)[local.slot + i]);
    }

    void checkType(const std::string& name, const StorageType& type, PlaneId plane) {
        if (plane.index < design_.planes.size() && design_.planes[plane.index].ownType() != type)
            bad("type of '{}' and its plane", name);
    }

    // -------------------------------------------------------------- expressions

    void operand(ExprId user, ExprId id, std::optional<ExprType> type) {
        if (!id.valid() || id.index >= user.index)
            return bad("expression {}: operand {} does not stand before it", user.index, id.index);
        if (type && body_[id].type != *type)
            bad("expression {}: type of operand {}", user.index, id.index);
    }

    void indexed(ExprId user, ExprId index, const StorageType& type) {
        if (index.valid() != type.isArray())
            return bad("expression {}: index of a scalar, or an array without one", user.index);
        if (index.valid()) operand(user, index, ExprType::Int);
        if (body_[user].type != exprTypeOf(type.scalar))
            bad("expression {}: type differs from what it reads", user.index);
    }

    void checkBinary(ExprId id, const Binary& n) {
        const ExprType type = body_[id].type;
        const bool result =
            isArithmetic(n.op) ? type == ExprType::Int
            : isIntegerComparison(n.op) || isLogical(n.op) || isFloatComparison(n.op)
                ? type == ExprType::Bool
                : type == ExprType::F32 || type == ExprType::F64;
        if (!result) return bad("expression {}: result type", id.index);
        if (isArithmetic(n.op) || isIntegerComparison(n.op)) {
            operand(id, n.left, ExprType::Int);
            operand(id, n.right, ExprType::Int);
        } else if (isLogical(n.op)) {
            operand(id, n.left, ExprType::Bool);
            operand(id, n.right, ExprType::Bool);
        } else {
            operand(id, n.left, std::nullopt);
            if (!sound_) return;
            const ExprType side = body_[n.left].type;
            operand(id, n.right, side);
            if (side != ExprType::F32 && side != ExprType::F64)
                bad("expression {}: floats expected", id.index);
            if (!isFloatComparison(n.op) && side != type) bad("expression {}: precision", id.index);
        }
    }

    void checkUnary(ExprId id, const Unary& n) {
        const ExprType type = body_[id].type;
        const bool isFloat = type == ExprType::F32 || type == ExprType::F64;
        switch (n.op) {
        case UnaryOp::Not: operand(id, n.operand, ExprType::Bool); break;
        case UnaryOp::FNeg: operand(id, n.operand, isFloat ? type : ExprType::F64); break;
        case UnaryOp::Neg:
        case UnaryOp::BitNot:
        case UnaryOp::Abs:
        case UnaryOp::Popcount:
        case UnaryOp::Parity: operand(id, n.operand, ExprType::Int); break;
        }
        const bool isBool = n.op == UnaryOp::Not || n.op == UnaryOp::Parity;
        const bool right = isBool                  ? type == ExprType::Bool
                           : n.op == UnaryOp::FNeg ? isFloat
                                                   : type == ExprType::Int;
        if (!right) bad("expression {}: result type", id.index);
    }

    void checkConvert(ExprId id, const Convert& n) {
        const ExprType type = body_[id].type;
        const bool toFloat = type == ExprType::F32 || type == ExprType::F64;
        operand(id, n.operand, std::nullopt);
        if (!sound_) return;
        const ExprType from = body_[n.operand].type;
        const bool fromFloat = from == ExprType::F32 || from == ExprType::F64;
        bool right = false;
        switch (n.op) {
        case ConvertOp::IntToBool: right = from == ExprType::Int && type == ExprType::Bool; break;
        case ConvertOp::BoolToInt: right = from == ExprType::Bool && type == ExprType::Int; break;
        case ConvertOp::IntToFloat: right = from == ExprType::Int && toFloat; break;
        case ConvertOp::FloatToInt:
            right = fromFloat && type == ExprType::Int && n.width > 0;
            break;
        case ConvertOp::FloatToFloat: right = fromFloat && toFloat; break;
        }
        if (!right) bad("expression {}: conversion", id.index);
    }

    void checkColumn(ExprId id, const ReadColumn& n) {
        if (!owner_.cls || n.column >= owner_.cls->columns.size())
            return bad("expression {}: column", id.index);
        is(id, exprTypeOf(owner_.cls->columns[n.column].type));
    }

    void checkInput(ExprId id, const ReadInput& n) {
        if (!owner_.cls || n.input >= owner_.cls->inputs.size())
            return bad("expression {}: input", id.index);
        indexed(id, n.index, owner_.cls->inputs[n.input].type);
        if (n.element.valid()) operand(id, n.element, ExprType::Int);
    }

    void checkLocal(ExprId id, const ReadLocal& n) {
        if (n.local.index >= body_.locals.size()) return bad("expression {}: local", id.index);
        const StorageType& type = body_.locals[n.local.index].type;
        const bool isWhole = type.isArray() && !n.index.valid();  // an argument, a result
        if (!isWhole) indexed(id, n.index, type);
    }

    void checkTable(ExprId id, const ReadTable& n) {
        if (n.table.index >= design_.tables.size()) return bad("expression {}: table", id.index);
        indexed(id, n.index, design_.tables[n.table.index].type);
    }

    void checkSelect(ExprId id, const Select& n) {
        operand(id, n.condition, ExprType::Bool);
        operand(id, n.yes, body_[id].type);
        operand(id, n.no, body_[id].type);
    }

    void checkWrap(ExprId id, const Wrap& n) {
        operand(id, n.operand, ExprType::Int);
        is(id, ExprType::Int);
        if (n.width == 0) bad("expression {}: width 0", id.index);
    }

    void checkExpr(ExprId id) {
        smec::visit(Overloaded{
                        [&](const AnyOf<ConstInt, Cycle, Seed> auto&) { is(id, ExprType::Int); },
                        [&](const ConstBool&) { is(id, ExprType::Bool); },
                        [&](const ConstFloat&) {
                            if (body_[id].type != ExprType::F32) is(id, ExprType::F64);
                        },
                        [&](const ReadColumn& n) { checkColumn(id, n); },
                        [&](const ReadInput& n) { checkInput(id, n); },
                        [&](const ReadLocal& n) { checkLocal(id, n); },
                        [&](const ReadTable& n) { checkTable(id, n); },
                        [&](const Unary& n) { checkUnary(id, n); },
                        [&](const Binary& n) { checkBinary(id, n); },
                        [&](const Select& n) { checkSelect(id, n); },
                        [&](const Wrap& n) { checkWrap(id, n); },
                        [&](const Convert& n) { checkConvert(id, n); },
                    },
                    body_[id].node);
    }

    void is(ExprId id, ExprType type) {
        if (body_[id].type != type) bad("expression {}: type", id.index);
    }

    // -------------------------------------------------------------- statements

    bool valid(ExprId id, std::optional<ExprType> type) {
        if (!id.valid() || id.index >= body_.exprs.size())
            return bad("statement: expression {} does not exist", id.index), false;
        if (type && body_[id].type != *type)
            return bad("statement: type of expression {}", id.index), false;
        return true;
    }

    const Local* local(LocalId id) {
        if (id.index < body_.locals.size()) return &body_.locals[id.index];
        bad("statement: local {} does not exist", id.index);
        return nullptr;
    }

    /// That there is what statements store, and where.
    void checkStored() {
        forEachStmt(body_.statements, [&](const Stmt& stmt) {
            smec::visit(Overloaded{
                            [&](const Set& n) { valid(n.value, std::nullopt), local(n.local); },
                            [&](const For& n) {
                                valid(n.from, ExprType::Int);
                                valid(n.to, ExprType::Int);
                                local(n.var);
                            },
                            [&](const Call& n) {
                                for (const LocalId id : n.results)
                                    local(id);
                            },
                            [](const AnyOf<CopyArray, FillArray, Check, If, Loop, CountRound,
                                           Switch, Break, Continue, Return, Trace, Stop> auto&) {},
                        },
                        stmt.node);
        });
    }

    void stored(ExprId value, const StorageType& type, const std::string& name) {
        if (!valid(value, exprTypeOf(type.scalar)) || type.scalar.kind != ScalarKind::Int) return;
        const Interval all = intervalOf(type.scalar);
        const Interval& x = intervals_[value.index];
        if (!all.contains(x.low) || !all.contains(x.high))
            bad("value {} may not fit '{}'", value.index, name);
    }

    void site(std::uint32_t index, bool isTrace) {
        if (!owner_.cls && !owner_.siteOwner.valid()) return bad("a shared function has sites");
        const Body& tables =
            owner_.cls ? owner_.cls->body : design_.classes[owner_.siteOwner.index].body;
        if (index >= (isTrace ? tables.traces.size() : tables.fails.size()))
            bad("site {} does not exist", index);
    }

    void args(const std::vector<ExprId>& ids) {
        for (ExprId id : ids)
            valid(id, std::nullopt);
    }

    void checkCopy(const CopyArray& n) {
        const Local* to = local(n.to);
        if (!to) return;
        std::optional<StorageType> from;
        smec::visit(Overloaded{
                        [&](const LocalId& id) {
                            if (const Local* source = local(id)) from = source->type;
                        },
                        [&](const ReadInput& read) {
                            if (owner_.cls && read.input < owner_.cls->inputs.size())
                                from = owner_.cls->inputs[read.input].type;
                            if (read.index.valid()) bad("a copied array has an index");
                        },
                        [&](const TableId& id) {
                            if (id.index < design_.tables.size())
                                from = design_.tables[id.index].type;
                        },
                    },
                    n.from);
        if (!to->type.isArray() || from != to->type)
            bad("copy into '{}' from another type", to->name);
    }

    void checkCall(const Call& n) {
        if (n.function.index >= owner_.functionLimit)
            return bad("calls function {}, which does not stand before it", n.function.index);
        const Function& callee = design_.functions[n.function.index];
        if (callee.owner.valid() && callee.owner != owner_.siteOwner)
            bad("calls a function of another class");
        if (n.args.size() != callee.paramCount)
            return bad("number of arguments of '{}'", callee.name);
        std::size_t next = 0;
        for (const Local& param : callee.body.locals) {
            if (param.kind == LocalKind::Param && next < n.args.size())
                stored(n.args[next++], param.type, param.name);
        }
        if (n.results.size() != callee.results.size())
            return bad("number of results of '{}'", callee.name);
        for (std::size_t i = 0; i < n.results.size(); ++i) {
            const Local* result = local(n.results[i]);
            if (result && result->type != callee.results[i]) bad("result of '{}'", callee.name);
        }
    }

    void checkFor(const For& n, int loops) {
        const Local* var = local(n.var);
        if (!var || var->kind != LocalKind::Temp || var->type.isArray()) bad("loop variable");
        checkBlock(n.body, loops + 1);
    }

    void checkSet(const Set& n) {
        const Local* to = local(n.local);
        if (!to) return;
        if (to->kind == LocalKind::Param) bad("parameter '{}' is assigned", to->name);
        if (n.index.valid() != to->type.isArray()) return bad("index of '{}'", to->name);
        if (n.index.valid()) valid(n.index, ExprType::Int);
        stored(n.value, to->type, to->name);
    }

    void checkReturn(const Return& n) {
        const std::size_t results = owner_.function ? owner_.function->results.size() : 0;
        if (n.values.size() != results) return bad("return");
        for (std::size_t i = 0; i < results; ++i)
            stored(n.values[i], owner_.function->results[i], "result");
    }

    void checkFill(const FillArray& n) {
        const Local* to = local(n.to);
        if (to && !to->type.isArray()) bad("fills the scalar '{}'", to->name);
        if (to) stored(n.value, to->type, to->name);
    }

    void checkCheck(const Check& n) {
        valid(n.ok, ExprType::Bool);
        site(n.site, false);
        args(n.args);
    }

    void checkRound(const CountRound& n, int loops) {
        if (loops == 0) bad("a round counted outside of a loop");
        site(n.site, false);
    }

    void checkStop(const Stop& n) {
        if (owner_.function) bad("a function stops the run");
        valid(n.status, ExprType::Int);
    }

    void checkIf(const If& n, int loops) {
        valid(n.condition, ExprType::Bool);
        checkBlock(n.yes, loops);
        checkBlock(n.no, loops);
    }

    void checkSwitch(const Switch& n, int loops) {
        valid(n.subject, ExprType::Int);
        for (const SwitchCase& c : n.cases)
            checkBlock(c.body, loops);
        checkBlock(n.otherwise, loops);
    }

    void checkStmt(const Stmt& stmt, int loops) {
        smec::visit(Overloaded{
                        [&](const Set& n) { checkSet(n); },
                        [&](const CopyArray& n) { checkCopy(n); },
                        [&](const FillArray& n) { checkFill(n); },
                        [&](const Check& n) { checkCheck(n); },
                        [&](const If& n) { checkIf(n, loops); },
                        [&](const For& n) { checkFor(n, loops); },
                        [&](const Loop& n) { checkBlock(n.body, loops + 1); },
                        [&](const CountRound& n) { checkRound(n, loops); },
                        [&](const Switch& n) { checkSwitch(n, loops); },
                        [&](const Break&) {
                            if (loops == 0) bad("break outside of a loop");
                        },
                        [&](const Continue&) {
                            if (loops == 0) bad("continue outside of a loop");
                        },
                        [&](const Call& n) { checkCall(n); },
                        [&](const Return& n) { checkReturn(n); },
                        [&](const Trace& n) { site(n.site, true), args(n.args); },
                        [&](const Stop& n) { checkStop(n); },
                    },
                    stmt.node);
    }

    void checkBlock(const Block& block, int loops) {
        for (const Stmt& stmt : block)
            checkStmt(stmt, loops);
    }

    const Design& design_;
    const BodyOwner& owner_;
    const Body& body_;
    Complaints& out_;
    bool sound_ = true;
    std::vector<Interval> intervals_;
};

}  // namespace

void verifyBody(const Design& design, const BodyOwner& owner, Complaints& out) {
    BodyVerifier(design, owner, out).run();
}

}  // namespace smec::ir
