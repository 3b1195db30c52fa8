#include <algorithm>

#include "ir/analysis.h"
#include "ir/arithmetic.h"
#include "ir/builder.h"
#include "ir/visit.h"
#include "passes/body.h"
#include "passes/passes.h"
#include "source/overloaded.h"

// Every body is built anew, expression by expression, by a builder that knows the intervals of its
// locals; then its statements are copied and simplified.
//   for i = 0 to 3 { check 0 <= i && i <= 3; s = s + a[i] }   ->   check true (removed by the next
//   pass)

namespace smec::passes {

using namespace ir;

namespace {

class Folder {
public:
    Folder(Body& body, const std::vector<Column>& columns, const std::vector<Input>& inputs,
           const Design& design)
        : old_(body),
          design_(design),
          locals_(localIntervals(body, columns, inputs, design)),
          builder_(fresh_, {&columns, &inputs, &design.tables, &locals_}) {}

    void run() {
        fresh_.locals = old_.locals;
        keepIntervals();
        markUsed();
        map_.resize(old_.exprs.size());
        for (std::size_t i = 0; i < map_.size(); ++i) {
            if (used_[i]) map_[i] = rebuild(old_.exprs[i]);
        }
        fresh_.statements = block(old_.statements);
        fresh_.traces = std::move(old_.traces);
        fresh_.fails = std::move(old_.fails);
        old_ = std::move(fresh_);
    }

private:
    /// What is folded away may have been what the intervals were found from.
    void keepIntervals() {
        for (std::size_t i = 0; i < locals_.size(); ++i) {
            Local& local = fresh_.locals[i];
            const bool isCounted = local.kind == LocalKind::Temp && !local.type.isArray()
                                   && local.type.scalar.kind == ScalarKind::Int;
            if (isCounted && locals_[i].low <= locals_[i].high) local.range = locals_[i];
        }
    }

    void markUsed() {
        used_.resize(old_.exprs.size());
        forEachStmt(old_.statements, [&](const Stmt& stmt) {
            forEachExpr(stmt, [&](ExprId id) { used_[id.index] = true; });
        });
        for (std::size_t i = used_.size(); i-- > 0;) {
            if (used_[i]) forEachOperand(old_.exprs[i], [&](ExprId id) { used_[id.index] = true; });
        }
    }

    ExprId rebuild(Expr expr) {
        forEachOperand(expr, [&](ExprId& id) { id = map_[id.index]; });
        if (const auto* read = std::get_if<ReadTable>(&expr.node)) {
            if (auto value = fromTable(*read, expr.type)) return *value;
        }
        return builder_.add(std::move(expr));
    }

    std::optional<ExprId> fromTable(const ReadTable& read, ExprType type) {
        const Integer* index = builder_.integer(read.index);
        const Table& table = design_.tables[read.table.index];
        if (!index || *index < 0 || *index >= table.values.size()) return std::nullopt;
        const Constant& value = table.values[static_cast<std::size_t>(*index)];
        if (const auto* number = std::get_if<double>(&value.value))
            return builder_.constant(*number, type);
        const Integer& integer = std::get<Integer>(value.value);
        return type == ExprType::Bool ? builder_.constant(integer != 0)
                                      : builder_.constant(integer);
    }

    // -------------------------------------------------------------- statements

    Block block(const Block& from) {
        Block to;
        for (const Stmt& stmt : from) {
            add(stmt, to);
            if (!to.empty() && leavesBlock(to.back())) break;
        }
        return to;
    }

    void append(const Block& from, Block& to) {
        Block inner = block(from);
        std::move(inner.begin(), inner.end(), std::back_inserter(to));
    }

    void add(const Stmt& stmt, Block& to) {
        smec::visit(Overloaded{
                        [&](const If& n) { addIf(n, stmt.range, to); },
                        [&](const Switch& n) { addSwitch(n, stmt.range, to); },
                        [&](const For& n) { addFor(n, stmt.range, to); },
                        [&](const Loop& n) {
                            to.push_back({stmt.range, Loop{block(n.body), n.isStateMachine}});
                        },
                        [&](const Set& n) {
                            const Set copy{n.local, mapped(n.index), mapped(n.value)};
                            if (!isIdle(copy)) to.push_back({stmt.range, copy});
                        },
                        [&](const AnyOf<CopyArray, FillArray, Check, CountRound, Break, Continue,
                                        Call, Return, Trace, Stop> auto&) {
                            Stmt copy = stmt;
                            forEachExpr(copy, [&](ExprId& id) { id = mapped(id); });
                            to.push_back(std::move(copy));
                        },
                    },
                    stmt.node);
    }

    ExprId mapped(ExprId id) const { return id.valid() ? map_[id.index] : id; }

    /// x = x
    bool isIdle(const Set& set) const {
        const auto* read = std::get_if<ReadLocal>(&fresh_[set.value].node);
        return read && read->local == set.local && read->index == set.index;
    }

    void addIf(const If& branch, SourceRange range, Block& to) {
        ExprId condition = map_[branch.condition.index];
        if (const bool* known = builder_.boolean(condition))
            return append(*known ? branch.yes : branch.no, to);
        Block yes = block(branch.yes), no = block(branch.no);
        if (yes.empty() && no.empty()) return;
        if (yes.empty()) {
            condition = builder_.unary(UnaryOp::Not, condition);
            std::swap(yes, no);
        }
        to.push_back({range, If{condition, std::move(yes), std::move(no)}});
    }

    void addSwitch(const Switch& choice, SourceRange range, Block& to) {
        const ExprId subject = map_[choice.subject.index];
        const Interval values = builder_.interval(subject);
        Switch result{subject, {}, {}};
        for (const SwitchCase& c : choice.cases) {
            SwitchCase kept;
            for (const Integer& label : c.labels) {
                if (values.contains(label)) kept.labels.push_back(label);
            }
            if (kept.labels.empty()) continue;
            if (values.low == values.high) return append(c.body, to);
            kept.body = block(c.body);
            result.cases.push_back(std::move(kept));
        }
        if (result.cases.empty()) return append(choice.otherwise, to);
        result.otherwise = block(choice.otherwise);
        to.push_back({range, std::move(result)});
    }

    void addFor(const For& loop, SourceRange range, Block& to) {
        For result{loop.var, loop.kind,  map_[loop.from.index], map_[loop.to.index],
                   {},       loop.rounds};
        const Interval from = builder_.interval(result.from), last = builder_.interval(result.to);
        if (loop.kind == LoopKind::Up && from.low > last.high) return;
        if (loop.kind == LoopKind::Down && from.high < last.low) return;
        if (loop.kind == LoopKind::Either && from.high <= last.low) result.kind = LoopKind::Up;
        if (loop.kind == LoopKind::Either && from.low >= last.high) result.kind = LoopKind::Down;
        result.body = block(loop.body);
        if (result.body.empty() && result.rounds) return;
        to.push_back({range, std::move(result)});
    }

    Body& old_;
    const Design& design_;
    Body fresh_;
    std::vector<Interval> locals_;
    Builder builder_;
    std::vector<bool> used_;
    std::vector<ExprId> map_;
};

}  // namespace

void fold(Body& body, const std::vector<Column>& columns, const std::vector<Input>& inputs,
          const Design& design) {
    Folder(body, columns, inputs, design).run();
}

void fold(Design& design) {
    for (Function& function : design.functions)
        fold(function.body, {}, {}, design);
    for (Class& cls : design.classes)
        fold(cls.body, cls.columns, cls.inputs, design);
}

}  // namespace smec::passes
